// A few hundred hostile inputs over each border: no crash, no unknown error, and each rejection in three parts. The benchmark `survive` gives
// a million, and measures time and memory as well.

import { describe, expect, test } from 'vitest';
import { BORDERS } from '../../../../runtime/bench/survive/hostile/borders.ts';
import { inputOf, trial } from '../../../../runtime/bench/survive/hostile/trial.ts';

/** Costly borders get fewer inputs. */
const MAX_INPUTS = 200;
const MIN_INPUTS = 40;
const SHARE = 1 / 200;

describe.each(BORDERS)('the border $name', border => {
  test('takes hostile inputs, and rejects in three parts', async () => {
    const count = Math.max(MIN_INPUTS, Math.min(MAX_INPUTS, border.inputs * SHARE));
    const open = await border.open();
    try {
      const { accepted, rejected, faults } = await trial(border, open, { from: 0, count });
      expect(accepted + rejected).toBe(count);
      // How long an input takes depends on the machine.
      expect(faults.filter(({ kind }) => kind !== 'blocked')).toEqual([]);
    } finally {
      await open.close();
    }
  });

  test('has the same input for the same number', () => {
    for (const number of [0, 1, 17])
      expect(Buffer.from(inputOf(border, number)).equals(inputOf(border, number))).toBe(true);
    const inputs = Array.from({ length: 20 }, (_, number) =>
      Buffer.from(inputOf(border, number)).toString('latin1'),
    );
    expect(new Set(inputs).size).toBeGreaterThan(10);
  });
});

/** By border: a header `Expect` that no server knows, a length that is no number, a damaged index, and long or empty names. */
const ONCE_AT_FAULT: readonly (readonly [string, number])[] = [
  ['http', 9886],
  ['host-server', 18_052],
  ['websocket', 8691],
  ['index', 626],
  ['safetensors', 2019],
  ['dartboard-json', 4446],
  ['tinker', 28_970],
];

test.each(ONCE_AT_FAULT)('the border %s rejects its input %i in three parts', async (name, number) => {
  const border = BORDERS.find(each => each.name === name);
  if (border === undefined) throw new RangeError(`There is no border ${name}.`);
  const open = await border.open();
  try {
    const { faults } = await trial(border, open, { from: number, count: 1 });
    expect(faults.filter(({ kind }) => kind !== 'blocked')).toEqual([]);
  } finally {
    await open.close();
  }
});
