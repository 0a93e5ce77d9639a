// Screenshots as they were fetched: what was looked at lately is kept, few are asked for at a time, and what is looked at comes
// before what only might be.

import type { DaemonLink } from './link/link.ts';

/** About 100 MB of pictures of 320 × 240 pixels would be 330; real desktops have larger ones. */
const MOST_KEPT = 240;
/** Enough to keep the daemon busy, few enough that what is wanted next never waits long. */
const AT_ONCE = 4;

interface Wanted {
  readonly trajectory: string;
  readonly step: number;
  readonly answers: ((picture: ImageBitmap) => void)[];
  readonly fails: ((error: unknown) => void)[];
}

export class Frames {
  readonly #link: () => DaemonLink;
  /** The one that was used longest ago is the first. */
  readonly #kept = new Map<string, ImageBitmap>();
  readonly #waiting = new Map<string, Wanted>();
  readonly #asked = new Map<string, Wanted>();

  constructor(link: () => DaemonLink) {
    this.#link = link;
  }

  /** Without waiting, where it is there. */
  known(trajectory: string, step: number): ImageBitmap | undefined {
    const key = keyOf(trajectory, step);
    const picture = this.#kept.get(key);
    if (picture !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, picture);
    }
    return picture;
  }

  /** The newest that is urgent comes first, then the rest in their order. */
  get(trajectory: string, step: number, isUrgent: boolean): Promise<ImageBitmap> {
    const known = this.known(trajectory, step);
    if (known !== undefined) return Promise.resolve(known);
    const key = keyOf(trajectory, step);
    const wanted = this.#asked.get(key) ??
      this.#waiting.get(key) ?? { trajectory, step, answers: [], fails: [] };
    const promise = new Promise<ImageBitmap>((resolve, reject) => {
      wanted.answers.push(resolve);
      wanted.fails.push(reject);
    });
    if (!this.#asked.has(key)) {
      this.#waiting.delete(key);
      if (isUrgent) {
        const others = [...this.#waiting];
        this.#waiting.clear();
        this.#waiting.set(key, wanted);
        for (const [name, each] of others) this.#waiting.set(name, each);
      } else this.#waiting.set(key, wanted);
      this.#next(isUrgent);
    }
    return promise;
  }

  /** Nobody looks at these any more. */
  forget(trajectory: string): void {
    for (const [key, wanted] of this.#waiting) {
      if (wanted.trajectory !== trajectory) continue;
      this.#waiting.delete(key);
      for (const fail of wanted.fails) fail(new Error('Nobody looks at it any more.'));
    }
  }

  #next(isUrgent = false): void {
    const [first] = this.#waiting;
    if (first === undefined || this.#asked.size >= AT_ONCE + Number(isUrgent)) return;
    const [key, wanted] = first;
    this.#waiting.delete(key);
    this.#asked.set(key, wanted);
    this.#fetch(wanted)
      .then(
        picture => {
          this.#kept.set(key, picture);
          this.#trim();
          for (const answer of wanted.answers) answer(picture);
        },
        (error: unknown) => {
          for (const fail of wanted.fails) fail(error);
        },
      )
      .finally(() => {
        this.#asked.delete(key);
        this.#next();
      });
  }

  async #fetch({ trajectory, step }: Wanted): Promise<ImageBitmap> {
    const { bytes } = await this.#link().requestBytes('trajectory.frame', { trajectory, step });
    return createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  }

  #trim(): void {
    for (const [key, picture] of this.#kept) {
      if (this.#kept.size <= MOST_KEPT) return;
      this.#kept.delete(key);
      picture.close();
    }
  }
}

const keyOf = (trajectory: string, step: number): string => `${trajectory} ${step}`;
