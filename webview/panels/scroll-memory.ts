// Restores the scroll position of a panel when the user returns to it or reloads, once the panel is long enough.

import type { PanelName } from '../../runtime/protocol/panels.ts';
import type { PageHost } from '../shared/host.ts';

const STORAGE_KEY = 'scrolled';
/** Stored after this time without scrolling. */
const STORE_DELAY_MS = 200;

export class ScrollMemory {
  readonly #stage: HTMLElement;
  readonly #host: Pick<PageHost, 'read' | 'keep'>;
  readonly #tops: Map<string, number>;
  readonly #resizeObserver = new ResizeObserver(() => this.#restore());
  #panel: PanelName | undefined;
  /** The position to restore, until it is reached or the user scrolls. */
  #target: number | undefined;
  #storeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(stage: HTMLElement, host: Pick<PageHost, 'read' | 'keep'>) {
    this.#stage = stage;
    this.#host = host;
    this.#tops = parseTops(host.read(STORAGE_KEY));
    stage.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    for (const kind of ['wheel', 'pointerdown', 'keydown'])
      stage.addEventListener(kind, () => this.#stopRestoring(), { passive: true });
    // A reload may come before the delay is over.
    addEventListener('pagehide', () => this.#store());
  }

  entered(panel: PanelName, element: HTMLElement): void {
    this.#panel = panel;
    this.#target = this.#tops.get(panel) ?? 0;
    this.#resizeObserver.disconnect();
    this.#resizeObserver.observe(element);
    this.#restore();
  }

  #restore(): void {
    if (this.#target === undefined) return;
    this.#stage.scrollTop = this.#target;
    if (Math.abs(this.#stage.scrollTop - this.#target) <= 1) this.#target = undefined;
  }

  #stopRestoring(): void {
    this.#target = undefined;
  }

  #scrolled(): void {
    // The browser moved the page because its content is still too short.
    if (this.#panel === undefined || this.#target !== undefined) return;
    this.#tops.set(this.#panel, this.#stage.scrollTop);
    clearTimeout(this.#storeTimer);
    this.#storeTimer = setTimeout(() => this.#store(), STORE_DELAY_MS);
  }

  #store(): void {
    clearTimeout(this.#storeTimer);
    this.#host.keep(STORAGE_KEY, Object.fromEntries(this.#tops));
  }
}

const parseTops = (stored: unknown): Map<string, number> =>
  new Map(
    Object.entries(typeof stored === 'object' && stored !== null ? stored : {}).flatMap(([panel, top]) =>
      typeof top === 'number' ? [[panel, top] as const] : [],
    ),
  );
