// A run that trains: its ring, and the files that are written to its folder meanwhile.

import { join } from 'node:path';
import { vectorIn } from '../agents/compact/blob.ts';
import { COMPACT, type NetworkShape } from '../agents/compact/network.ts';
import type { Config } from '../config/config.ts';
import { COMPACT_AGENT } from '../core/agent.ts';
import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import { messageOf, sentenceOf } from '../core/errors.ts';
import { exists } from '../core/existing-file.ts';
import type { RunId, TrajectoryId, Version } from '../core/ids.ts';
import type { LoggedDecision } from '../data/files/decision-lines.ts';
import { DurableFolder } from '../data/files/durable.ts';
import { RotatingLog } from '../data/files/rotating-log.ts';
import type { SuccessPool } from '../data/pool/pool.ts';
import type { TrajectoryStore } from '../data/store.ts';
import { trainingSeeds } from '../environments/suite.ts';
import type { RunState, RunSummary } from '../protocol/daemon/state.ts';
import { CurveFiles } from '../run/curves/curve-files.ts';
import type { DesktopViews, LookRequest } from '../run/desktop-viewers.ts';
import { encodePolicy } from '../run/folders/policy-file.ts';
import { type ProgramVersions, thisProgram, withProgram } from '../run/folders/program-versions.ts';
import { WEIGHTS_FILE } from '../run/folders/run-folder.ts';
import {
  CHECKPOINTS,
  DECISIONS_FILE,
  PUBLISHED_FILE,
  RING_FILE,
  type RunFolders,
  STATE_FILE,
} from '../run/folders/run-folders.ts';
import { SharedRun } from '../run/joined/shared-run.ts';
import type { ModuleEntries } from '../run/modules.ts';
import { RunLifecycle } from '../run/run-lifecycle.ts';
import { openSuite, trainingTasks } from '../run/suite.ts';
import { CheckpointFolder } from '../trainer/checkpoint-folder.ts';
import { PROGRESS_FILE } from '../trainer/tokens/progress.ts';
import { readSavedRun } from './saved-run.ts';

export interface LiveRunOptions {
  readonly run: RunId;
  readonly config: Config;
  readonly entries: ModuleEntries;
  readonly about: { readonly startedAt: number; readonly from?: string };
  readonly folders: RunFolders;
  /** Keeps the secret with which hosts join, for all runs. */
  readonly hostsFolder: string;
  readonly store: TrajectoryStore;
  readonly pool: SuccessPool;
  readonly changed: (state: RunState) => void;
  readonly clock: Clock;
}

interface OpenedOptions extends LiveRunOptions {
  /** The stored trajectories that its desktops play. */
  readonly played: ReadonlySet<TrajectoryId>;
}

type HealthReport = Parameters<RunLifecycle['health']>;

const PUBLISH_INTERVAL_MS = 250;
const CURVES_INTERVAL_MS = 1000;
const SAVE_INTERVAL_MS = 5000;

export class LiveRun {
  readonly run: RunId;
  /** Resolves when its modules are ready, or when it is stopped before. Rejects when they do not start. */
  readonly up: Promise<void>;
  /** Never rejects: the state contains the outcome. */
  readonly ended: Promise<void>;
  /** Its commands: pause, continue, verdicts and the view of its desktops. */
  readonly lifecycle: RunLifecycle;
  readonly #options: OpenedOptions;
  readonly #files: DurableFolder;
  readonly #decisions: RotatingLog<LoggedDecision>;
  readonly #curves: CurveFiles;
  readonly #programs: readonly ProgramVersions[];
  readonly #over = new AbortController();
  /** Reports from before are repeated. */
  isListening = false;
  #failure: string | undefined;

  private constructor(
    options: OpenedOptions,
    ring: (files: DurableFolder) => RunLifecycle,
    curves: CurveFiles,
    decisions: RotatingLog<LoggedDecision>,
    early: HealthReport[],
    programs: readonly ProgramVersions[],
    release: () => Promise<void>,
  ) {
    this.run = options.run;
    this.#options = options;
    this.#files = new DurableFolder(options.folders.path(options.run));
    this.lifecycle = ring(this.#files);
    this.#curves = curves;
    this.#decisions = decisions;
    this.#programs = programs;
    const { promise: up, resolve, reject } = promised();
    this.up = up;
    this.ended = this.#live(resolve, early)
      // A run that was stopped before its modules were ready.
      .then(resolve)
      .catch(error => {
        this.#failure = messageOf(error);
        reject(error);
      })
      .then(() => this.#end(release));
  }

  static async open(options: LiveRunOptions): Promise<LiveRun> {
    const { run, config, folders, store, pool, entries, about, clock, hostsFolder } = options;
    const unlock = await folders.lock(run, clock.now());
    let shared: SharedRun | undefined;
    const release = async () => {
      try {
        await shared?.close();
      } finally {
        await unlock();
      }
    };
    try {
      const suite = await openSuite(config);
      const tasks = trainingTasks(config, suite);
      const played = new Set(suite.templates.flatMap(({ trajectory }) => trajectory ?? []));
      // Also after its end, until another run begins: it can be resumed.
      store.protect(() => played);
      const { mostMegabytes, mostTrajectories } = config.data.retention;
      store.keepWithin({ bytes: mostMegabytes * 2 ** 20, count: mostTrajectories });
      const shape: NetworkShape = { ...COMPACT, pixels: config.mode !== 'a11y_tree' };
      const folder = folders.path(run);
      const { seconds = 0, programs = [] } = (await folders.read(run)) ?? {};
      const { state: saved, lost } = await readSavedRun({ folder, config, suite, tasks, seconds });
      const isModel = config.agent !== COMPACT_AGENT;
      const checkpoints = join(folder, CHECKPOINTS);
      const hasWeights = isModel
        ? await exists(join(checkpoints, PROGRESS_FILE))
        : (await new CheckpointFolder(checkpoints).newest()) !== undefined;
      const usedVersion = await newestVersion(store, run);
      let live: LiveRun | undefined;
      const early: HealthReport[] = lost === undefined ? [] : [['the state of the run', false, lost]];
      shared = await SharedRun.open({
        ...{ run, config, suite, tasks, shape, folder, folders, hostsFolder, clock },
        environment: process.env,
        health: (...report) => {
          if (live?.isListening) live.lifecycle.health(...report);
          else early.push(report);
        },
      });
      const curves = await CurveFiles.open(
        folder,
        clock.now(),
        saved?.evaluations ?? saved?.curve.length ?? 0,
      );
      const decisions = new RotatingLog<LoggedDecision>(join(folder, DECISIONS_FILE));
      const ring = (files: DurableFolder) =>
        new RunLifecycle({
          ...{ run, config, suite, tasks, shape, entries, folder, clock, startedAt: about.startedAt },
          hasWeights,
          ...(usedVersion !== undefined && { usedVersion }),
          ...(shared !== undefined && {
            fabric: shared.fabric,
            hosts: shared.hosts,
            explain: shared.explain,
          }),
          ...(saved !== undefined && { saved }),
          keeps: { keep: trajectory => store.ingest(trajectory) },
          memory: pool.memory({
            run,
            tasks,
            demonstrationSeeds: new Set(trainingSeeds(suite, config.demonstrations)),
          }),
          keep: state => files.write(RING_FILE, text(state)),
          decided: decided => decisions.note({ at: clock.now(), ...decided }),
          keepWeights: async (mean, version) => {
            // The weights of a model are with its learner: this names them.
            if (isModel) return files.write(PUBLISHED_FILE, mean);
            const weights = vectorIn(mean).data as Float32Array<ArrayBuffer>;
            await files.write(
              WEIGHTS_FILE,
              encodePolicy({
                shape,
                mode: config.mode,
                tasks,
                seed: config.seed,
                weights,
                by: { run, version },
              }),
            );
            await folders.nameLatest(run);
          },
        });
      const all = withProgram(programs, thisProgram());
      live = new LiveRun({ ...options, played }, ring, curves, decisions, early, all, release);
      return live;
    } catch (error) {
      await release();
      throw error;
    }
  }

  state(): RunState {
    const state = this.lifecycle.state();
    if (this.#failure === undefined) return state;
    return { ...state, status: 'failed', message: this.#failure, waiting: [] };
  }

  /** For people who take over one of its desktops. */
  get lending() {
    return { config: this.#options.config, fabric: this.lifecycle.loans };
  }

  look(look: LookRequest): Promise<DesktopViews> {
    return this.lifecycle.look(look);
  }

  hosts(): RunState['hosts'] {
    return this.lifecycle.state().hosts;
  }

  /** The parts of its summary that change. */
  progress(): Pick<RunSummary, 'status' | 'seconds' | 'of' | 'last'> {
    const { status, seconds, of, curve } = this.state();
    const last = curve.findLast(({ split }) => split === 'test');
    return { status, seconds, of, ...(last !== undefined && { last }) };
  }

  /** Resolves when it has ended, after the update in work. A second call does not wait for that update. */
  async stop(): Promise<void> {
    this.lifecycle.stop();
    await this.ended;
  }

  /** For the end of the daemon, which does not wait for an update. */
  async close(): Promise<void> {
    this.lifecycle.stopSoon();
    await this.ended;
  }

  async #live(up: () => void, early: HealthReport[]): Promise<void> {
    await this.#keep();
    const { changed, clock } = this.#options;
    const publishing = this.#every(PUBLISH_INTERVAL_MS, 'updates of the panels', async () =>
      changed(this.state()),
    );
    const noting = this.#every(CURVES_INTERVAL_MS, 'curves', () =>
      this.#curves.take(this.state(), clock.now(), this.lifecycle.measured),
    );
    const logging = this.#every(CURVES_INTERVAL_MS, 'decisions', () => this.#decisions.flush());
    const keeping = this.#every(SAVE_INTERVAL_MS, 'run.json', () => this.#keep());
    const { config, store, played } = this.#options;
    // A model trains on the screens of a trajectory, and they are in its file alone.
    if (config.agent !== COMPACT_AGENT) store.protect(() => new Set([...played, ...this.lifecycle.needed]));
    try {
      const running = this.lifecycle.run(up);
      // The ring listens from now on.
      this.isListening = true;
      for (const report of early.splice(0)) this.lifecycle.health(...report);
      await running;
    } finally {
      store.protect(() => played);
      this.#over.abort();
      await Promise.all([publishing, noting, logging, keeping]);
    }
  }

  async #end(release: () => Promise<void>): Promise<void> {
    const steps = [
      () => this.#curves.take(this.state(), this.#options.clock.now(), this.lifecycle.measured),
      () => this.#curves.close(),
      () => this.#decisions.flush(),
      () => this.#keep(),
      () => this.#files.close(),
      release,
    ];
    // The lock must be released even when a file cannot be written.
    for (const step of steps)
      await step().catch(error => {
        this.#failure ??= messageOf(error);
      });
  }

  /** Errors become problems of the run, and the action is repeated: a full disk may have room later. */
  async #every(milliseconds: number, thing: string, act: () => Promise<void>): Promise<void> {
    const { signal } = this.#over;
    let isHealthy = true;
    while (!signal.aborted) {
      await sleepUnlessAborted(this.#options.clock, milliseconds, signal);
      try {
        await act();
        if (!isHealthy) this.lifecycle.health(thing, true, 'works again');
        isHealthy = true;
      } catch (error) {
        if (isHealthy) this.lifecycle.health(thing, false, `${sentenceOf(error)} Dartboard tries again.`);
        isHealthy = false;
      }
    }
  }

  async #keep(): Promise<void> {
    const { run, config, folders, about } = this.#options;
    const { about: told, message, learner, servers, spent } = this.state();
    await folders.write({
      ...{ run, config, ...this.progress(), about: told, ...about },
      ...(message !== undefined && { message }),
      ...{ learner, servers, spent, programs: this.#programs },
    });
    await this.#files.write(STATE_FILE, text(this.state()));
  }
}

/** Of the weights that chose a stored step of the run. */
async function newestVersion({ index }: TrajectoryStore, run: RunId): Promise<Version | undefined> {
  const newest = { sort: 'newest', descending: true, offset: 0, limit: 1 } as const;
  const { rows } = await index.page({ filter: { run }, ...newest });
  return rows[0]?.newest;
}

const text = (value: unknown): Uint8Array => new TextEncoder().encode(`${JSON.stringify(value)}\n`);

function promised() {
  let resolve = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<void>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  // The state of the run contains the error too.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
