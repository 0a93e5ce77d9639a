// The resize rule and the meaning of coordinates of each profile, as its family publishes them.

import type { FrameRules } from '../frame.ts';
import type { ProfileId, ResizeRule } from '../profile.ts';

/** Qwen2-VL and Qwen2.5-VL: patches of 14 pixels, merged two by two. */
const FACTOR_28 = { factor: 28, minPixels: 4 * 28 ** 2, maxPixels: 16_384 * 28 ** 2, maxRatio: 200 };
/** Qwen3-VL: patches of 16 pixels, merged two by two. */
const FACTOR_32 = { factor: 32, minPixels: 64 * 32 ** 2, maxPixels: 12_800 * 32 ** 2, maxRatio: 200 };
/** Hosted models reduce larger images, and then their coordinates no longer fit. */
const MODEST: ResizeRule = { factor: 1, minPixels: 1, maxPixels: 1_150_000, maxRatio: 200 };

const SENT_PIXELS = { kind: 'sent-pixels' } as const;

export const FRAME_RULES: Readonly<Record<ProfileId, FrameRules>> = {
  'ui-tars-1.5': { resize: { ...FACTOR_28, minPixels: 100 * 28 ** 2 }, coordinates: SENT_PIXELS },
  'ui-tars-1.0': {
    resize: { ...FACTOR_28, maxPixels: 2_700 * 28 ** 2 },
    coordinates: { kind: 'relative', max: 1000 },
  },
  'qwen2.5-vl': { resize: FACTOR_28, coordinates: SENT_PIXELS },
  'qwen3-vl': { resize: FACTOR_32, coordinates: { kind: 'relative', max: 999 } },
  'gui-owl-1.5': {
    resize: { ...FACTOR_32, maxPixels: 9_800 * 32 ** 2 },
    coordinates: { kind: 'relative', max: 1000 },
  },
  opencua: { resize: FACTOR_28, coordinates: SENT_PIXELS },
  evocua: { resize: FACTOR_32, coordinates: { kind: 'relative', max: 999 } },
  generic: { resize: MODEST, coordinates: SENT_PIXELS },
  // Coordinates are one token each, so the picture has fewer than 1000 pixels across.
  micro: { resize: { ...MODEST, maxPixels: 512 ** 2 }, coordinates: SENT_PIXELS },
};
