// The runs of a workspace: each has a folder, and all share one store of trajectories. One run trains at a time.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { StoredCollections } from '../collect/collections.ts';
import { htmlOf } from '../compare/html/report.ts';
import { recordedComparison } from '../compare/recorded-comparison.ts';
import { type Config, parseConfig } from '../config/config.ts';
import { NO_SETTINGS, type Settings } from '../config/settings.ts';
import { COMPACT_AGENT } from '../core/agent.ts';
import type { Clock } from '../core/clock.ts';
import { freeMbOf } from '../core/free-space.ts';
import { type RunId, runId, type TrajectoryId } from '../core/ids.ts';
import { seeded } from '../core/rng.ts';
import { MIN_FREE_MB } from '../core/system-error.ts';
import { SuccessPool } from '../data/pool/pool.ts';
import { TrajectoryStore } from '../data/store.ts';
import { hostSettings } from '../environments/docker/address.ts';
import { ANY_BROWSER, browserHere } from '../environments/web/browser-here.ts';
import { recordingAgents } from '../person/recording-agents.ts';
import { PersonRecordings } from '../person/recordings.ts';
import { isOver, type RunState, type RunSummary } from '../protocol/daemon/state.ts';
import type { DesktopKind } from '../protocol/desktop-kinds.ts';
import { RUNS } from '../run/folders/run-folder.ts';
import { CHECKPOINTS, MASKS_FILE, RunFolders, STATE_FILE } from '../run/folders/run-folders.ts';
import type { ModuleEntries } from '../run/modules.ts';
import { openSuite, trainingTasks } from '../run/suite.ts';
import { requireTrainable } from '../run/trainable.ts';
import { type Desktops, lookAt } from './desktops/desktops.ts';
import { guestsThere } from './desktops/guests-here.ts';
import { engineHere, kindsHere } from './desktops/kinds.ts';
import { TrajectoryExchange } from './exchange/exchange.ts';
import { findCheckpoint, writeFirstCheckpoint } from './first-checkpoint.ts';
import { indexPlaceIn } from './index-place.ts';
import { LiveRun, type LiveRunOptions } from './live-run.ts';
import { resumedConfig, withOwnAgents } from './own-settings.ts';
import { Presorts } from './presort/presorts.ts';
import { noSuchRun, RunError } from './run-error.ts';
import { hostsOf, type RunHosts } from './run-hosts.ts';
import { readRunState } from './saved-run.ts';
import { StoredTrajectories } from './trajectories/trajectories.ts';
import { workspaceSuites } from './trajectories/workspace-suites.ts';

export interface WorkspaceRunsOptions {
  /** The folder of the runs. */
  readonly root?: string;
  /** The bundles of the child processes, and of the index and frames threads. */
  readonly entries: ModuleEntries & { readonly index: URL; readonly frames: URL };
  /** The variables with the keys of agents; none by default. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The agents of the workspace, by name; none by default. */
  readonly agents?: () => Promise<Config['agents']>;
  /** The configuration of the workspace, or of another kind of desktops; the defaults by default. */
  readonly config?: (kind?: DesktopKind) => Promise<Config>;
  /** The settings of dartboard.json, for the guests and the task files that it names; none by default. */
  readonly settings?: () => Promise<Settings>;
  readonly clock: Clock;
  /** Shows a message to the user. */
  readonly notice: (message: string) => void;
  /** Free space on the disk of a folder. */
  readonly freeMb?: (folder: string) => Promise<number>;
}

export interface StartOptions {
  /** A checkpoint file or the name of a run, whose weights replace random ones. */
  readonly from?: string;
}

const defaultConfig = async (kind?: DesktopKind): Promise<Config> =>
  parseConfig(kind === undefined ? {} : { environments: { kind } });

const noAgents = async (): Promise<Config['agents']> => ({});

export class WorkspaceRuns {
  readonly trajectories: StoredTrajectories;
  readonly exchange: TrajectoryExchange;
  readonly presorts: Presorts;
  readonly collections: StoredCollections;
  readonly recordings: PersonRecordings;
  readonly desktops: Desktops;
  readonly hosts: RunHosts;
  readonly #options: WorkspaceRunsOptions;
  readonly #folders: RunFolders;
  readonly #store: TrajectoryStore;
  readonly #pool: SuccessPool;
  /** The last states of runs that do not train. */
  readonly #past = new Map<RunId, RunState>();
  readonly #listeners = new Set<(state: RunState) => void>();
  #live: LiveRun | undefined;
  /** Never rejects. */
  #starting: Promise<void> | undefined;
  #isClosed = false;

  private constructor(options: WorkspaceRunsOptions, folders: RunFolders, store: TrajectoryStore) {
    this.#options = options;
    this.#folders = folders;
    this.#store = store;
    this.#pool = new SuccessPool(store);
    const suites = workspaceSuites({
      runs: async () => [...this.#past.keys(), ...(this.#live === undefined ? [] : [this.#live.run])],
      configOf: async run => {
        const about = await folders.read(run);
        if (about === undefined) throw noSuchRun(run);
        return about.config;
      },
      settings: options.settings ?? (async () => NO_SETTINGS),
    });
    const masksOf = (run: RunId): string => join(folders.path(run), MASKS_FILE);
    const { frames: entry } = options.entries;
    const notice = (message: string) => this.#report('the pictures of trajectories', message);
    this.trajectories = new StoredTrajectories({ store, suites, masksOf, runs: this, entry, notice });
    const { root = RUNS, entries, environment = {}, clock } = options;
    this.exchange = new TrajectoryExchange({
      ...{ store, clock, config: options.config ?? defaultConfig },
      redraw: async id => (await this.trajectories.pictures(id)).map(({ image }) => image),
    });
    this.presorts = new Presorts({
      ...{ store, trajectories: this.trajectories, environment, clock },
      agents: options.agents ?? noAgents,
    });
    this.desktops = {
      look: look => lookAt(this.#live, look),
      kinds: () =>
        kindsHere({
          engine: () => engineHere(hostSettings(), clock),
          browser: () => browserHere(ANY_BROWSER),
          guests: async () => guestsThere((await options.settings?.()) ?? NO_SETTINGS, clock),
          hasTrajectories: async () => (await options.settings?.())?.tasks?.offline !== undefined,
          clock,
        }),
    };
    this.hosts = hostsOf(run => this.#training(run).lifecycle);
    this.collections = new StoredCollections({
      ...{ store, root, entries, environment, clock },
      agents: options.agents ?? noAgents,
      isGuest: () => this.#isTraining,
      accepted: id => this.poolChanged(id),
    });
    this.recordings = new PersonRecordings({
      ...{ store, clock, random: seeded(randomBytes(16).toString('hex')) },
      agents: recordingAgents({ root, workerEntry: entries.worker, environment, clock }),
      accept: (id, who) => this.accept(id, who),
      config: options.config ?? defaultConfig,
      isGuest: () => this.#isTraining,
      training: () => this.#live?.lending,
    });
  }

  static async open(options: WorkspaceRunsOptions): Promise<WorkspaceRuns> {
    const { root = RUNS, entries, clock, notice } = options;
    const folders = new RunFolders(root);
    const { runs: known, damaged } = await folders.list();
    let report = notice;
    const index = await indexPlaceIn(options.config ?? defaultConfig, options.notice);
    const store = await TrajectoryStore.open({
      ...{ root, indexEntry: entries.index, index, clock },
      notice: message => report(message),
    });
    const runs = new WorkspaceRuns(options, folders, store);
    report = message => runs.#report('the stored trajectories', message);
    for (const { why } of damaged) notice(why);
    for (const { run, status } of known) {
      const id = runId(run);
      const state = await readRunState(join(folders.path(id), STATE_FILE));
      if (state !== undefined) runs.#past.set(id, { ...state, status, waiting: [] });
    }
    return runs;
  }

  async list(): Promise<readonly RunSummary[]> {
    const bytes = this.#isClosed ? undefined : await this.#store.index.bytesByRun();
    const { runs } = await this.#folders.list(bytes);
    // Its file is a few seconds old.
    const live = this.#live;
    return runs.map(each => (each.run === live?.run ? { ...each, ...live.progress() } : each));
  }

  /** Resolves when the modules are ready. */
  async start(asked: Config, { from }: StartOptions = {}): Promise<RunId> {
    return this.#exclusively(async () => {
      await this.#requireFreeSpace();
      const now = this.#options.clock.now();
      const config = await withOwnAgents(asked, this.#options);
      // A configuration that cannot be trained leaves no folder.
      requireTrainable(config);
      if (from !== undefined && config.agent !== COMPACT_AGENT)
        throw new RunError(
          `The agent '${config.agent}' cannot start from '${from}': checkpoints are of the built-in policy. Give its learner other weights.`,
        );
      const origin = from === undefined ? undefined : await findCheckpoint(from, this.#options.root ?? RUNS);
      trainingTasks(config, await openSuite(config));
      const run = await this.#folders.create(new Date(now), config.seed);
      try {
        if (origin !== undefined)
          await writeFirstCheckpoint(join(this.#folders.path(run), CHECKPOINTS), origin, config.seed);
        await this.#begin(run, config, {
          startedAt: now,
          ...(origin !== undefined && { from: origin.from }),
        });
      } catch (error) {
        // The reason of the failure matters more than a folder that cannot be removed.
        await this.#folders.discard(run).catch(() => undefined);
        throw error;
      }
      return run;
    });
  }

  /** Continues a run that was stopped or failed. `seconds` replaces its total training time. */
  async resume(run: RunId, seconds?: number): Promise<void> {
    await this.#exclusively(async () => {
      await this.#requireFreeSpace();
      const about = await this.#folders.read(run);
      if (about === undefined) throw noSuchRun(run);
      const minutes = seconds === undefined ? about.config.minutes : seconds / 60;
      // A run that was killed at its end may lack its last save or evaluation.
      const isComplete = about.status === 'ended' && about.seconds >= 60 * minutes;
      if (isComplete || about.seconds > 60 * minutes)
        throw new RunError(
          `The run '${run}' has trained all of its ${minutes} minutes. Give it more time with --minutes.`,
        );
      const { startedAt, from } = about;
      const config = await resumedConfig(about.config, minutes, this.#options);
      // The agents of the workspace may have changed since the start.
      requireTrainable(config);
      await this.#begin(run, config, { startedAt, ...(from !== undefined && { from }) });
    });
  }

  /** Orders no new rollouts until it is continued. Rollouts under way finish; their batches train after the pause. */
  async pause(run: RunId): Promise<void> {
    await this.#training(run).lifecycle.pause();
  }

  async continue(run: RunId): Promise<void> {
    await this.#training(run).lifecycle.continue();
  }

  /** Ends a run with a checkpoint, from which it can be resumed. */
  async stop(run: RunId): Promise<void> {
    await this.#training(run).stop();
  }

  /** Deletes all files of a run. Rejects while it runs, and without `withPool` when the success pool contains its trajectories. */
  async delete(run: RunId, options: { readonly withPool: boolean }): Promise<void> {
    if (this.collections.isOf(run))
      throw new RunError(
        `The run '${run}' cannot be deleted, since a collection of successes uses its weights. Cancel the collection, or wait for its end.`,
      );
    const left = await this.#folders.delete(run, this.#options.clock.now(), options);
    for (const why of left) this.#options.notice(why);
    await this.#store.forgetRun(run);
    this.#past.delete(run);
  }

  /** The report that compares these runs, as one HTML file. */
  async compare(runs: readonly RunId[]): Promise<string> {
    const { root = RUNS, clock } = this.#options;
    const isLive = (run: RunId) => this.#folders.isLive(run);
    return htmlOf(await recordedComparison({ root, runs, evaluations: [], now: clock.now(), isLive }));
  }

  /** Undefined when the run does not exist. */
  state(run: RunId): RunState | undefined {
    return this.#live?.run === run ? this.#live.state() : this.#past.get(run);
  }

  /** The run that trains, without its name before it has a state. Undefined as soon as its state is over. */
  get trainingNow(): { readonly run?: RunId } | undefined {
    const live = this.#live;
    if (live === undefined) return this.#starting && {};
    return isOver(live.state()) ? undefined : { run: live.run };
  }

  /** Calls the listener for every change, at most a few times per second. Returns a function that ends it. */
  watch(listener: (state: RunState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Replaces the verdict of the evaluator by that of a person. */
  async judge(run: RunId, trajectory: TrajectoryId, success: boolean | null, who: string): Promise<void> {
    await this.#store.label(trajectory, { kind: 'verdict', success }, who);
    if (this.#live?.run === run) await this.#live.lifecycle.judge(trajectory, success, who);
  }

  /** Adds a trajectory to the success pool and to the run that trains. Rejects failures and trajectories of evaluations. */
  async accept(trajectory: TrajectoryId, who: string): Promise<void> {
    await this.#pool.accept(trajectory, who);
    await this.poolChanged(trajectory);
  }

  /** Removes a trajectory from the success pool, and keeps it out. */
  async reject(trajectory: TrajectoryId, who: string): Promise<void> {
    await this.#pool.reject(trajectory, who);
    await this.poolChanged(trajectory);
  }

  /** After an annotation changed: updates the run that trains if the trajectory is in the success pool. */
  async poolChanged(trajectory: TrajectoryId): Promise<void> {
    await this.#live?.lifecycle.poolChanged(trajectory);
  }

  /** Resolves with the last state when the run has ended; at once when it does not train. */
  async ended(run: RunId): Promise<RunState | undefined> {
    if (this.#live?.run === run) await this.#live.ended;
    return this.state(run);
  }

  /** Stops the run that trains, with a checkpoint. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.recordings.close();
    await this.exchange.close();
    await this.presorts.close();
    await this.collections.close();
    await this.#live?.close();
    await this.#starting;
    await this.trajectories.close();
    await this.#store.close();
  }

  get #isTraining(): boolean {
    return this.#live !== undefined || this.#starting !== undefined;
  }

  /** One run trains at a time: two would share the cores, and both would be slower. */
  async #exclusively<T>(begin: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new RunError(CLOSED);
    if (this.#isTraining) {
      const which = this.#live === undefined ? 'Another run' : `The run '${this.#live.run}'`;
      throw new RunError(`${which} is training. Stop it first, or wait for its end.`);
    }
    const begun = begin();
    const settled = () => {
      this.#starting = undefined;
    };
    this.#starting = begun.then(settled, settled);
    return begun;
  }

  async #begin(run: RunId, config: Config, about: LiveRunOptions['about']): Promise<void> {
    const { entries, clock, root = RUNS } = this.#options;
    const live = await LiveRun.open({
      ...{ run, config, entries, clock, about },
      folders: this.#folders,
      hostsFolder: join(root, '..', 'hosts'),
      store: this.#store,
      pool: this.#pool,
      // The end is told when the run is closed, and can be resumed.
      changed: state => {
        if (!isOver(state)) this.#notify(state);
      },
    });
    this.#live = live;
    void live.ended.then(() => {
      this.#past.set(run, live.state());
      this.#live = undefined;
      this.#notify(live.state());
    });
    if (this.#isClosed) {
      await live.close();
      throw new RunError(CLOSED);
    }
    await live.up;
  }

  async #requireFreeSpace(): Promise<void> {
    const { root = RUNS, freeMb = freeMbOf } = this.#options;
    const free = await freeMb(root);
    if (free < MIN_FREE_MB)
      throw new RunError(
        `The disk of '${root}' has ${free} MB of free space, but a run needs ${MIN_FREE_MB} MB. Free some space.`,
      );
  }

  /** To the terminal, and to the page of the run that trains. */
  #report(thing: string, message: string): void {
    this.#options.notice(message);
    this.#live?.lifecycle.health(thing, false, message);
  }

  #training(run: RunId): LiveRun {
    if (this.#live?.run === run) return this.#live;
    throw new RunError(
      this.state(run) === undefined
        ? noSuchRun(run).message
        : `The run '${run}' does not train. Resume it first.`,
    );
  }

  #notify(state: RunState): void {
    for (const listener of this.#listeners) listener(state);
  }
}

const CLOSED = 'The run cannot start: the program is ending.';
