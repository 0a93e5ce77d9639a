// The head of the page: which run, how far it is, and what can be done with it.

import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import { Alert } from '../shared/alert.ts';
import { need } from '../shared/dom.ts';
import type { Deed } from './deeds.ts';
import { aboutInWords, clock, leftInWords, statusInWords } from './words.ts';

const paragraph = (id: string) => need(id, HTMLParagraphElement);
const button = (id: string) => need(id, HTMLButtonElement);

const name = need('name', HTMLHeadingElement);
const [status, about, message] = [paragraph('status'), paragraph('about'), paragraph('message')];
const complaint = new Alert(paragraph('complaint'));
const [trained, left] = [need('trained', HTMLSpanElement), need('left', HTMLSpanElement)];
const progress = need('progress', HTMLProgressElement);
const dialog = need('stopping', HTMLDialogElement);
const BUTTONS = {
  'run.pause': button('pause'),
  'run.continue': button('continue'),
  'run.resume': button('resume'),
  'run.stop': button('stop'),
};

/** `does` is asked once a person is sure. */
export function listenToButtons(does: (deed: Deed) => Promise<unknown>): void {
  const busy = new Set<Deed>();
  const doing = (deed: Deed) => {
    // Not disabled, which would take the keyboard's place on the page away.
    if (busy.has(deed)) return;
    complaint.hide();
    busy.add(deed);
    BUTTONS[deed].setAttribute('aria-busy', 'true');
    does(deed)
      .catch(complain)
      .finally(() => {
        busy.delete(deed);
        BUTTONS[deed].removeAttribute('aria-busy');
      });
  };
  for (const deed of ['run.pause', 'run.continue', 'run.resume'] as const)
    BUTTONS[deed].addEventListener('click', () => doing(deed));
  BUTTONS['run.stop'].addEventListener('click', () => {
    dialog.returnValue = '';
    dialog.showModal();
  });
  dialog.addEventListener('close', () => dialog.returnValue === 'stop' && doing('run.stop'));
}

/** There is a connection again. */
export const connected = (): void => complaint.connected();

export const complain = (error: unknown): void => complaint.show(error);

/** With what can be done with it. */
export function showHead(state: RunState, deeds: readonly Deed[]): void {
  const { run, seconds, of } = state;
  const word = statusInWords(state.status);
  name.textContent = run;
  // It is read aloud when it changes, and only then.
  if (status.textContent !== word) status.textContent = word;
  status.dataset['status'] = state.status;
  about.textContent = aboutInWords(state.about);
  trained.textContent = `${clock(seconds)} of ${clock(of)} trained`;
  left.textContent = leftInWords(state);
  progress.value = of === 0 ? 0 : Math.min(1, seconds / of);
  message.hidden = state.message === undefined;
  message.textContent = state.message ?? '';
  const focused = Object.values(BUTTONS).find(each => each === document.activeElement);
  for (const deed of ['run.pause', 'run.continue', 'run.resume', 'run.stop'] as const)
    BUTTONS[deed].hidden = !deeds.includes(deed);
  // The button that was pressed may have given way to another: the keyboard goes on from there.
  const [first] = deeds;
  if (focused?.hidden) (first === undefined ? name : BUTTONS[first]).focus();
  if (dialog.open && !deeds.includes('run.stop')) dialog.close('');
}
