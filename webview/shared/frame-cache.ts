// Fetches screenshots and caches the most recently used ones. A few requests run at a time; urgent frames are fetched first.

import type { DaemonLink } from './link/link.ts';

/** About 430 frames of 320×240 pixels, or 16 of 1920×1080. */
export const MAX_CACHED_BYTES = 128 * 1024 * 1024;
/** Enough to keep the daemon busy, and few enough that an urgent frame starts soon. */
const MAX_CONCURRENT_REQUESTS = 4;

interface FrameCaller {
  readonly resolve: (picture: ImageBitmap) => void;
  readonly reject: (error: unknown) => void;
}

interface FrameRequest {
  readonly trajectory: string;
  readonly step: number;
  /** Those that have not withdrawn. */
  readonly callers: Set<FrameCaller>;
}

export class FrameCache {
  readonly #link: () => DaemonLink;
  /** In order of use: the first is the least recently used. */
  readonly #cache = new Map<string, ImageBitmap>();
  #cachedBytes = 0;
  readonly #waiting = new Map<string, FrameRequest>();
  readonly #fetching = new Map<string, FrameRequest>();

  constructor(link: () => DaemonLink) {
    this.#link = link;
  }

  /** The frame, if it is cached. */
  cached(trajectory: string, step: number): ImageBitmap | undefined {
    const key = keyOf(trajectory, step);
    const picture = this.#cache.get(key);
    if (picture !== undefined) {
      this.#cache.delete(key);
      this.#cache.set(key, picture);
    }
    return picture;
  }

  /**
   * Urgent requests are fetched first, the latest of them before the others. `signal` withdraws the call: a request that waits is dropped
   * once all its callers have withdrawn.
   */
  get(trajectory: string, step: number, isUrgent: boolean, signal?: AbortSignal): Promise<ImageBitmap> {
    const cached = this.cached(trajectory, step);
    if (cached !== undefined) return Promise.resolve(cached);
    const key = keyOf(trajectory, step);
    const request = this.#fetching.get(key) ??
      this.#waiting.get(key) ?? { trajectory, step, callers: new Set<FrameCaller>() };
    const promise = new Promise<ImageBitmap>((resolve, reject) => {
      const caller = { resolve, reject };
      request.callers.add(caller);
      signal?.addEventListener('abort', () => {
        request.callers.delete(caller);
        if (request.callers.size === 0 && this.#waiting.get(key) === request) this.#waiting.delete(key);
        reject(signal.reason);
      });
    });
    if (!this.#fetching.has(key)) {
      this.#waiting.delete(key);
      if (isUrgent) {
        const others = [...this.#waiting];
        this.#waiting.clear();
        this.#waiting.set(key, request);
        for (const [name, each] of others) this.#waiting.set(name, each);
      } else this.#waiting.set(key, request);
      this.#next(isUrgent);
    }
    return promise;
  }

  #next(isUrgent = false): void {
    const [first] = this.#waiting;
    if (first === undefined || this.#fetching.size >= MAX_CONCURRENT_REQUESTS + Number(isUrgent)) return;
    const [key, request] = first;
    this.#waiting.delete(key);
    this.#fetching.set(key, request);
    this.#fetch(request)
      .then(
        picture => {
          this.#cache.set(key, picture);
          this.#cachedBytes += bytesOf(picture);
          this.#trim();
          for (const { resolve } of request.callers) resolve(picture);
        },
        (error: unknown) => {
          for (const { reject } of request.callers) reject(error);
        },
      )
      .finally(() => {
        this.#fetching.delete(key);
        this.#next();
      });
  }

  async #fetch({ trajectory, step }: FrameRequest): Promise<ImageBitmap> {
    const { bytes } = await this.#link().requestBytes('trajectory.frame', { trajectory, step });
    return createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  }

  /** The newest frame stays, whatever its size. */
  #trim(): void {
    for (const [key, picture] of this.#cache) {
      if (this.#cachedBytes <= MAX_CACHED_BYTES || this.#cache.size === 1) return;
      this.#cache.delete(key);
      this.#cachedBytes -= bytesOf(picture);
      picture.close();
    }
  }
}

/** RGBA. A closed bitmap has no size. */
const bytesOf = ({ width, height }: ImageBitmap): number => 4 * width * height;

const keyOf = (trajectory: string, step: number): string => `${trajectory} ${step}`;
