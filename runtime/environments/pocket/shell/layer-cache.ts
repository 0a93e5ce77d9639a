// Caches the layers of the windows behind the front one. An application's view changes only after input to it or after a
// change of the shared world, so the cache is valid while the arrangement of windows and the shared data are unchanged and
// all input goes to the front window. Whoever sends input to another application calls `clear`.

import type { Layer } from './scene.ts';
import type { AppWindow, Windows } from './windows.ts';

/** Marks the end of an object; equal to no value of plain data. */
const END = Symbol('end');

export class ChangeDetector {
  /** The data of the last call, flat: each object, then its keys and values in order. */
  #previous: unknown[] = [];
  #position = 0;

  constructor(private readonly data: object) {}

  /** True if anything changed since the last call, and on the first call. */
  changed(): boolean {
    this.#position = 0;
    if (this.#same(this.data)) return false;
    this.#previous = [];
    this.#write(this.data);
    return true;
  }

  #same(value: unknown): boolean {
    if (this.#previous[this.#position++] !== value) return false;
    if (typeof value !== 'object' || value === null) return true;
    for (const key in value) {
      if (this.#previous[this.#position++] !== key || !this.#same(value[key as keyof typeof value]))
        return false;
    }
    return this.#previous[this.#position++] === END;
  }

  #write(value: unknown): void {
    this.#previous.push(value);
    if (typeof value !== 'object' || value === null) return;
    for (const key in value) {
      this.#previous.push(key);
      this.#write(value[key as keyof typeof value]);
    }
    this.#previous.push(END);
  }
}

export class LayerCache {
  readonly #layers = new Map<AppWindow, readonly Layer[]>();
  #arrangement = 0;

  constructor(
    private readonly windows: Windows,
    private readonly shared: ChangeDetector,
  ) {}

  clear(): void {
    this.#layers.clear();
  }

  /** Starts a scene: drops the cache if it is stale. */
  begin(): void {
    const { visible, arrangement } = this.windows;
    const isSame = arrangement === this.#arrangement;
    this.#arrangement = arrangement;
    // A single window has nothing behind it, so the shared data need not be compared.
    if (visible.length < 2 || this.shared.changed() || !isSame) this.clear();
  }

  layersOf(window: AppWindow, describe: () => readonly Layer[]): readonly Layer[] {
    if (window === this.windows.active) return describe();
    const layers = this.#layers.get(window) ?? describe();
    this.#layers.set(window, layers);
    return layers;
  }
}
