// A run that trains in this process: its ring, and what of it is kept in its folder while it goes and when it ends.

import { join } from 'node:path';
import { vectorIn } from '../agent/blob.ts';
import { COMPACT, type NetworkShape } from '../agent/network.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import type { RunId, TrajectoryId } from '../core/ids.ts';
import type { Noted } from '../data/decision-log.ts';
import { DurableFolder } from '../data/files/durable.ts';
import { RotatingLog } from '../data/files/rotating-log.ts';
import type { SuccessPool } from '../data/pool/pool.ts';
import type { TrajectoryStore } from '../data/store.ts';
import { demonstrationSeeds } from '../environments/suite.ts';
import type { RunState } from '../protocol/daemon/state.ts';
import { CurveFiles } from '../run/curves/curve-files.ts';
import type { Found, Look } from '../run/desktop-viewers.ts';
import type { Entries } from '../run/modules.ts';
import { encodePolicy } from '../run/policy-file.ts';
import { Ring } from '../run/ring.ts';
import { WEIGHTS_FILE } from '../run/run-folder.ts';
import { CHECKPOINTS, DECISIONS_FILE, RING_FILE, type RunFolders, STATE_FILE } from '../run/run-folders.ts';
import { openSuite, tasksOf } from '../run/suite.ts';
import { CheckpointFolder } from '../trainer/checkpoint-folder.ts';
import { readSavedRun, type SavedRun } from './saved-run.ts';

export interface LiveRunOptions {
  readonly run: RunId;
  readonly config: Config;
  readonly entries: Entries;
  readonly about: { readonly startedAt: number; readonly from?: string };
  readonly folders: RunFolders;
  readonly store: TrajectoryStore;
  readonly pool: SuccessPool;
  readonly changed: (state: RunState) => void;
  readonly clock: Clock;
}

/** Milliseconds. */
const SHOWN_EVERY = 250;
const NOTED_EVERY = 1000;
const KEPT_EVERY = 5000;

export class LiveRun {
  readonly run: RunId;
  /** Rejects where its modules do not start; resolves as well where it is stopped before they have. */
  readonly up: Promise<void>;
  /** Never rejects: how it ended is in its state. */
  readonly ended: Promise<void>;
  readonly #options: LiveRunOptions;
  readonly #ring: Ring;
  readonly #files: DurableFolder;
  readonly #decisions: RotatingLog<Noted>;
  readonly #curves: CurveFiles;
  readonly #over = new AbortController();
  #failure: string | undefined;

  private constructor(
    options: LiveRunOptions,
    ring: (files: DurableFolder) => Ring,
    curves: CurveFiles,
    decisions: RotatingLog<Noted>,
    lost: SavedRun['lost'],
    unlock: () => Promise<void>,
  ) {
    this.run = options.run;
    this.#options = options;
    this.#files = new DurableFolder(options.folders.path(options.run));
    this.#ring = ring(this.#files);
    this.#curves = curves;
    this.#decisions = decisions;
    const { promise: up, resolve, reject } = promised();
    this.up = up;
    this.ended = this.#live(resolve, lost)
      // Who waits for it to be up does so no longer, where it was stopped before.
      .then(resolve)
      .catch(error => {
        this.#failure = messageOf(error);
        reject(error);
      })
      .then(() => this.#end(unlock));
  }

  static async open(options: LiveRunOptions): Promise<LiveRun> {
    const { run, config, folders, store, pool, entries, about, clock } = options;
    const unlock = await folders.lock(run, clock.now());
    try {
      const suite = await openSuite(config);
      const tasks = tasksOf(config, suite);
      const shape: NetworkShape = { ...COMPACT, pixels: config.mode !== 'a11y_tree' };
      const folder = folders.path(run);
      const { seconds = 0 } = (await folders.read(run)) ?? {};
      const { state: saved, lost } = await readSavedRun({ folder, config, suite, tasks, seconds });
      const hasWeights = (await new CheckpointFolder(join(folder, CHECKPOINTS)).newest()) !== undefined;
      const curves = await CurveFiles.open(folder, clock.now(), saved?.curve.length ?? 0);
      const decisions = new RotatingLog<Noted>(join(folder, DECISIONS_FILE));
      const ring = (files: DurableFolder) =>
        new Ring({
          ...{ run, config, suite, tasks, shape, entries, folder, clock, startedAt: about.startedAt },
          hasWeights,
          ...(saved !== undefined && { saved }),
          keeps: { keep: trajectory => store.ingest(trajectory) },
          memory: pool.memory({
            run,
            tasks,
            shown: new Set(demonstrationSeeds(suite, config.demonstrations)),
          }),
          keep: state => files.write(RING_FILE, text(state)),
          decided: decided => decisions.note({ at: clock.now(), ...decided }),
          keepWeights: async (mean, version) => {
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
      return new LiveRun(options, ring, curves, decisions, lost, unlock);
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  state(): RunState {
    const state = this.#ring.state();
    if (this.#failure === undefined) return state;
    return { ...state, status: 'failed', message: this.#failure, waiting: [] };
  }

  pause(): Promise<void> {
    return this.#ring.pause();
  }

  continue(): Promise<void> {
    return this.#ring.continue();
  }

  judge(trajectory: TrajectoryId, success: boolean | null, who: string): Promise<void> {
    return this.#ring.judge(trajectory, success, who);
  }

  look(look: Look): Promise<Found> {
    return this.#ring.look(look);
  }

  /** What was said of a trajectory may concern the success pool. */
  poolChanged(trajectory: TrajectoryId): Promise<void> {
    return this.#ring.poolChanged(trajectory);
  }

  /** Resolves when it has ended. */
  async stop(): Promise<void> {
    this.#ring.stop();
    await this.ended;
  }

  async #live(up: () => void, lost: SavedRun['lost']): Promise<void> {
    await this.#keep();
    const { changed, clock } = this.#options;
    const showing = this.#every(SHOWN_EVERY, 'who watches the run', async () => changed(this.state()));
    const noting = this.#every(NOTED_EVERY, 'curves', () => this.#curves.take(this.state(), clock.now()));
    const logging = this.#every(NOTED_EVERY, 'decisions', () => this.#decisions.flush());
    const keeping = this.#every(KEPT_EVERY, 'the file of the run', () => this.#keep());
    try {
      const running = this.#ring.run(up);
      // The ring listens from now on.
      if (lost !== undefined) this.#ring.health('the state of the run', false, lost);
      await running;
    } finally {
      this.#over.abort();
      await Promise.all([showing, noting, logging, keeping]);
    }
  }

  async #end(unlock: () => Promise<void>): Promise<void> {
    const steps = [
      () => this.#curves.take(this.state(), this.#options.clock.now()),
      () => this.#curves.close(),
      () => this.#decisions.flush(),
      () => this.#keep(),
      () => this.#files.close(),
      unlock,
    ];
    // Whatever cannot be kept, others must be able to take the run.
    for (const step of steps)
      await step().catch(error => {
        this.#failure ??= messageOf(error);
      });
  }

  /** What goes wrong is told and tried again: a full disk may have room later, and training goes on meanwhile. */
  async #every(milliseconds: number, thing: string, act: () => Promise<void>): Promise<void> {
    const { signal } = this.#over;
    let isWell = true;
    while (!signal.aborted) {
      await this.#options.clock.sleep(milliseconds, signal).catch(() => undefined);
      try {
        await act();
        if (!isWell) this.#ring.health(thing, true, 'works again');
        isWell = true;
      } catch (error) {
        if (isWell) this.#ring.health(thing, false, `${messageOf(error)} It is tried again.`);
        isWell = false;
      }
    }
  }

  async #keep(): Promise<void> {
    const { run, config, folders, about } = this.#options;
    const { status, seconds, of, about: told, curve, message } = this.state();
    const last = curve.findLast(({ split }) => split === 'test');
    await folders.write({
      ...{ run, config, status, seconds, of, about: told, ...about },
      ...(last !== undefined && { last }),
      ...(message !== undefined && { message }),
    });
    await this.#files.write(STATE_FILE, text(this.state()));
  }
}

const text = (value: unknown): Uint8Array => new TextEncoder().encode(`${JSON.stringify(value)}\n`);

function promised() {
  let resolve = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<void>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  // Whoever does not wait for it learns it by how it ended.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
