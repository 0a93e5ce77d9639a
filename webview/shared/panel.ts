// What the page and each of its panels know of one another.

import type { RunState, RunSummary } from '../../runtime/protocol/daemon/state.ts';
import type { PanelPlace } from '../../runtime/protocol/panels.ts';
import type { Frames } from './frames.ts';
import type { Host } from './host.ts';

export interface Around {
  readonly host: Host;
  readonly frames: Frames;
  /** Goes there; `isNew` where one may want to come back from it. */
  go(place: PanelPlace, isNew: boolean): void;
  /** An error that belongs to no part of the panel in particular. */
  complain(error: unknown): void;
}

export interface Panel {
  readonly element: HTMLElement;
  /** It is shown, there. */
  show(place: PanelPlace): void;
  /** There is a connection, for the first time or again: what it shows is asked for anew. */
  connected(): void;
  heard(state: RunState): void;
  runs(runs: readonly RunSummary[]): void;
  /** A key that nothing under the keyboard used; whether the panel did. */
  pressed(event: KeyboardEvent): boolean;
}
