// The doctor's check of guests.

import { expect, test } from 'vitest';
import { guests } from '../../../runtime/cli/doctor/guests.ts';

const screen = (value: number) => {
  const data = new Uint8Array(40 * 30 * 3).fill(9);
  data[40 * 3 * 7] = value;
  return { width: 40, height: 30, layout: 'rgb' as const, data };
};

test.each<[string, Parameters<typeof guests>[0], string, RegExp]>([
  ['no guests', [], 'problem', /no guests/],
  [
    'a guest that answers',
    [{ address: 'a', screenshot: async () => screen(200) }],
    'ok',
    /1 answer, with screens of 40×30/,
  ],
  [
    'an empty screen',
    [{ address: 'a', screenshot: async () => screen(9) }],
    'problem',
    /a shows an empty screen/,
  ],
  [
    'one of two that does not answer',
    [
      { address: 'a', screenshot: async () => screen(200) },
      { address: 'b', screenshot: () => Promise.reject(new Error('refused')) },
    ],
    'warning',
    /^1 of 2 ready; b: refused$/,
  ],
])('%s', async (_, looks, state, says) => {
  expect(await guests(looks)).toMatchObject({ state, says: expect.stringMatching(says) });
});
