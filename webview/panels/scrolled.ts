// How far each panel was scrolled: coming back to one, or after a reload, one is there again, as soon as enough of it is there.

import type { PanelName } from '../../runtime/protocol/panels.ts';
import type { Host } from '../shared/host.ts';

const KEPT = 'scrolled';
/** Milliseconds without scrolling after which it is kept. */
const REST = 200;

export class Scrolled {
  readonly #stage: HTMLElement;
  readonly #host: Pick<Host, 'read' | 'keep'>;
  readonly #tops: Map<string, number>;
  readonly #grown = new ResizeObserver(() => this.#reach());
  #panel: PanelName | undefined;
  /** There until it is reached, or until somebody scrolls elsewhere. */
  #wanted: number | undefined;
  #resting: ReturnType<typeof setTimeout> | undefined;

  constructor(stage: HTMLElement, host: Pick<Host, 'read' | 'keep'>) {
    this.#stage = stage;
    this.#host = host;
    this.#tops = topsIn(host.read(KEPT));
    stage.addEventListener('scroll', () => this.#moved(), { passive: true });
    for (const kind of ['wheel', 'pointerdown', 'keydown'])
      stage.addEventListener(kind, () => this.#giveUp(), { passive: true });
    // Whoever reloads at once has scrolled all the same.
    addEventListener('pagehide', () => this.#keep());
  }

  entered(panel: PanelName, element: HTMLElement): void {
    this.#panel = panel;
    this.#wanted = this.#tops.get(panel) ?? 0;
    this.#grown.disconnect();
    this.#grown.observe(element);
    this.#reach();
  }

  #reach(): void {
    if (this.#wanted === undefined) return;
    this.#stage.scrollTop = this.#wanted;
    if (Math.abs(this.#stage.scrollTop - this.#wanted) <= 1) this.#wanted = undefined;
  }

  #giveUp(): void {
    this.#wanted = undefined;
  }

  #moved(): void {
    // The page itself moved, because there is not enough of it yet.
    if (this.#panel === undefined || this.#wanted !== undefined) return;
    this.#tops.set(this.#panel, this.#stage.scrollTop);
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#keep(), REST);
  }

  #keep(): void {
    clearTimeout(this.#resting);
    this.#host.keep(KEPT, Object.fromEntries(this.#tops));
  }
}

const topsIn = (kept: unknown): Map<string, number> =>
  new Map(
    Object.entries(typeof kept === 'object' && kept !== null ? kept : {}).flatMap(([panel, top]) =>
      typeof top === 'number' ? [[panel, top] as const] : [],
    ),
  );
