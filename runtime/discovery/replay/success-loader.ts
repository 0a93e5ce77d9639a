// Loads the successes of earlier runs: their list comes from the index, their steps from files, a few at a time. A file that cannot be read
// is reported and skipped.

import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import type { RunId, TrajectoryId } from '../../core/ids.ts';
import type { StoredSuccess } from '../../core/stored-success.ts';
import type { PoolStatus, SuccessSummary } from '../../data/pool/success-selection.ts';
import { unlessClosed } from '../../fabric/channels.ts';
import type { Fabric } from '../../fabric/fabric.ts';

/** The stored successes of a workspace, for one run. */
export interface SuccessStore {
  /** The newest first. */
  summaries(): Promise<readonly SuccessSummary[]>;
  statusOf(id: TrajectoryId): Promise<PoolStatus>;
  /** Undefined when newer ones replaced it meanwhile. */
  load(summary: SuccessSummary): Promise<StoredSuccess | undefined>;
}

/** For a model agent, whose successes are not replayed: none is loaded, but a run keeps its own and hears when a user changes them. */
export const withoutReplays = (memory: SuccessStore): SuccessStore => ({
  summaries: async () => [],
  statusOf: id => memory.statusOf(id),
  load: async () => undefined,
});

interface SuccessLoaderOptions {
  readonly run: RunId;
  readonly memory: SuccessStore;
  readonly fabric: Pick<Fabric, 'recollections' | 'commands' | 'events'>;
  readonly clock: Clock;
}

const isByPerson = ({ trajectory }: StoredSuccess): boolean => trajectory.provenance.kind === 'human';

/** Successes in memory that wait for their replay. */
const MAX_WAITING = 16;
const POLL_INTERVAL_MS = 50;

export class SuccessLoader {
  readonly #options: SuccessLoaderOptions;

  constructor(options: SuccessLoaderOptions) {
    this.#options = options;
  }

  /** Loads all, oldest first, so that the newest remain in a full replay memory; until the signal is aborted. Never rejects. */
  async all(signal: AbortSignal): Promise<void> {
    const { memory, fabric, clock } = this.#options;
    await this.#reported(async () => {
      for (const summary of (await memory.summaries()).toReversed()) {
        while (!signal.aborted && (await fabric.recollections.depth()).waiting >= MAX_WAITING)
          await sleepUnlessAborted(clock, POLL_INTERVAL_MS, signal);
        if (signal.aborted) return;
        await this.#load(summary);
      }
    });
  }

  /** Loads the demonstrations by people again, for a host that replaces another one. Never rejects. */
  async demonstrations(): Promise<void> {
    const { memory } = this.#options;
    await this.#reported(async () => {
      for (const summary of (await memory.summaries()).toReversed())
        if (summary.isMember) await this.#load(summary, isByPerson);
    });
  }

  /** Loads one whose annotations changed: it may have joined or left the pool, or changed there. A run that has ended reads them at its next start. */
  async one(trajectory: TrajectoryId): Promise<void> {
    const { memory, fabric, run } = this.#options;
    const status = await memory.statusOf(trajectory);
    const change = { kind: 'pool', run, trajectory, isMember: status !== 'out' } as const;
    const isTold = (await unlessClosed(fabric.commands.append(change))) !== undefined;
    if (isTold && typeof status === 'object') await this.#load(status);
  }

  /**
   * A scripted demonstration has the same id in each process and run, and may have been rejected or changed before. Never rejects.
   */
  async demonstrated(trajectory: TrajectoryId): Promise<void> {
    await this.#reported(async () => {
      if ((await this.#options.memory.statusOf(trajectory)) !== 'open') await this.one(trajectory);
    });
  }

  #load(summary: SuccessSummary, isWanted: (success: StoredSuccess) => boolean = () => true): Promise<void> {
    const { memory, fabric } = this.#options;
    return this.#reported(async () => {
      const success = await memory.load(summary);
      if (success !== undefined && isWanted(success)) await unlessClosed(fabric.recollections.put(success));
    });
  }

  async #reported(act: () => Promise<void>): Promise<void> {
    const { fabric, clock } = this.#options;
    await act().catch((error: unknown) => {
      const health = { kind: 'health', thing: 'the success pool', healthy: false } as const;
      fabric.events.publish({ module: 'data', at: clock.now(), ...health, message: messageOf(error) });
    });
  }
}
