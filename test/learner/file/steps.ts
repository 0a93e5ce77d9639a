// Steps, images and conversations for tests of the learner that writes files.

import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { ChatMessage } from '../../../runtime/core/chat.ts';
import { pngOf, pngRows } from '../../../runtime/core/png.ts';
import type { PngSource, RowOrigin, TokenStep, TokenUpdate } from '../../../runtime/learner/learner.ts';

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function picture(grey: number): Uint8Array {
  const size = { width: 3, height: 2 };
  const pixels = { ...size, layout: 'rgb', data: new Uint8Array(3 * 2 * 3).fill(grey) } as const;
  return pngOf(size, deflateSync(pngRows(pixels)));
}

export const PNGS: ReadonlyMap<string, Uint8Array> = new Map(
  [10, 200].map(picture).map(png => [hashOf(png), png]),
);
export const [DARK = '', LIGHT = ''] = PNGS.keys();

export const images: PngSource = async sha256 => {
  const png = PNGS.get(sha256);
  if (png === undefined) throw new RangeError(`No image has the hash ${sha256}. Use the hash of a step.`);
  return png;
};

/** The second has two images side by side, the third none and a reply of one token. */
export const STEPS: readonly TokenStep[] = [
  {
    prompt: [
      { kind: 'text', tokens: [11, 12] },
      { kind: 'image', sha256: DARK, tokens: 4 },
      { kind: 'text', tokens: [13] },
    ],
    reply: [21, 22, 23],
  },
  {
    prompt: [
      { kind: 'image', sha256: DARK, tokens: 4 },
      { kind: 'image', sha256: LIGHT, tokens: 2 },
    ],
    reply: [24, 25],
  },
  { prompt: [{ kind: 'text', tokens: [14] }], reply: [151_645] },
];

const OPTIMISER = { learningRate: 1e-5, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, clipNorm: 1 };

/** The last row is a demonstration: its policy recorded nothing. */
export const updateNamed = (id: string): TokenUpdate => ({
  id,
  rows: STEPS.map((step, row) => ({
    step,
    weights: step.reply.map((_, token) => (row === 0 ? 0.1 : -0.3) * (token + 1)),
    origin: {
      trajectory: `${id}-trajectory-${row}`,
      ...{ index: row, group: 'group-1', task: 'task "1"', advantage: 1.5 - row, isSuccess: row < 2 },
      ...(row < 2 && { rollout: step.reply.map((_, token) => -0.25 - token) }),
      ...(row === 0 && { old: step.reply.map((_, token) => -0.5 - token), reference: [-1, -2, -3] }),
    },
  })),
  optimiser: OPTIMISER,
});

export const MESSAGES: readonly ChatMessage[] = [
  { role: 'system', parts: [{ type: 'text', text: 'You operate a desktop.' }] },
  {
    role: 'user',
    parts: [
      { type: 'text', text: 'Save the file. Screen: ' },
      { type: 'image', sha256: DARK, width: 3, height: 2 },
      { type: 'text', text: '\nNow: ' },
      { type: 'image', sha256: LIGHT, width: 3, height: 2 },
    ],
  },
];

/** Only the first row has a stored conversation. */
export const exchangeOf = async ({ index, trajectory }: RowOrigin) =>
  index === 0 ? { messages: MESSAGES, reply: `Action: click(1) # ${trajectory}` } : undefined;
