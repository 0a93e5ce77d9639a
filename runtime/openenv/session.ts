// One session of a client: at most one episode at a time, on a desktop that it leases for this episode. Knows nothing of sockets.

import * as z from 'zod';
import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import type { Desktop, Lease, Lender } from '../core/desktop.ts';
import { failureOf } from '../core/failure.ts';
import { SPLITS, type Suite, TIERS } from '../environments/suite.ts';
import { parseActionRequest, requestedActions } from './action-request.ts';
import { ServedEpisode } from './episode.ts';
import type { ObservationMode, ServedObservation } from './observation.ts';
import { type ChosenInstance, chooseInstance, parseReset } from './reset-request.ts';
import { ServedError, type ServedStep } from './wire.ts';

/** The client gives up after 60 s, and the reset of the desktop takes a part of these. */
export const LEASE_TIMEOUT_MS = 30_000;

export interface OpenEnvSessionOptions {
  readonly suite: Suite;
  readonly desktops: Lender & {
    /** Why no desktop will soon be free; undefined if one is free or starts. */
    unavailable(): string | undefined;
  };
  /** Of resets that do not name one. */
  readonly observation: ObservationMode;
  readonly clock: Clock;
  /** A random seed of 32 bits. */
  readonly drawSeed: () => number;
  readonly newId: () => string;
}

const empty = z.null();

export const stateSchema = z.strictObject({
  episode_id: z.union([z.string(), empty]).describe('Null before the first reset.'),
  step_count: z.int().min(0).describe("The steps of the task's limit that were used."),
  task_id: z.union([z.string(), empty]),
  seed: z.union([z.int(), empty]).describe('With the task and the split, it selects this instance again.'),
  split: z.union([z.enum(SPLITS), empty]),
  tier: z.union([...TIERS.map(tier => z.literal(tier)), empty]),
  instruction: z.union([z.string(), empty]),
  max_steps: z.union([z.int(), empty]),
  done: z.boolean(),
  score: z.union([z.number(), empty]).describe('Null until the episode was judged.'),
});
export type SessionState = z.infer<typeof stateSchema>;

const NO_EPISODE: SessionState = {
  ...{ episode_id: null, step_count: 0, task_id: null, seed: null, split: null, tier: null },
  ...{ instruction: null, max_steps: null, done: false, score: null },
};

interface RunningEpisodeOfSession {
  readonly id: string;
  readonly chosen: ChosenInstance;
  readonly episode: ServedEpisode;
}

/** Calls do not overlap, except `close`. Calls throw a ServedError. */
export class OpenEnvSession {
  readonly #options: OpenEnvSessionOptions;
  readonly #closed = new AbortController();
  #lease: Lease | undefined;
  #current: RunningEpisodeOfSession | undefined;
  /** Why there is no episode after a failure. */
  #failure: string | undefined;
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: OpenEnvSessionOptions) {
    this.#options = options;
  }

  reset(data: Readonly<Record<string, unknown>>, at?: readonly string[]): Promise<ServedStep> {
    return this.#during(async () => {
      const { suite, drawSeed, newId, observation } = this.#options;
      const request = parseReset(data, at);
      const chosen = chooseInstance(suite, request, drawSeed());
      this.#endEpisode();
      const desktop = await this.#leaseDesktop();
      const started = await this.#guarded(desktop, () =>
        ServedEpisode.start(
          ...([desktop, suite.task(chosen.task, chosen.instance), chosen.instance] as const),
          request.observation ?? observation,
        ),
      );
      this.#current = { id: request.episode_id ?? newId(), chosen, episode: started.episode };
      return this.#stepOf(this.#current, started.observation);
    });
  }

  step(data: Readonly<Record<string, unknown>>, at?: readonly string[]): Promise<ServedStep> {
    return this.#during(async () => {
      const request = parseActionRequest(data, at);
      const current = this.#running();
      const { episode } = current;
      const actions = requestedActions(request, episode.screenSize, episode.pointer);
      const observation = await this.#guarded(this.#lease?.desktop, () => episode.perform(actions));
      // Another episode may use the desktop while the client trains.
      if (episode.end !== undefined) this.#releaseDesktop();
      return this.#stepOf(current, observation);
    });
  }

  state(): SessionState {
    if (this.#current === undefined) return NO_EPISODE;
    const { id, chosen, episode } = this.#current;
    const { task, seed, split, tier } = chosen;
    return {
      ...{ episode_id: id, step_count: episode.steps, task_id: task, seed, split, tier },
      ...{ instruction: episode.instruction, max_steps: episode.maxSteps },
      ...{ done: episode.end !== undefined, score: episode.end?.verdict.score ?? null },
    };
  }

  /** Returns the desktop after the running call, because calls of a desktop do not overlap. Never rejects. */
  async close(): Promise<void> {
    this.#closed.abort(new ServedError('SESSION_ERROR', 'The session was closed.'));
    await this.#work;
    this.#endEpisode();
  }

  async #during<T>(call: () => Promise<T>): Promise<T> {
    this.#closed.signal.throwIfAborted();
    const work = call();
    // Its caller gets the error.
    this.#work = work.catch(() => undefined);
    return work;
  }

  #running(): RunningEpisodeOfSession {
    if (this.#current === undefined) {
      const why =
        this.#failure === undefined ? 'No episode is running.' : `No episode is running: ${this.#failure}`;
      throw new ServedError('EXECUTION_ERROR', `${why} Send a reset first.`);
    }
    if (this.#current.episode.end !== undefined)
      throw new ServedError('EXECUTION_ERROR', 'The episode is over. Send a reset to begin another one.');
    return this.#current;
  }

  async #leaseDesktop(): Promise<Desktop> {
    const { desktops, clock } = this.#options;
    const why = desktops.unavailable();
    if (why !== undefined) throw new ServedError('CAPACITY_REACHED', why);
    const settled = new AbortController();
    const stop = AbortSignal.any([this.#closed.signal, settled.signal]);
    const late = new ServedError(
      'CAPACITY_REACHED',
      `No desktop was ready within ${LEASE_TIMEOUT_MS / 1000} s: it is being replaced. Send the reset again.`,
    );
    void sleepUnlessAborted(clock, LEASE_TIMEOUT_MS, settled.signal).then(() => settled.abort(late));
    try {
      this.#lease = await desktops.lease(stop);
    } finally {
      settled.abort();
    }
    if (this.#closed.signal.aborted) {
      this.#releaseDesktop();
      throw this.#closed.signal.reason;
    }
    return this.#lease.desktop;
  }

  /**
   * A failed call leaves the desktop in an unknown state: the pool replaces or resets it, and the client needs another reset. A reset whose
   * provider fails, such as an engine of containers that is away, has got no desktop.
   */
  async #guarded<T>(desktop: Desktop | undefined, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      const { message, boundary, thing } = failureOf(error, 'environment', desktop?.id ?? 'desktop');
      const isReset = this.#current === undefined;
      this.#endEpisode();
      this.#failure = `${boundary} ${thing}: ${message}`;
      const code = isReset && boundary === 'provider' ? 'CAPACITY_REACHED' : 'EXECUTION_ERROR';
      throw new ServedError(code, this.#failure, {}, { cause: error });
    }
  }

  #stepOf({ chosen, episode }: RunningEpisodeOfSession, observation: ServedObservation): ServedStep {
    const { end, steps, maxSteps } = episode;
    const { task, seed, split } = chosen;
    return {
      observation,
      reward: end?.verdict.score ?? 0,
      done: end !== undefined,
      metadata: {
        ...{ task_id: task, seed, split, step_count: steps, max_steps: maxSteps },
        ...(end !== undefined && { ending: end.ending, verdict: end.verdict.why }),
      },
    };
  }

  #endEpisode(): void {
    this.#current = undefined;
    this.#failure = undefined;
    this.#releaseDesktop();
  }

  #releaseDesktop(): void {
    this.#lease?.release();
    this.#lease = undefined;
  }
}
