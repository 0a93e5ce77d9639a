// The two who choose: chance draws from the distribution that it records, and never what is not valid.

import { afterAll, describe, expect, test } from 'vitest';
import { SLOTS } from '../../../runtime/agents/compact/action-kinds.ts';
import { recordedChooser, samplingChooser } from '../../../runtime/agents/compact/chooser.ts';
import { samplingFeeds } from '../../../runtime/agents/compact/decide.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { Graph } from '../../../runtime/graph/graph.ts';
import * as op from '../../../runtime/graph/ops/index.ts';
import { forwardProgram } from '../../../runtime/graph/program.ts';
import { floats, ints, numbers, open } from './running-policy.ts';

/** What stands in the way of a choice that is not valid, as the network has it. */
const NEVER = -1e9;
const SLOT = 'key';

const drawing = await open(
  (() => {
    const graph = new Graph();
    const chooser = samplingChooser(graph);
    const valid = graph.input('valid', 'float32', ['B', 'N']);
    const barred = op.add(graph.input('logits', 'float32', ['B', 'N']), op.mul(op.sub(valid, 1), -NEVER));
    const distribution = chooser.distribution(barred, valid, graph.input('scores', 'float32', ['B', 'N']));
    return forwardProgram(graph, { distribution, choice: chooser.choice(SLOT, distribution) });
  })(),
);
const recording = await open(
  (() => {
    const graph = new Graph();
    const chooser = recordedChooser(graph);
    const logits = graph.input('logits', 'float32', ['B', 'N']);
    const distribution = chooser.distribution(logits, logits, undefined);
    return forwardProgram(graph, { distribution, choice: chooser.choice(SLOT, distribution) });
  })(),
);
afterAll(() => Promise.all([drawing.close(), recording.close()]));

interface Draw {
  readonly logits: readonly number[];
  readonly valid?: readonly number[];
  readonly scores?: readonly number[];
  readonly isGuided?: boolean;
  readonly temperature?: number;
  readonly exploration?: number;
}

/** One choice for each chance, all from the same logits. */
async function draw(
  { logits, valid = logits.map(() => 1), scores = logits.map(() => 0), ...how }: Draw,
  chances: readonly number[],
) {
  const count = chances.length;
  const all = <T>(row: readonly T[]): T[] => Array.from({ length: count }, () => row).flat();
  let at = 0;
  // Each row has a chance for every slot; only one slot draws here, and the others must not matter.
  const feeds = samplingFeeds(
    count,
    () => {
      const [row, slot] = [Math.floor(at / SLOTS.length), at++ % SLOTS.length];
      return SLOTS[slot] === SLOT ? (chances[row] ?? 0) : 0.123;
    },
    how,
  );
  const results = await drawing.run({
    logits: floats(all(logits), count, logits.length),
    valid: floats(all(valid), count, logits.length),
    scores: floats(all(scores), count, logits.length),
    ...feeds,
  });
  return {
    choices: numbers(results, 'choice'),
    probabilities: numbers(results, 'distribution').slice(0, logits.length).map(Math.exp),
  };
}

const chances = (seed: string, count: number) => {
  const random = seeded(seed);
  return Array.from({ length: count }, () => random.next());
};

function softmax(
  logits: readonly number[],
  valid: readonly number[] = logits.map(() => 1),
  temperature = 1,
): readonly number[] {
  const weights = logits.map((logit, index) => (valid[index] === 1 ? Math.exp(logit / temperature) : 0));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map(weight => weight / whole);
}

/** Pearson's sum over the choices that are likely enough to be counted. */
function misfit(choices: readonly number[], probabilities: readonly number[]): number {
  return probabilities.reduce((sum, probability, index) => {
    const wanted = probability * choices.length;
    const found = choices.filter(choice => choice === index).length;
    return wanted < 5 ? sum : sum + (found - wanted) ** 2 / wanted;
  }, 0);
}

const LOGITS = [0.3, -1, 2, 0, 1.1, -0.4, 0.9, -2];
const VALID = [0, 1, 1, 0, 0, 1, 1, 0];

describe('the random number', () => {
  test.each([
    ['as it is', {}],
    ['with some choices barred', { valid: VALID }],
    ['flattened', { valid: VALID, temperature: 3 }],
    ['sharpened', { temperature: 0.5 }],
    ['with exploration', { valid: VALID, exploration: 0.4 }],
    ['from one choice alone', { valid: [0, 0, 0, 1, 0, 0, 0, 0] }],
  ] as readonly (readonly [string, Omit<Draw, 'logits'>])[])(
    'draws each choice as often as it is likely, %s',
    async (_name, how) => {
      const { temperature = 1, exploration = 0, valid = LOGITS.map(() => 1) } = how;
      const { choices, probabilities } = await draw({ logits: LOGITS, ...how }, chances('often', 6000));
      const even = valid.map(each => each / valid.reduce((sum, one) => sum + one, 0));
      const wanted = softmax(LOGITS, valid, temperature).map(
        (each, index) => (1 - exploration) * each + exploration * (even[index] ?? 0),
      );
      for (const [index, probability] of wanted.entries())
        expect(probabilities[index]).toBeCloseTo(probability, 5);
      // With 7 degrees of freedom, once in 10,000 times it would be more than 30.
      expect(misfit(choices, wanted)).toBeLessThan(30);
    },
  );

  test('selects the choice of its interval', async () => {
    const logits = [1, 2, 3, 4].map(Math.log);
    const { choices } = await draw({ logits }, [0, 0.09, 0.11, 0.29, 0.31, 0.59, 0.61, 0.9999999]);
    expect(choices).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  });
});

describe('an invalid choice is never sampled', () => {
  const ends = [1e-20, 1e-7, 0.5, 0.9999999, 1 - 2 ** -53];
  const masks = [
    VALID,
    VALID.toReversed(),
    [0, 0, 0, 0, 0, 0, 0, 1],
    [1, 0, 0, 0, 0, 0, 0, 0],
    VALID.map(each => 1 - each),
  ];

  const isAlwaysValid = async (how: Omit<Draw, 'logits'>, chance: readonly number[]) => {
    for (const valid of masks) {
      for (const logits of [LOGITS, LOGITS.map(each => 20 * each), LOGITS.map(() => 0)]) {
        const { choices } = await draw({ ...how, logits, valid }, chance);
        for (const choice of choices) expect(valid[choice], `${choice} of ${valid}`).toBe(1);
      }
    }
  };

  test.each([0, 0.01, 1, 5, 1000])('at temperature %d, at both ends of the interval', async temperature => {
    for (const exploration of [0, 0.1, 1])
      await isAlwaysValid({ temperature, exploration }, [...ends, ...chances(`at ${temperature}`, 40)]);
  });

  test('for the random number 0', async () => {
    await isAlwaysValid({}, [0]);
  });

  test('among hundreds of choices with few valid ones', async () => {
    const logits = Array.from({ length: 300 }, (_, index) => Math.sin(index) * 3);
    const valid = logits.map((_, index) => Number(index % 37 === 5));
    const { choices } = await draw({ logits, valid }, [...ends, ...chances('many', 300)]);
    expect(choices.every(choice => valid[choice] === 1)).toBe(true);
    expect(new Set(choices).size).toBeGreaterThan(3);
  });

  test('and the choice exists even if none is valid', async () => {
    const { choices } = await draw({ logits: LOGITS, valid: LOGITS.map(() => 0) }, [
      ...ends,
      ...chances('none', 40),
    ]);
    expect(choices.every(choice => choice >= 0 && choice < LOGITS.length)).toBe(true);
  });
});

describe('a temperature of 0', () => {
  test('takes the most likely valid choice, for any random number', async () => {
    const { choices } = await draw({ logits: LOGITS, valid: VALID, temperature: 0 }, chances('cold', 100));
    expect(new Set(choices)).toEqual(new Set([2]));
  });

  test.each([0, 0.4])(
    'records how likely the policy finds everything, as at 1, where %d is explored',
    async exploration => {
      const how = { logits: LOGITS, valid: VALID, exploration };
      const cold = await draw({ ...how, temperature: 0 }, chances('cold', 20));
      expect(cold.probabilities).toEqual((await draw(how, chances('warm', 20))).probabilities);
      expect(new Set(cold.choices).size).toBe(1);
    },
  );

  test('takes the most likely choice even if another is nearly as likely', async () => {
    const logits = [0.5, 0.5005, 0.4995, 0];
    const { choices } = await draw({ logits, temperature: 0 }, chances('close', 100));
    expect(new Set(choices)).toEqual(new Set([1]));
  });
});

test('full exploration samples valid choices uniformly, with their probabilities', async () => {
  const { choices, probabilities } = await draw(
    { logits: LOGITS, valid: VALID, exploration: 1 },
    chances('even', 4000),
  );
  const even = VALID.map(each => each / 4);
  for (const [index, wanted] of even.entries()) expect(probabilities[index]).toBeCloseTo(wanted, 6);
  expect(misfit(choices, even)).toBeLessThan(22);
});

test.each([
  ['guided', true],
  ['even', false],
])('random choices follow the scores only if they are guided: %s', async (_, isGuided) => {
  const scores = [9, 2, 0, 9, 9, -1, 1, 9];
  const random = isGuided ? softmax(scores, VALID) : VALID.map(each => each / 4);
  const policy = softmax(LOGITS, VALID);
  const how = { logits: LOGITS, valid: VALID, scores, isGuided, exploration: 0.3 };
  const { choices, probabilities } = await draw(how, chances('guided', 4000));
  const mixed = policy.map((each, index) => 0.7 * each + 0.3 * (random[index] ?? 0));
  for (const [index, wanted] of mixed.entries()) expect(probabilities[index]).toBeCloseTo(wanted, 5);
  expect(misfit(choices, mixed)).toBeLessThan(22);
});

test('the log-probability of an invalid choice is finite and very low', async () => {
  const results = await drawing.run({
    logits: floats(LOGITS, 1, LOGITS.length),
    valid: floats(VALID, 1, LOGITS.length),
    scores: floats(
      LOGITS.map(() => 0),
      1,
      LOGITS.length,
    ),
    ...samplingFeeds(1, () => 0.5),
  });
  for (const [index, log] of numbers(results, 'distribution').entries()) {
    expect(Number.isFinite(log)).toBe(true);
    expect(log < -50).toBe(VALID[index] === 0);
  }
});

test('the recorded chooser returns recorded choices under the unchanged policy', async () => {
  const chosen = SLOTS.map(slot => (slot === SLOT ? 5 : 0));
  const results = await recording.run({
    logits: floats(LOGITS, 1, LOGITS.length),
    chosen: ints(chosen, 1, SLOTS.length),
  });
  expect(numbers(results, 'choice')).toEqual([5]);
  for (const [index, probability] of softmax(LOGITS).entries())
    expect(Math.exp(numbers(results, 'distribution')[index] ?? 0)).toBeCloseTo(probability, 5);
});

test('each decision of each row has its own random number below 1', () => {
  const random = seeded('feeds');
  const { chance } = samplingFeeds(50, () => random.next());
  expect(chance?.dims).toEqual([50, SLOTS.length]);
  expect(new Set(Array.from(chance?.data ?? [], Number)).size).toBe(50 * SLOTS.length);
  const { chance: highest } = samplingFeeds(1, () => 1 - 2 ** -53);
  expect(Number(highest?.data[0])).toBeLessThan(1);
});
