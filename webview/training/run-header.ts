// The header of the panel Training: the run, its progress, and its buttons.

import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import { Alert } from '../shared/alert.ts';
import { confirmed } from '../shared/confirm.ts';
import { findElement } from '../shared/dom.ts';
import { formatClock, runSummaryLine, statusLabel, timeLeftLabel } from './labels.ts';
import type { RunAction } from './run-actions.ts';

const paragraph = (id: string) => findElement(id, HTMLParagraphElement);
const button = (id: string) => findElement(id, HTMLButtonElement);

const name = findElement('name', HTMLHeadingElement);
const [status, about, message] = [paragraph('status'), paragraph('about'), paragraph('message')];
const errorAlert = new Alert(paragraph('complaint'));
const [trained, left] = [findElement('trained', HTMLSpanElement), findElement('left', HTMLSpanElement)];
const progress = findElement('progress', HTMLProgressElement);
const BUTTONS = {
  'run.pause': button('pause'),
  'run.continue': button('continue'),
  'run.resume': button('resume'),
  'run.stop': button('stop'),
};

const STOP = {
  text: 'Dartboard saves a checkpoint, from which you can resume the run later.',
  action: 'Stop the run',
};
/** Withdraws the question whether to stop. */
let asking: AbortController | undefined;
let shownRun: string | undefined;

/** Calls `perform`, which never rejects, when the user presses a button; for Stop, after the user confirms. */
export function onRunAction(perform: (action: RunAction) => Promise<unknown>): void {
  const busy = new Set<RunAction>();
  const start = (action: RunAction) => {
    // The button is not disabled, since it would lose the keyboard focus.
    if (busy.has(action)) return;
    errorAlert.hide();
    busy.add(action);
    BUTTONS[action].setAttribute('aria-busy', 'true');
    perform(action).finally(() => {
      busy.delete(action);
      BUTTONS[action].removeAttribute('aria-busy');
    });
  };
  for (const action of ['run.pause', 'run.continue', 'run.resume'] as const)
    BUTTONS[action].addEventListener('click', () => start(action));
  BUTTONS['run.stop'].addEventListener('click', async () => {
    asking = new AbortController();
    const question = { ...STOP, title: `Stop the run '${shownRun}'?` };
    if (await confirmed(question, asking.signal)) start('run.stop');
  });
}

export const hideConnectionError = (): void => errorAlert.connected();

export const showRunError = (error: unknown): void => errorAlert.show(error);

export function showRunHeader(state: RunState, actions: readonly RunAction[]): void {
  const { run, seconds, of } = state;
  const word = statusLabel(state.status);
  // The error and the question are about the run that was shown before.
  if (shownRun !== undefined && shownRun !== run) {
    errorAlert.hide();
    asking?.abort();
  }
  shownRun = run;
  name.textContent = run;
  // Screen readers announce each assignment.
  if (status.textContent !== word) status.textContent = word;
  status.dataset['status'] = state.status;
  about.textContent = runSummaryLine(state.about);
  trained.textContent = `${formatClock(seconds)} of ${formatClock(of)} trained`;
  left.textContent = timeLeftLabel(state);
  progress.value = of === 0 ? 0 : Math.min(1, seconds / of);
  message.hidden = state.message === undefined;
  message.textContent = state.message ?? '';
  const focused = Object.values(BUTTONS).find(each => each === document.activeElement);
  for (const action of ['run.pause', 'run.continue', 'run.resume', 'run.stop'] as const)
    BUTTONS[action].hidden = !actions.includes(action);
  // The pressed button may be hidden now: the focus moves to the first button that is visible.
  const [first] = actions;
  if (focused?.hidden) (first === undefined ? name : BUTTONS[first]).focus();
  if (!actions.includes('run.stop')) asking?.abort();
}
