// An episode that an agent has begun and a person continues.

import type { Action } from '../core/action.ts';
import type { Screen } from '../core/screen.ts';

/** An episode in progress, which the person continues. */
export interface BegunEpisode {
  /** Of the instance. */
  readonly instruction: string;
  /** The agent's actions so far. */
  readonly actions: readonly Action[];
  /** The screens before each action and the present one, as PNG; absent on desktops whose frames can be redrawn. */
  readonly images?: readonly Uint8Array[];
  /** The present one. */
  readonly screen: Screen;
}
