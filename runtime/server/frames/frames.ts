// Provides the pictures of trajectories, from their files or redrawn, and caches them. All pictures of a trajectory are made in order, and each
// is available as soon as it is ready.
//
// Invariants: one trajectory is made at a time; the latest request comes first.

import type { TrajectoryId } from '../../core/ids.ts';
import type { Element } from '../../core/screen.ts';
import { sum } from '../../core/sum.ts';

export interface FramePicture {
  /** As a PNG. */
  readonly image: Uint8Array;
  /** Undefined when they were not stored. */
  readonly elements: readonly Element[] | undefined;
}

/** The pictures of one trajectory. Some may not be ready. */
export interface FrameSequence {
  /** One more than there are steps. */
  readonly pictures: readonly Promise<FramePicture>[];
  /** Why the pictures may differ from the original screens; undefined when they do not. */
  readonly doubt: string | undefined;
  /** The explanation of the verdict in words, after the last picture; undefined when only the evaluator's reason is known. */
  readonly reasons: Promise<string | undefined>;
}

/** The memory of an element. */
const ELEMENT_BYTES = 300;
/** About 300 episodes of the pocket desktop. */
const MAX_CACHE_BYTES = 64 * 2 ** 20;

interface FramesRequest {
  readonly resolve: (sequence: FrameSequence) => void;
  readonly reject: (error: unknown) => void;
}

export class DaemonFrameCache {
  readonly #make: (id: TrajectoryId) => Promise<FrameSequence>;
  readonly #maxBytes: number;
  /** In the order of their last use. */
  readonly #sequences = new Map<TrajectoryId, FrameSequence>();
  readonly #sizes = new Map<TrajectoryId, number>();
  /** In the order of their last request. */
  readonly #requests = new Map<TrajectoryId, readonly FramesRequest[]>();
  #isMaking = false;

  constructor(make: (id: TrajectoryId) => Promise<FrameSequence>, maxBytes = MAX_CACHE_BYTES) {
    this.#make = make;
    this.#maxBytes = maxBytes;
  }

  /** Resolves when the first picture is being made. */
  async of(id: TrajectoryId): Promise<FrameSequence> {
    const known = this.#sequences.get(id);
    if (known !== undefined) {
      this.#sequences.delete(id);
      this.#sequences.set(id, known);
      return known;
    }
    return new Promise((resolve, reject) => {
      const all = this.#requests.get(id) ?? [];
      this.#requests.delete(id);
      this.#requests.set(id, [...all, { resolve, reject }]);
      this.#next();
    });
  }

  #next(): void {
    const id = [...this.#requests.keys()].at(-1);
    if (this.#isMaking || id === undefined) return;
    this.#isMaking = true;
    this.#made(id).finally(() => {
      this.#isMaking = false;
      this.#next();
    });
  }

  /** Resolves when all pictures are ready; never rejects. */
  async #made(id: TrajectoryId): Promise<void> {
    try {
      const sequence = await this.#make(id);
      this.#sequences.set(id, sequence);
      for (const { resolve } of this.#taken(id)) resolve(sequence);
      this.#keep(id, await bytesOf(sequence));
    } catch (error) {
      this.#sequences.delete(id);
      for (const { reject } of this.#taken(id)) reject(error);
    }
  }

  #taken(id: TrajectoryId): readonly FramesRequest[] {
    const all = this.#requests.get(id) ?? [];
    this.#requests.delete(id);
    return all;
  }

  #keep(id: TrajectoryId, bytes: number): void {
    this.#sizes.set(id, bytes);
    for (const oldest of this.#sequences.keys()) {
      const all = sum([...this.#sizes.values()]);
      if (all <= this.#maxBytes || oldest === id) return;
      this.#sequences.delete(oldest);
      this.#sizes.delete(oldest);
    }
  }
}

async function bytesOf({ pictures, reasons }: FrameSequence): Promise<number> {
  const all = await Promise.all(pictures);
  await reasons;
  return all.reduce(
    (sum, { image, elements = [] }) => sum + image.length + ELEMENT_BYTES * elements.length,
    0,
  );
}
