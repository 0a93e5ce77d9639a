// The panel Training: one run as it trains, and the buttons to pause, continue, stop and resume it.

import type { DaemonLife } from '../../runtime/protocol/daemon/messages.ts';
import type { RunState, RunSummary } from '../../runtime/protocol/daemon/state.ts';
import type { PanelPlace } from '../../runtime/protocol/panels.ts';
import { findElement } from '../shared/dom.ts';
import { messageOf, PageRequestError } from '../shared/errors.ts';
import type { Panel, PanelContext } from '../shared/panel.ts';
import { FleetSection } from './fleet.ts';
import { HostsSection } from './hosts.ts';
import { showModelRun } from './model-run.ts';
import { showModules } from './modules.ts';
import { runToShow } from './order.ts';
import { actionsFor } from './run-actions.ts';
import { RunComparison } from './run-comparison.ts';
import { hideConnectionError, onRunAction, showRunError, showRunHeader } from './run-header.ts';
import { showRunNotices } from './run-notices.ts';
import { SuccessChart } from './success-chart.ts';
import { showTasks } from './tasks.ts';
import { showTrajectoryCounts } from './trajectory-counts.ts';

const main = findElement('main', HTMLDivElement);
const empty = findElement('empty', HTMLParagraphElement);
const foot = findElement('foot', HTMLElement);
const keep = findElement('keep', HTMLInputElement);
const kept = findElement('kept', HTMLLabelElement);
const life = findElement('life', HTMLParagraphElement);

export class TrainingPanel implements Panel {
  readonly element = findElement('training', HTMLDivElement);
  readonly #context: PanelContext;
  readonly #chart: SuccessChart;
  readonly #comparison: RunComparison;
  readonly #hosts: HostsSection;
  readonly #fleet: FleetSection;
  #runs: readonly RunSummary[] = [];
  #hasRuns = false;
  #chosen: string | undefined;
  #runId: string | undefined;
  #state: RunState | undefined;
  #isDrawing = false;
  #isConnected = false;
  /** The run whose state the daemon cannot give: its file is damaged, for example. */
  #unreadable: string | undefined;
  /** Changes of keep-training without a reply. */
  #settings = 0;

  constructor(context: PanelContext) {
    this.#context = context;
    this.#comparison = new RunComparison(context.host, showRunError);
    this.#chart = new SuccessChart(context.host, over => this.#comparison.setAxis(over));
    const { link } = context.host;
    this.#hosts = new HostsSection({ link, run: () => this.#runId, failed: showRunError });
    this.#fleet = new FleetSection(link);
    onRunAction(async action => {
      const run = this.#runId;
      // The buttons are those of the run that is shown.
      if (run === undefined || this.#state?.run !== run) return;
      await link.request(action, { run }).catch((error: unknown) => {
        if (run === this.#runId) return showRunError(error);
        const why = `The action for the run '${run}' failed: ${messageOf(error)}`;
        context.showError(new Error(why, { cause: error }));
      });
    });
    keep.addEventListener('change', () => {
      this.#settings += 1;
      link
        .request('daemon.keepTraining', { keep: keep.checked })
        .then(showLife, context.showError)
        .finally(() => {
          this.#settings -= 1;
        });
    });
    // Waiting times grow although no new state arrives.
    setInterval(() => {
      const isLive = this.#isConnected && !this.element.closest('[inert]');
      if (isLive && this.#state !== undefined && this.#state.run === this.#runId)
        showRunNotices(this.#state, Date.now());
    }, 1000);
    this.element.hidden = false;
  }

  lifeChanged(life: DaemonLife): void {
    // It may be of before the click.
    if (this.#settings === 0) showLife(life);
  }

  show({ run }: PanelPlace): void {
    this.#chosen = run;
    this.#subscribe();
  }

  connected(): void {
    this.#isConnected = true;
    kept.hidden = !this.#context.host.link.supports('daemon.keepTraining');
    this.#runId = undefined;
    this.#unreadable = undefined;
    hideConnectionError();
    this.#fetchLife();
    this.#fleet.load();
    this.#subscribe();
  }

  runsChanged(runs: readonly RunSummary[]): void {
    this.#runs = runs;
    this.#hasRuns = true;
    this.#comparison.setRuns(runs);
    this.#subscribe();
  }

  stateChanged(next: RunState): void {
    if (this.#runs.find(({ run }) => run === next.run)?.status !== next.status) this.#fetchLife();
    this.#comparison.stateChanged(next);
    if (next.run !== this.#runId) return;
    this.#state = next;
    if (next.run === this.#unreadable) this.#setUnreadable(undefined);
    this.#draw();
  }

  keyPressed(): boolean {
    return false;
  }

  /** Subscribes to the run that the panel shows. */
  #subscribe(): void {
    const run = runToShow(this.#runs, this.#chosen);
    const isShown = run !== undefined && run !== this.#unreadable;
    empty.hidden = isShown;
    empty.textContent =
      run !== undefined
        ? `The state of the run '${run}' cannot be shown. Choose another run above.`
        : this.#hasRuns
          ? 'No runs yet. Start one with `npx dartboard train`, or with Start Training in VS Code.'
          : 'Loading runs…';
    main.hidden = !isShown;
    if (!this.#isConnected || run === undefined) return;
    const before = this.#runId;
    if (run === before) {
      this.#draw();
      return;
    }
    this.#runId = run;
    const { link } = this.#context.host;
    if (before !== undefined) link.request('unsubscribe', { what: { run: before } }).catch(showRunError);
    link.request('subscribe', { what: { run } }).then(
      () => {
        if (run === this.#runId) this.#setUnreadable(undefined);
      },
      (error: unknown) => {
        if (!(error instanceof PageRequestError && error.code === 'not_found')) showRunError(error);
        else if (run === this.#runId) {
          this.#context.showError(error);
          this.#setUnreadable(run);
        }
      },
    );
  }

  #setUnreadable(run: string | undefined): void {
    if (run === this.#unreadable) return;
    this.#unreadable = run;
    this.#subscribe();
  }

  /** At most once per animation frame, with the latest state. */
  #draw(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      const state = this.#state;
      if (state === undefined || state.run !== this.#runId) return;
      const canResume = this.#runs.find(({ run }) => run === state.run)?.canResume ?? false;
      const { link } = this.#context.host;
      showRunHeader(
        state,
        actionsFor(state, canResume).filter(action => link.supports(action)),
      );
      this.#chart.show(state);
      showModules(state);
      this.#hosts.show(state);
      showModelRun(state);
      showTrajectoryCounts(state);
      showTasks(state);
      showRunNotices(state, Date.now());
    });
  }

  #fetchLife(): void {
    this.#context.host.link.request('daemon.life', {}).then(showLife, this.#context.showError);
  }
}

function showLife({ keepTraining, says }: DaemonLife): void {
  foot.hidden = false;
  keep.checked = keepTraining;
  life.textContent = says;
}
