// The notices of a run: the wait of each module, and the latest problems.

import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import { problemText } from '../../runtime/protocol/problem-text.ts';
import { findElement, make } from '../shared/dom.ts';
import { capitalize, formatCount } from '../shared/labels.ts';
import { formatSpan, formatTime } from './labels.ts';

/** Older problems are in the log. */
const MAX_PROBLEMS = 20;

const waitingList = findElement('waiting', HTMLUListElement);
const list = findElement('problems', HTMLUListElement);
const count = findElement('problems-count', HTMLSpanElement);

export function showRunNotices({ waiting, problems }: RunState, now: number): void {
  const waitingItems = waiting.map(({ module, reason, since }) =>
    note(
      `${capitalize(module)} waits for ${reason}`,
      `for ${formatSpan((now - since) / 1000)}, since ${formatTime(since)}`,
    ),
  );
  waitingList.replaceChildren(...orNone(waitingItems, 'No module waits.'));
  const latest = problems.slice(-MAX_PROBLEMS).reverse();
  const items = latest.map(({ thing, message, at, count }) =>
    note(
      problemText(thing, message),
      count === undefined ? formatTime(at) : `${count} times, last at ${formatTime(at)}`,
      'problem',
    ),
  );
  const content = JSON.stringify(latest);
  // Replaced only when it changes, so that the user can select and copy the text.
  if (list.dataset['shown'] === content) return;
  list.dataset['shown'] = content;
  list.replaceChildren(...orNone(items, 'No problems.'));
  count.textContent = problems.length === 0 ? '' : formatCount(problems.length);
}

const note = (text: string, when: string, kind = ''): HTMLLIElement =>
  make('li', { class: kind }, make('p', { text }), make('p', { class: 'faint', text: when }));

const orNone = (items: readonly HTMLLIElement[], text: string): readonly HTMLLIElement[] =>
  items.length > 0 ? items : [make('li', { class: 'faint', text })];
