// The current picture of a training desktop, for viewers. Nothing depends on it, and views may be lost.

import type { Action } from './action.ts';
import type { DesktopId, TaskId } from './ids.ts';
import type { Size } from './screen.ts';

/** The desktops that viewers watch. */
export interface Watch {
  /** Changes when viewers come after there were none: then every desktop is sent again. */
  readonly since: number;
  /** Whether small pictures of all desktops are requested. */
  readonly wall: boolean;
  /** Desktops with whole pictures. */
  readonly whole: readonly DesktopId[];
}

export const NOT_WATCHED: Watch = { since: 0, wall: false, whole: [] };

export type ViewSize = 'small' | 'whole';

/** A whole view has every pixel of the screen. */
export interface View {
  readonly desktop: DesktopId;
  readonly size: ViewSize;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whether it plays an episode, and if not, why. A person uses it while it is held. */
  readonly use: 'starting' | 'idle' | 'playing' | 'held' | 'broken';
  /** Its current or last episode. */
  readonly doing?: EpisodeView;
  /** Its screen after the last action of `doing`, as a PNG. */
  readonly picture?: Uint8Array;
  /** The size of the screen; the picture may be smaller. */
  readonly screen?: Size;
}

export interface EpisodeView {
  readonly task: TaskId;
  readonly instruction: string;
  readonly steps: number;
  readonly mostSteps: number;
  /** The last action. */
  readonly action?: Action;
}
