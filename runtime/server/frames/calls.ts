// What the daemon and the thread that draws say to each other. Both come from one build, so nothing is parsed here.

import type { Action } from '../../core/action.ts';
import type { Seed, TaskId } from '../../core/ids.ts';
import type { Picture } from './redraw.ts';
import type { Judged } from './verdict-reasons.ts';

/** An episode that is to be drawn again. */
export interface Drawing {
  readonly task: TaskId;
  readonly seed: Seed;
  readonly actions: readonly Action[];
  /** The folder of tasks beside those that are built in. */
  readonly folder: string | undefined;
  /** How it was judged, where the reasons are wanted in words. */
  readonly judged: Judged | undefined;
}

/** What the thread is told. Whoever is told to end first ends what it is at. */
export type Order = { readonly kind: 'draw'; readonly drawing: Drawing } | { readonly kind: 'end' };

/** Each picture as it is made, from the start on; then the end, or why there is none. */
export type Drawn =
  | { readonly kind: 'picture'; readonly picture: Picture }
  | { readonly kind: 'end'; readonly reasons: string | undefined }
  | { readonly kind: 'failed'; readonly message: string };
