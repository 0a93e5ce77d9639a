// The panel Training: it finds a run to show, keeps up with it, and passes on what a person wants done with it.

import type { DaemonLife } from '../../runtime/protocol/daemon/messages.ts';
import type { RunState, RunSummary } from '../../runtime/protocol/daemon/state.ts';
import type { PanelPlace } from '../../runtime/protocol/panels.ts';
import { need } from '../shared/dom.ts';
import type { Around, Panel } from '../shared/panel.ts';
import { showBooks } from './books.ts';
import { Chart } from './chart.ts';
import { Compare } from './compare.ts';
import { deedsFor } from './deeds.ts';
import { complain, connected, listenToButtons, showHead } from './head.ts';
import { showModules } from './modules.ts';
import { showNotes } from './notes.ts';
import { runToShow } from './order.ts';
import { showTasks } from './tasks.ts';

const main = need('main', HTMLDivElement);
const empty = need('empty', HTMLParagraphElement);
const foot = need('foot', HTMLElement);
const keep = need('keep', HTMLInputElement);
const kept = need('kept', HTMLLabelElement);
const life = need('life', HTMLParagraphElement);

export class Training implements Panel {
  readonly element = need('training', HTMLDivElement);
  readonly #around: Around;
  readonly #chart: Chart;
  readonly #compare: Compare;
  #runs: readonly RunSummary[] = [];
  #areRunsKnown = false;
  #chosen: string | undefined;
  #shown: string | undefined;
  #state: RunState | undefined;
  #isDrawing = false;
  #isConnected = false;

  constructor(around: Around) {
    this.#around = around;
    this.#compare = new Compare(around.host, complain);
    this.#chart = new Chart(around.host, over => this.#compare.over(over));
    const { link } = around.host;
    listenToButtons(async deed => {
      if (this.#shown !== undefined) await link.request(deed, { run: this.#shown });
    });
    keep.addEventListener('change', () => {
      link.request('daemon.keepTraining', { keep: keep.checked }).then(showLife, complain);
    });
    // What is waited for grows older although nothing else changes.
    setInterval(() => {
      const isLive = this.#isConnected && !this.element.closest('[inert]');
      if (isLive && this.#state !== undefined && this.#state.run === this.#shown)
        showNotes(this.#state, Date.now());
    }, 1000);
    this.element.hidden = false;
  }

  show({ run }: PanelPlace): void {
    this.#chosen = run;
    this.#turn();
  }

  connected(): void {
    this.#isConnected = true;
    kept.hidden = !this.#around.host.link.supports('daemon.keepTraining');
    this.#shown = undefined;
    connected();
    this.#askLife();
    this.#turn();
  }

  runs(runs: readonly RunSummary[]): void {
    this.#runs = runs;
    this.#areRunsKnown = true;
    this.#compare.runs(runs);
    this.#turn();
  }

  heard(next: RunState): void {
    if (this.#runs.find(({ run }) => run === next.run)?.status !== next.status) this.#askLife();
    this.#compare.heard(next);
    if (next.run !== this.#shown) return;
    this.#state = next;
    this.#draw();
  }

  pressed(): boolean {
    return false;
  }

  /** To the run that is to be shown. */
  #turn(): void {
    const wanted = runToShow(this.#runs, this.#chosen);
    empty.hidden = wanted !== undefined;
    empty.textContent = this.#areRunsKnown
      ? 'There is no run yet: start a training, and it shows up here.'
      : 'Asking which runs there are…';
    main.hidden = wanted === undefined;
    if (!this.#isConnected || wanted === undefined) return;
    const before = this.#shown;
    if (wanted === before) {
      this.#draw();
      return;
    }
    this.#shown = wanted;
    const { link } = this.#around.host;
    if (before !== undefined) link.request('unsubscribe', { what: { run: before } }).catch(complain);
    link.request('subscribe', { what: { run: wanted } }).catch(complain);
  }

  /** At most once a frame of the display, with the newest state. */
  #draw(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      const state = this.#state;
      if (state === undefined || state.run !== this.#shown) return;
      const canResume = this.#runs.find(({ run }) => run === state.run)?.canResume ?? false;
      const { link } = this.#around.host;
      showHead(
        state,
        deedsFor(state, canResume).filter(deed => link.supports(deed)),
      );
      this.#chart.show(state);
      showModules(state);
      showBooks(state);
      showTasks(state);
      showNotes(state, Date.now());
    });
  }

  #askLife(): void {
    this.#around.host.link.request('daemon.life', {}).then(showLife, complain);
  }
}

function showLife({ keepTraining, says }: DaemonLife): void {
  foot.hidden = false;
  keep.checked = keepTraining;
  life.textContent = says;
}
