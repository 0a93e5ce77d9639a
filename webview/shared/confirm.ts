// Asks before something that cannot be undone, in a modal dialog. The focus returns to the control that asked.

import { make } from './dom.ts';

interface Confirmation {
  readonly title: string;
  readonly text: string;
  /** The button that confirms. */
  readonly action: string;
}

/** Resolves to whether the user confirmed. The question is withdrawn when the signal is aborted. */
export function confirmed({ title, text, action }: Confirmation, signal?: AbortSignal): Promise<boolean> {
  const heading = make('h2', { text: title });
  heading.id = 'asked';
  const cancel = make('button', { text: 'Cancel' });
  cancel.autofocus = true;
  const confirm = make('button', { class: 'danger', text: action });
  confirm.value = CONFIRM;
  const form = make('form', { class: 'controls' }, cancel, confirm);
  form.method = 'dialog';
  const dialog = make('dialog', { class: 'ask' }, heading, make('p', { text }), form);
  dialog.setAttribute('aria-labelledby', heading.id);
  document.body.append(dialog);
  dialog.showModal();
  const ended = new AbortController();
  signal?.addEventListener('abort', () => dialog.close(''), { signal: ended.signal });
  return new Promise(resolve =>
    dialog.addEventListener('close', () => {
      ended.abort();
      dialog.remove();
      resolve(dialog.returnValue === CONFIRM);
    }),
  );
}

const CONFIRM = 'confirm';
