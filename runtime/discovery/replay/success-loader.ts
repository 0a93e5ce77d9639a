// Hands a run the successes that it goes on from: what is known of them comes from the index, the rest from their files, a few at a time
// and beside everything else. Where a file cannot be read, the others still come, and a run can do without all of them.

import type { Clock } from '../../core/clock.ts';
import type { RunId, TrajectoryId } from '../../core/ids.ts';
import type { StoredSuccess } from '../../core/stored-success.ts';
import type { PoolStatus, SuccessSummary } from '../../data/pool/success-selection.ts';
import type { Fabric } from '../../fabric/fabric.ts';

/** What is stored of a workspace, for one run. */
export interface SuccessStore {
  /** The newest first. */
  known(): Promise<readonly SuccessSummary[]>;
  standing(id: TrajectoryId): Promise<PoolStatus>;
  /** Undefined where it gave way to newer ones meanwhile. */
  recollection(known: SuccessSummary): Promise<StoredSuccess | undefined>;
}

interface RememberingOptions {
  readonly run: RunId;
  readonly memory: SuccessStore;
  readonly fabric: Pick<Fabric, 'recollections' | 'commands' | 'events'>;
  readonly clock: Clock;
}

/** So many wait to be seen again: they are in memory. */
const AHEAD = 16;
/** Milliseconds. */
const LOOK_EVERY = 50;

export class SuccessLoader {
  readonly #options: RememberingOptions;

  constructor(options: RememberingOptions) {
    this.#options = options;
  }

  /** All that is stored, until the signal. Never rejects. */
  async all(signal: AbortSignal): Promise<void> {
    const { memory, fabric, clock } = this.#options;
    await this.#told(async () => {
      for (const known of await memory.known()) {
        while (!signal.aborted && (await fabric.recollections.depth()).waiting >= AHEAD)
          await clock.sleep(LOOK_EVERY, signal).catch(() => undefined);
        if (signal.aborted) return;
        await this.#handOver(known);
      }
    });
  }

  /** One of which somebody said something just now: it may belong to the pool since then, be changed there, or belong no more. */
  async one(trajectory: TrajectoryId): Promise<void> {
    const { memory, fabric, run } = this.#options;
    const standing = await memory.standing(trajectory);
    await fabric.commands.append({ kind: 'pool', run, trajectory, isMember: standing !== 'out' });
    if (typeof standing === 'object') await this.#handOver(standing);
  }

  #handOver(known: SuccessSummary): Promise<void> {
    const { memory, fabric } = this.#options;
    return this.#told(async () => {
      const recollection = await memory.recollection(known);
      if (recollection !== undefined) await fabric.recollections.put(recollection);
    });
  }

  async #told(act: () => Promise<void>): Promise<void> {
    const { fabric, clock } = this.#options;
    await act().catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      const health = { kind: 'health', thing: 'the success pool', healthy: false, message } as const;
      fabric.events.publish({ module: 'data', at: clock.now(), ...health });
    });
  }
}
