// What is waited for and since when, and what went wrong, the latest first.

import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import { make, need } from '../shared/dom.ts';
import { counted } from '../shared/words.ts';
import { span, timeOfDay } from './words.ts';

/** Older troubles are in the log. */
const MOST_TROUBLES = 20;

const waits = need('waiting', HTMLUListElement);
const list = need('troubles', HTMLUListElement);
const count = need('troubles-count', HTMLSpanElement);

/** `now` is the moment up to which they have waited. */
export function showNotes({ waiting, troubles }: RunState, now: number): void {
  const waiters = waiting.map(({ module, reason, since }) =>
    note(
      `${capital(module)} waits for ${reason}`,
      `for ${span((now - since) / 1000)}, since ${timeOfDay(since)}`,
    ),
  );
  waits.replaceChildren(...orNone(waiters, 'Nothing waits for anything.'));
  const latest = troubles.slice(-MOST_TROUBLES).reverse();
  const told = latest.map(({ thing, message, at }) => note(`${thing}: ${message}`, timeOfDay(at), 'trouble'));
  const shown = JSON.stringify(latest);
  // What is drawn anew each second cannot be marked and copied.
  if (list.dataset['shown'] === shown) return;
  list.dataset['shown'] = shown;
  list.replaceChildren(...orNone(told, 'None so far.'));
  count.textContent = troubles.length === 0 ? '' : counted(troubles.length);
}

const capital = (text: string): string => (text[0]?.toUpperCase() ?? '') + text.slice(1);

const note = (text: string, when: string, kind = ''): HTMLLIElement =>
  make('li', { class: kind }, make('p', { text }), make('p', { class: 'faint', text: when }));

const orNone = (items: readonly HTMLLIElement[], text: string): readonly HTMLLIElement[] =>
  items.length > 0 ? items : [make('li', { class: 'faint', text })];
