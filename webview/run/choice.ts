// The list of runs to choose from.

import type { RunSummary } from '../../runtime/protocol/daemon/state.ts';
import { make, need } from '../shared/dom.ts';
import { newestFirst } from './order.ts';
import { statusInWords } from './words.ts';

const select = need('runs', HTMLSelectElement);

export const listenToChoice = (choose: (run: string) => void): void =>
  select.addEventListener('change', () => choose(select.value));

/** With a single run there is nothing to choose. */
export function showChoice(runs: readonly RunSummary[], current: string | undefined): void {
  select.hidden = runs.length < 2;
  select.replaceChildren(
    ...newestFirst(runs).map(({ run, status }) => {
      const option = make('option', { text: `${run} (${statusInWords(status).toLowerCase()})` });
      option.value = run;
      option.selected = run === current;
      return option;
    }),
  );
}
