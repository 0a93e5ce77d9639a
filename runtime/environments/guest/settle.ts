// Decides when the screen of a guest has settled: two pictures in a row that differ in few pixels. A text cursor that blinks and a clock
// are few pixels. Pure.

import type { Pixels } from '../../core/screen.ts';

/** The share of pixels that may differ. */
const CALM_SHARE = 0.0005;

export function isCalm(before: Pixels, after: Pixels): boolean {
  if (before.width !== after.width || before.height !== after.height) return false;
  const channels = after.layout === 'rgb' ? 3 : 4;
  const pixels = after.width * after.height;
  const limit = pixels * CALM_SHARE;
  let changed = 0;
  for (let at = 0; at < pixels * channels; at += channels) {
    if (
      before.data[at] !== after.data[at] ||
      before.data[at + 1] !== after.data[at + 1] ||
      before.data[at + 2] !== after.data[at + 2]
    )
      changed += 1;
    if (changed > limit) return false;
  }
  return true;
}
