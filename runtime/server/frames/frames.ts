// The pictures of trajectories, as somebody wants to see them: kept ones from their files, others drawn again. All of a trajectory are
// made one after another, each shown as soon as it is there, and kept for a while, so that the next step is there at once.
//
// Law: one trajectory is made at a time; of those that are waited for, the one that was asked for last comes first; what nobody waits
// for any more is not made.

import type { TrajectoryId } from '../../core/ids.ts';
import type { Element } from '../../core/screen.ts';

export interface Picture {
  /** As a PNG. */
  readonly image: Uint8Array;
  /** Undefined where they are not known. */
  readonly elements: readonly Element[] | undefined;
}

/** All pictures of one trajectory, some of which may still be made. */
export interface Film {
  /** One more than steps. */
  readonly pictures: readonly Promise<Picture>[];
  /** Why they are not, or may not be, what was seen; undefined where they are just that. */
  readonly doubt: string | undefined;
  /** Why it was judged as it was, in words; undefined where only the evaluator's own reason is known. After the last picture. */
  readonly reasons: Promise<string | undefined>;
}

export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** Weighs more than its picture does, with all that is known of it. */
const ELEMENT_BYTES = 300;
/** Some hundred episodes of the pocket desktop. */
const MOST_BYTES = 64 * 2 ** 20;

interface Waiting {
  readonly resolve: (film: Film) => void;
  readonly reject: (error: unknown) => void;
}

export class Frames {
  readonly #make: (id: TrajectoryId) => Promise<Film>;
  readonly #mostBytes: number;
  /** What was looked at last stands last. */
  readonly #films = new Map<TrajectoryId, Film>();
  readonly #sizes = new Map<TrajectoryId, number>();
  /** Whoever waits for it; what was asked for last stands last. */
  readonly #wanted = new Map<TrajectoryId, Set<Waiting>>();
  #isMaking = false;

  constructor(make: (id: TrajectoryId) => Promise<Film>, mostBytes = MOST_BYTES) {
    this.#make = make;
    this.#mostBytes = mostBytes;
  }

  /** Resolves as soon as its pictures begin to be there. Rejects with Superseded if the signal is aborted before that. */
  async of(id: TrajectoryId, signal?: AbortSignal): Promise<Film> {
    const known = this.#films.get(id);
    if (known !== undefined) {
      this.#films.delete(id);
      this.#films.set(id, known);
      return known;
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { resolve, reject };
      const all = this.#wanted.get(id) ?? new Set<Waiting>();
      this.#wanted.delete(id);
      this.#wanted.set(id, all.add(waiting));
      signal?.addEventListener('abort', () => {
        all.delete(waiting);
        if (all.size === 0 && this.#wanted.get(id) === all) this.#wanted.delete(id);
        reject(new Superseded(`The pictures of ${id} are not waited for any more.`));
      });
      this.#next();
    });
  }

  #next(): void {
    const id = [...this.#wanted.keys()].at(-1);
    if (this.#isMaking || id === undefined) return;
    this.#isMaking = true;
    this.#made(id).finally(() => {
      this.#isMaking = false;
      this.#next();
    });
  }

  /** Resolves when all of it is there; never rejects. */
  async #made(id: TrajectoryId): Promise<void> {
    try {
      const film = await this.#make(id);
      this.#films.set(id, film);
      for (const { resolve } of this.#taken(id)) resolve(film);
      this.#keep(id, await bytesOf(film));
    } catch (error) {
      this.#films.delete(id);
      for (const { reject } of this.#taken(id)) reject(error);
    }
  }

  #taken(id: TrajectoryId): ReadonlySet<Waiting> {
    const all = this.#wanted.get(id) ?? new Set();
    this.#wanted.delete(id);
    return all;
  }

  #keep(id: TrajectoryId, bytes: number): void {
    this.#sizes.set(id, bytes);
    for (const oldest of this.#films.keys()) {
      const all = [...this.#sizes.values()].reduce((sum, each) => sum + each, 0);
      if (all <= this.#mostBytes || oldest === id) return;
      this.#films.delete(oldest);
      this.#sizes.delete(oldest);
    }
  }
}

async function bytesOf({ pictures, reasons }: Film): Promise<number> {
  const all = await Promise.all(pictures);
  await reasons;
  return all.reduce(
    (sum, { image, elements = [] }) => sum + image.length + ELEMENT_BYTES * elements.length,
    0,
  );
}
