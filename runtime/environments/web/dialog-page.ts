// A dialog of the browser as a page of its own: alert, confirm, prompt and file choosers are not among the pixels of a page without a
// window. The agent sees the dialog over the last picture of the page, and answers it as any other page.

import * as z from 'zod';
import type { WebDialog } from './browser/dialogs.ts';

export const dialogAnswer = z.strictObject({
  accept: z.boolean(),
  text: z.string().max(10_000).optional(),
  file: z.string().optional(),
});

/** The answer that the agent gave; null before. */
export const DIALOG_ANSWER = 'window.dartboardAnswer ?? null';

/** Shows the page below the dialog. `picture` is a data URL. It is no part of the dialog's page, because the address of a page is limited to 2 MB. */
export const showBelow = (picture: string): string => `(async () => {
  const image = new Image();
  image.src = ${JSON.stringify(picture)};
  await image.decode();
  document.documentElement.style.backgroundImage = \`url("\${image.src}")\`;
})()`;

/** `files` are the names that a file chooser offers. */
export function dialogHtml(dialog: WebDialog, files: readonly string[]): string {
  const isQuestion = dialog.kind !== 'alert';
  const isChooser = dialog.kind === 'files';
  const message = (isChooser ? '' : dialog.message) || TITLES[dialog.kind];
  const choices = isChooser
    ? files.map(name => `<button data-file="${escaped(name)}">${escaped(name)}</button>`).join('')
    : `<button id="ok">${dialog.kind === 'beforeunload' ? 'Leave' : 'OK'}</button>`;
  const input = dialog.kind === 'prompt' ? `<input id="text" value="${escaped(dialog.text)}">` : '';
  return `<!doctype html><title>Dialog</title><style>
    html { height: 100%; background-repeat: no-repeat; }
    body { margin: 0; height: 100%; background: rgba(0, 0, 0, .25); font: 12px sans-serif; display: grid; place-items: center; }
    dialog { display: block; position: static; box-sizing: border-box; max-width: 92%; max-height: 92%; overflow: auto; padding: 8px 10px;
      border: 1px solid #777; border-radius: 6px; box-shadow: 0 2px 10px #0006; }
    p { margin: 0 0 8px; white-space: pre-wrap; overflow-wrap: anywhere; }
    input { box-sizing: border-box; width: 100%; margin-bottom: 8px; }
    div { display: flex; flex-wrap: wrap; gap: 6px; justify-content: end; }
    button { font: inherit; padding: 2px 10px; }
  </style><dialog open aria-label="${TITLES[dialog.kind]}"><p>${escaped(message)}</p>${input}
    <div>${choices}${isQuestion ? '<button id="cancel">Cancel</button>' : ''}</div></dialog><script>
    const answer = (accept, more) => { window.dartboardAnswer ??= { accept, ...more }; };
    const field = document.getElementById('text');
    const accept = () => answer(true, field && { text: field.value });
    document.getElementById('ok')?.addEventListener('click', accept);
    document.getElementById('cancel')?.addEventListener('click', () => answer(false));
    for (const each of document.querySelectorAll('[data-file]')) each.onclick = () => answer(true, { file: each.dataset.file });
    addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') answer(${isQuestion ? 'false' : 'true'});
      if (key === 'Enter' && document.activeElement?.localName !== 'button'${isChooser ? ' && false' : ''}) accept();
    });
    (field ?? document.getElementById('ok') ?? document.querySelector('button')).focus();
    field?.select();
  </script>`;
}

const TITLES: Readonly<Record<WebDialog['kind'], string>> = {
  alert: 'Message of the page',
  confirm: 'Question of the page',
  prompt: 'Question of the page',
  beforeunload: 'Leave this page? Changes may not be saved.',
  files: 'Choose a file',
};

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string =>
  text.slice(0, 2000).replace(/[&<>"]/g, found => ENTITIES[found] ?? '');
