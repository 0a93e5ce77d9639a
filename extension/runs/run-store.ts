// Keeps the list of runs up to date while the daemon is connected. Resumes a run that stopped because its
// daemon crashed, or because the daemon exited during a reload of the window.

import type { Clock } from '../../runtime/core/clock.ts';
import { sentenceOf } from '../../runtime/core/errors.ts';
import type { DaemonLife } from '../../runtime/protocol/daemon/messages.ts';
import { isRunComplete, type RunState } from '../../runtime/protocol/daemon/state.ts';
import type { DaemonClient } from '../daemon/client.ts';
import type { ClientState } from '../daemon/lifecycle.ts';
import { DaemonRequestError } from '../daemon/requests.ts';
import {
  isLive,
  NO_RUNS,
  needsRefresh,
  offline,
  type RunOverview,
  resumableRuns,
  stoppedRuns,
  trainingRuns,
  unresumableRuns,
  withState,
  withSummaries,
} from './run-list.ts';
import {
  type InterruptedTraining,
  interruptedRuns,
  mustWrite,
  recentTraining,
  runsBeingStopped,
  type TrainingSnapshot,
} from './training-snapshot.ts';

export interface RunStoreOptions {
  readonly client: DaemonClient;
  readonly log: (message: string) => void;
  /** The setting: training continues without a window. */
  readonly keepTraining: () => boolean;
  readonly clock: Clock;
  /** Called for a run that its daemon interrupted and that does not resume automatically. */
  readonly stayedStopped: (run: string, message: string, canResume: boolean) => void;
  /** Storage of this workspace that survives a reload of the window. */
  readonly storage: {
    get(): TrainingSnapshot | undefined;
    set(snapshot: TrainingSnapshot | undefined): void;
  };
}

const RESUME_RETRY_MS = 1000;
const NO_CHECKPOINT =
  'Its daemon crashed before the first checkpoint, so it cannot resume. Start a new training.';

export class RunStore {
  readonly #options: RunStoreOptions;
  readonly #listeners = new Set<() => void>();
  readonly #subscription: { dispose(): void };
  #list: RunOverview = NO_RUNS;
  #life: DaemonLife | undefined;
  #lastKind: ClientState['kind'];
  /** Start time of the daemon of the last connection. */
  #daemon = 0;
  /** The training when the connection was lost. The daemon may have crashed. */
  #lostTraining: InterruptedTraining | undefined;
  /** The snapshot of before the reload, until its runs train again. */
  #reloadSnapshot: TrainingSnapshot | undefined;
  #snapshot: TrainingSnapshot | undefined;
  /** The daemon was stopping runs of the snapshot when this window connected. */
  #isDaemonExiting = false;

  constructor(options: RunStoreOptions) {
    this.#options = options;
    const { client, storage } = options;
    this.#reloadSnapshot = storage.get();
    this.#lastKind = client.state.kind;
    this.#subscription = client.listen({
      stateChanged: state => this.#clientChanged(state),
      runChanged: state => this.#runChanged(state),
    });
  }

  get list(): RunOverview {
    return this.#list;
  }

  /** The last report of the daemon; undefined while it is not connected. */
  get life(): DaemonLife | undefined {
    return this.#life;
  }

  /** A window before a reload left a training, which may have ended with its daemon. */
  get hasInterruptedTraining(): boolean {
    return this.#reloadTraining !== undefined;
  }

  /** Called after changes of runs and of the connection. */
  onChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  async refresh(): Promise<void> {
    this.#list = withSummaries(this.#list, await this.#options.client.request('runs.list', {}));
    this.#notify();
  }

  /** For a window that gets the focus: other windows, pages and terminals start daemons, resume and delete runs, and set keep-training. */
  catchUp(): void {
    const { client } = this.#options;
    if (client.state.kind === 'connected') {
      this.#attempt(() => this.refresh());
      this.#attempt(() => this.refreshLife());
    } else client.connect(false);
  }

  async keepTraining(keep: boolean): Promise<void> {
    this.#life = await this.#options.client.request('daemon.keepTraining', { keep });
    this.#notify();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#listeners.clear();
  }

  #clientChanged(state: ClientState): void {
    const before = this.#lastKind;
    this.#lastKind = state.kind;
    if (state.kind === 'connected') {
      this.#daemon = state.daemon.startedAt;
      this.#attempt(() => this.#synchronise());
    } else if (before === 'connected') this.#disconnected(state.kind);
    this.#notify();
  }

  get #reloadTraining(): InterruptedTraining | undefined {
    return recentTraining(this.#reloadSnapshot, this.#options.clock.now());
  }

  #disconnected(kind: ClientState['kind']): void {
    // A daemon that stops on purpose stops its runs with a checkpoint each.
    if (kind !== 'backoff') this.#lostTraining = undefined;
    // A lost connection may be lost again before the runs are known.
    else this.#lostTraining ??= { runs: trainingRuns(this.#list), daemon: this.#daemon };
    this.#list = offline(this.#list);
    this.#life = undefined;
    // The client is inside its change of state, so the request waits for a microtask.
    if (kind === 'idle' && this.#isDaemonExiting) queueMicrotask(() => this.#options.client.connect(true));
    else if (kind !== 'backoff') this.#store(undefined);
    this.#isDaemonExiting = false;
  }

  async #synchronise(): Promise<void> {
    const { client, keepTraining } = this.#options;
    await client.request('subscribe', { what: 'runs' });
    await this.refresh();
    // Another window may have set keep-training; this one only adds to it.
    this.#life = keepTraining()
      ? await client.request('daemon.keepTraining', { keep: true })
      : await client.request('daemon.life', {});
    // The list comes from disk; a live run may be ahead of it.
    for (const { run } of this.#list.summaries.filter(({ status }) => isLive(status)))
      this.#runChanged(await client.request('run.state', { run }));
    this.#isDaemonExiting = this.#runsBeingStopped().length > 0;
    const crashed = interruptedRuns(this.#lostTraining, this.#daemon);
    const daemon = this.#daemon;
    for (const { run } of unresumableRuns(this.#list, crashed))
      this.#options.stayedStopped(run, NO_CHECKPOINT, false);
    await this.#resume(crashed);
    // A daemon that crashed meanwhile leaves the training to the next one.
    if (client.state.kind === 'connected' && this.#daemon === daemon) this.#lostTraining = undefined;
    this.#notify();
    this.#attempt(() => this.#resumeInterrupted());
  }

  #runsBeingStopped(): readonly string[] {
    const stopping = this.#list.summaries.filter(({ status }) => status === 'stopping').map(({ run }) => run);
    return runsBeingStopped(this.#reloadTraining, this.#daemon, stopping);
  }

  /** Resumes the resumable ones of these runs, and returns their number. */
  async #resume(runs: readonly string[]): Promise<number> {
    const { client, clock, log, stayedStopped } = this.#options;
    const resumable = resumableRuns(this.#list).filter(({ run }) => runs.includes(run));
    for (const { run } of resumable.filter(each => !isRunComplete(each))) {
      log(`Resuming the run '${run}', which stopped because its daemon exited.`);
      try {
        await client.request('run.resume', { run });
      } catch (error) {
        log(String(error));
        // After a lost connection the next one decides.
        if (!(error instanceof DaemonRequestError && error.code !== undefined)) continue;
        // Another window may have been first; its run does not show at once.
        await clock.sleep(RESUME_RETRY_MS);
        // A request would start a daemon that stopped meanwhile.
        if (client.state.kind !== 'connected') break;
        await this.refresh();
        for (const { canResume } of stoppedRuns(this.#list, [run]))
          stayedStopped(run, `Its daemon exited, and it did not resume: ${sentenceOf(error)}`, canResume);
      }
    }
    return resumable.length;
  }

  /** Retries, because a trainer of the previous daemon may still write its checkpoint. */
  async #resumeInterrupted(): Promise<void> {
    const { client, clock } = this.#options;
    while (client.state.kind === 'connected') {
      const runs = interruptedRuns(this.#reloadTraining, this.#daemon);
      if (runs.length === 0) return;
      if ((await this.#resume(runs)) > 0) this.#reloadSnapshot = undefined;
      await clock.sleep(RESUME_RETRY_MS);
      await this.refresh();
    }
  }

  #runChanged(state: RunState): void {
    const isOutOfDate = needsRefresh(this.#list, state);
    this.#list = withState(this.#list, state);
    if (isOutOfDate) {
      this.#attempt(() => this.refresh());
      this.#attempt(() => this.refreshLife());
    }
    this.#notify();
  }

  async refreshLife(): Promise<void> {
    this.#life = await this.#options.client.request('daemon.life', {});
    this.#notify();
  }

  /** The client reports a lost connection; the next connection repeats the requests. */
  #attempt(action: () => Promise<void>): void {
    action().catch((error: unknown) => this.#options.log(String(error)));
  }

  #writeSnapshot(): void {
    const { client, clock } = this.#options;
    if (client.state.kind !== 'connected' || this.#life === undefined) return;
    const snapshot = { runs: trainingRuns(this.#list), daemon: this.#daemon, at: clock.now() };
    if (snapshot.runs.length > 0) this.#reloadSnapshot = undefined;
    // Until its runs train again, the snapshot of before the reload stays, for the case of another reload.
    if (this.#reloadSnapshot === undefined && mustWrite(snapshot, this.#snapshot)) this.#store(snapshot);
  }

  #store(snapshot: TrainingSnapshot | undefined): void {
    this.#snapshot = snapshot;
    this.#options.storage.set(snapshot);
  }

  #notify(): void {
    this.#writeSnapshot();
    for (const listener of [...this.#listeners]) listener();
  }
}
