// The interface between the page and its panels.

import type { DaemonLife } from '../../runtime/protocol/daemon/messages.ts';
import type { RunState, RunSummary } from '../../runtime/protocol/daemon/state.ts';
import type { PanelPlace } from '../../runtime/protocol/panels.ts';
import type { FrameCache } from './frame-cache.ts';
import type { PageHost } from './host.ts';

export interface PanelContext {
  readonly host: PageHost;
  readonly frames: FrameCache;
  /** Navigates to a place; `isNew` adds an entry to the history. */
  go(place: PanelPlace, isNew: boolean): void;
  /** Replaces the place of a panel without showing it again. */
  replace(place: PanelPlace): void;
  /** Shows an error that belongs to no part of the panel. */
  showError(error: unknown): void;
}

export interface Panel {
  readonly element: HTMLElement;
  /** The panel is shown at this place. */
  show(place: PanelPlace): void;
  /** The daemon answers, for the first time or again: fetch everything. */
  connected(): void;
  /** A subscribed run has a new state. */
  stateChanged(state: RunState): void;
  /** The list of runs changed. */
  runsChanged(runs: readonly RunSummary[]): void;
  /** What keeps the daemon running, every few seconds. */
  lifeChanged?(life: DaemonLife): void;
  /** The user changed the name for remarks in another panel. */
  signatureChanged?(): void;
  /** Handles a key that no control used. Returns whether the panel used it. */
  keyPressed(event: KeyboardEvent): boolean;
}
