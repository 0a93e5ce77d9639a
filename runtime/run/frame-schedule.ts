// Which pictures are made now, of those that somebody wants. Pure.
// 1. Only what has changed since it was sent.
// 2. Of whole ones all: somebody looks at just that.
// 3. Of small ones the eight that were sent longest ago, those never sent first: so many desktops do not cost more than a few.

import type { DesktopId } from '../core/ids.ts';
import type { View, ViewSize } from '../core/view.ts';

export interface FrameRequest {
  readonly id: DesktopId;
  readonly size: ViewSize;
  readonly use: View['use'];
  readonly isNew: boolean;
  /** Milliseconds since 1970; undefined where it never was. */
  readonly sentAt: number | undefined;
}

/** Four times a second, which takes about a twentieth of a core, packing included. */
export const MAX_SMALL_FRAMES = 8;

export function dueFrames(wanted: readonly FrameRequest[]): readonly FrameRequest[] {
  const changed = wanted.filter(({ isNew }) => isNew);
  const small = changed
    .filter(({ size }) => size === 'small')
    .sort((one, other) => (one.sentAt ?? 0) - (other.sentAt ?? 0));
  return [...changed.filter(({ size }) => size === 'whole'), ...small.slice(0, MAX_SMALL_FRAMES)];
}
