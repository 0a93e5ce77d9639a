// A tiny micro model and rows for it.

import { SQUARE_AREA } from '../../../runtime/agents/compact/observation.ts';
import type { MicroShape } from '../../../runtime/agents/micro/network.ts';
import type { PatchedPicture } from '../../../runtime/agents/micro/picture.ts';
import { firstMicroWeights } from '../../../runtime/agents/micro/programs.ts';
import { type MicroRow, promptRow } from '../../../runtime/agents/micro/row.ts';
import { seeded } from '../../../runtime/core/rng.ts';

export const TINY: MicroShape = {
  ...{ width: 8, blocks: 2, heads: 2, hidden: 12, shared: 4, letterWidth: 3, patchWidth: 6, copyWidth: 4 },
};

export function tinyWeights(seed: string): Float32Array<ArrayBuffer> {
  const random = seeded(seed);
  return firstMicroWeights(TINY, () => random.next());
}

export const TEXT =
  'Task: Star the mail "Bufo" from Zila.\nElements:\n1. button "Apps"\n2. checkbox "Star Bufo"\n3. row "Zila"\n';

export function tinyPicture(): PatchedPicture {
  const random = seeded('picture');
  const patches = [
    { x: 10, y: 20 },
    { x: 26, y: 20 },
    { x: 120, y: 60 },
  ].map((place, index) => ({
    ...{ box: { ...place, width: 16, height: 16 }, phrase: index >> 1, row: index >> 1, regionWidth: 30 },
    ...{ background: 0.9, contrast: 0.4 },
  }));
  const squares = Uint8Array.from({ length: patches.length * SQUARE_AREA }, () => random.int(256));
  return { width: 320, height: 240, patches, squares };
}

export const tinyPrompts = (): readonly MicroRow[] => [
  promptRow({ text: TEXT }),
  promptRow({ text: 'Task: Turn mute on.\n', picture: tinyPicture() }),
];
