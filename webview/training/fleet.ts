// The runs of other workspaces in the same PostgreSQL index, below the run of this one.

import type { FleetResult, FleetRun } from '../../runtime/protocol/daemon/fleet.ts';
import { showAge } from '../shared/age.ts';
import { findElement, make } from '../shared/dom.ts';
import { isNoReply, messageOf } from '../shared/errors.ts';
import { formatCount } from '../shared/labels.ts';
import type { DaemonLink } from '../shared/link/link.ts';
import { solvedLabel } from './labels.ts';

export class FleetSection {
  readonly #link: DaemonLink;
  readonly #section = findElement('fleet', HTMLElement);
  readonly #reload = findElement('reload-fleet', HTMLButtonElement);
  readonly #none = findElement('no-fleet', HTMLParagraphElement);
  readonly #problem = findElement('fleet-problem', HTMLParagraphElement);
  readonly #table = findElement('fleet-table', HTMLTableElement);
  readonly #rows = findElement('fleet-rows', HTMLTableSectionElement);

  constructor(link: DaemonLink) {
    this.#link = link;
    this.#reload.addEventListener('click', () => this.load());
  }

  /** The server counts the trajectories of all workspaces, so the page asks when it connects and when the user does. */
  load(): void {
    if (!this.#link.supports('fleet.runs')) {
      this.#section.hidden = true;
      return;
    }
    this.#reload.disabled = true;
    this.#link
      .request('fleet.runs', {})
      .then(
        found => this.#show(found),
        (error: unknown) => {
          // Only the daemon knows whether there is such an index.
          if (!isNoReply(error)) this.#section.hidden = false;
          this.#showProblem(messageOf(error));
        },
      )
      .finally(() => {
        this.#reload.disabled = false;
      });
  }

  #show({ runs }: FleetResult): void {
    this.#section.hidden = runs === undefined;
    this.#showProblem('');
    this.#none.hidden = runs === undefined || runs.length > 0;
    this.#table.hidden = runs === undefined || runs.length === 0;
    const now = Date.now();
    this.#rows.replaceChildren(...(runs ?? []).map(run => rowOf(run, now)));
  }

  /** The rows of the last answer stay. */
  #showProblem(text: string): void {
    this.#problem.textContent = text;
    this.#problem.hidden = text === '';
  }
}

function rowOf(run: FleetRun, now: number): HTMLElement {
  const heading = make('th', { text: run.run });
  heading.scope = 'row';
  const place = make(
    'td',
    {},
    make('span', { text: run.machine }),
    make('span', { class: 'faint', text: run.folder }),
  );
  const latest = make('td');
  showAge(latest, run.endedAt, now);
  latest.title = new Date(run.endedAt).toLocaleString();
  return make(
    'tr',
    {},
    ...[heading, place, make('td', { text: formatCount(run.trajectories) })],
    ...[make('td', { text: solvedLabel(run) }), latest],
  );
}
