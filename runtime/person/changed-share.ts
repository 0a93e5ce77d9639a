// Tells a window that opened by itself from a blinking cursor: the share of the pixels that differ. Pure.

import type { Pixels } from '../core/screen.ts';

/** A larger share is something that a person waited for. A cursor, a clock or a tooltip is smaller. */
const MIN_SHARE = 0.005;

/** `before` are bytes of the same layout. A screen of another size differs. */
export function differsClearly(before: Uint8Array, { data, layout }: Pixels): boolean {
  if (before.length !== data.length) return true;
  const most = (MIN_SHARE * data.length) / layout.length;
  let different = 0;
  for (let at = 0; at < data.length; at += layout.length) {
    if (before[at] === data[at] && before[at + 1] === data[at + 1] && before[at + 2] === data[at + 2])
      continue;
    different += 1;
    if (different > most) return true;
  }
  return false;
}
