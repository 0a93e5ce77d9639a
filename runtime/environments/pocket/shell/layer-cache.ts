// What is shown of the windows behind the one in front, kept while it must be the same. An application changes when it is
// asked something, or when what all applications share changes. So as long as the windows stand as they stood, the shared
// data is as it was, and only the application in front was asked, the others need not be described again. Who asks
// another one has to say so: `forget`.

import type { ChangeDetector } from './change-detector.ts';
import type { Layer } from './scene.ts';
import type { AppWindow, Windows } from './windows.ts';

export class LayerCache {
  readonly #windows: Windows;
  readonly #shared: ChangeDetector;
  readonly #layers = new Map<AppWindow, readonly Layer[]>();
  #arrangement = 0;

  constructor(windows: Windows, shared: ChangeDetector) {
    this.#windows = windows;
    this.#shared = shared;
  }

  forget(): void {
    this.#layers.clear();
  }

  /** To be called before the first of a scene's windows is asked for. */
  begin(): void {
    const { visible, arrangement } = this.#windows;
    const stand = arrangement === this.#arrangement;
    this.#arrangement = arrangement;
    // With one window open there is nothing behind it to be kept, and the shared data is not looked at.
    if (visible.length < 2 || this.#shared.changed() || !stand) this.forget();
  }

  layersOf(window: AppWindow, describe: () => readonly Layer[]): readonly Layer[] {
    if (window === this.#windows.active) return describe();
    const layers = this.#layers.get(window) ?? describe();
    this.#layers.set(window, layers);
    return layers;
  }
}
