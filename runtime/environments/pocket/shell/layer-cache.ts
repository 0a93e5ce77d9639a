// Caches the layers of the windows behind the front one. An application's view changes only after input to it or after a
// change of the shared world, so the cache is valid while the arrangement of windows and the shared data are unchanged and
// all input goes to the front window. Whoever sends input to another application calls `clear`.

import type { ChangeDetector } from './change-detector.ts';
import type { Layer } from './scene.ts';
import type { AppWindow, Windows } from './windows.ts';

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
