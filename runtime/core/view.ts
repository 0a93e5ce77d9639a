// How a desktop that trains looks just now, for whoever watches. It is shown and forgotten: nothing is learned from it, and views can
// be lost.

import type { Action } from './action.ts';
import type { DesktopId, TaskId } from './ids.ts';
import type { Size } from './screen.ts';

/** What is to be shown: nothing at all while nobody looks. */
export interface Watch {
  /** Another number each time that somebody looks after nobody did: then everything is shown anew. */
  readonly since: number;
  /** Small pictures of all desktops. */
  readonly wall: boolean;
  /** Of these, whole pictures. */
  readonly whole: readonly DesktopId[];
}

export const NOT_WATCHED: Watch = { since: 0, wall: false, whole: [] };

export type ViewSize = 'small' | 'whole';

/** Of the screen's pixels a whole view has all. */
export interface View {
  readonly desktop: DesktopId;
  readonly size: ViewSize;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Lent to whoever plays an episode, or why not. */
  readonly use: 'starting' | 'idle' | 'playing' | 'broken';
  /** The last task that was begun on it. */
  readonly doing?: EpisodeView;
  /** Its screen, as a PNG, after what is told in `doing`. */
  readonly picture?: Uint8Array;
  /** Of the screen, whatever the size of the picture. */
  readonly screen?: Size;
}

export interface EpisodeView {
  readonly task: TaskId;
  readonly instruction: string;
  readonly steps: number;
  readonly mostSteps: number;
  /** The last one. */
  readonly action?: Action;
}
