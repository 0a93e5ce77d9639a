// A decision as a rollout draws it and as a trainer assesses it: the same weights say the same of the same choices.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actionOf } from '../../../runtime/agents/compact/act.ts';
import { KINDS, SLOTS } from '../../../runtime/agents/compact/action-kinds.ts';
import { distribution, sampledRows, samplingFeeds } from '../../../runtime/agents/compact/decide.ts';
import { feedsOf } from '../../../runtime/agents/compact/feeds.ts';
import { assessingProgram, decidingProgram } from '../../../runtime/agents/compact/programs.ts';
import { type Sample, sampleOf } from '../../../runtime/agents/compact/sample.ts';
import type { Tokens } from '../../../runtime/agents/compact/token-features.ts';
import { uncertainty as uncertaintyOf } from '../../../runtime/core/decision.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import type { Session } from '../../../runtime/graph/session.ts';
import type { Tensors } from '../../../runtime/graph/tensor.ts';
import { stepUncertainty } from '../../../runtime/trainer/mask.ts';
import { openWith, row, SHAPE, sampleFeeds, weightsOf } from './running-policy.ts';
import { element, pocketRows, tokens } from './screens.ts';

/** Small weights are sure of nothing, so that every kind of decision is drawn. */
const first = weightsOf('decide');
const WEIGHTS = { ...first, data: Float32Array.from(first.data, Number).map(weight => weight / 2) };
/** Screens of many lengths, each several times. */
const SCREENS = [...pocketRows(6), ...pocketRows(3, 'screenshot'), tokens('Go on.', [element(), element()])];
const ROWS = Array.from({ length: 6 }, () => SCREENS).flat();

let deciding: Session;
let assessing: Session;
let outputs: Tensors;
let samples: readonly Sample[];

beforeAll(async () => {
  deciding = await openWith(decidingProgram(SHAPE), WEIGHTS);
  assessing = await openWith(assessingProgram(SHAPE), WEIGHTS);
  outputs = await decide(ROWS);
  samples = sampledRows(outputs, ROWS.length).map(({ choices, logProbabilities }, index) =>
    sampleOf(ROWS[index] as Tokens, choices, logProbabilities),
  );
});
afterAll(() => Promise.all([deciding.close(), assessing.close()]));

function decide(rows: readonly Tokens[], seed = 'draw', how = {}): Promise<Tensors> {
  const random = seeded(seed);
  return deciding.run({
    ...feedsOf(rows, SHAPE.pixels),
    ...samplingFeeds(rows.length, () => random.next(), how),
  });
}

const assess = (some: readonly Sample[]): Promise<Tensors> => assessing.run(sampleFeeds(some));

const usedOf = ({ used }: Sample): readonly number[] =>
  SLOTS.map((_, slot) => slot).filter(slot => used[slot] === 1);

/** The largest difference of two rows over the decisions that were used. */
const apart = (sample: Sample, a: readonly number[], b: readonly number[]): number =>
  Math.max(...usedOf(sample).map(slot => Math.abs((a[slot] ?? Number.NaN) - (b[slot] ?? Number.NaN))));

describe('a sampled decision', () => {
  test('is a valid action; many kinds occur', () => {
    const kinds = sampledRows(outputs, ROWS.length).map(({ choices }, index) => {
      const row = ROWS[index] as Tokens;
      return actionOf(row, 'x'.repeat(1000), choices).kind;
    });
    expect(kinds).toHaveLength(ROWS.length);
    expect(new Set(kinds).size).toBeGreaterThan(5);
    expect(new Set(samples.flatMap(usedOf)).size).toBe(SLOTS.length);
  });

  test('is recorded with log-probabilities of a normalised distribution', () => {
    for (let index = 0; index < ROWS.length; index++) {
      for (const slot of SLOTS) {
        const all = distribution(outputs, slot, index, ROWS.length);
        expect(all.reduce((sum, log) => sum + Math.exp(log), 0)).toBeCloseTo(1, 4);
      }
    }
    for (const sample of samples)
      for (const slot of usedOf(sample)) expect(sample.logProbabilities?.[slot]).toBeGreaterThan(-40);
  });

  test('is determined by the random numbers', async () => {
    expect(sampledRows(await decide(ROWS), ROWS.length)).toEqual(sampledRows(outputs, ROWS.length));
    expect(sampledRows(await decide(ROWS, 'other'), ROWS.length)).not.toEqual(
      sampledRows(outputs, ROWS.length),
    );
  });

  test('does not depend on the random numbers at temperature 0', async () => {
    const likeliest = async (seed: string) =>
      sampledRows(await decide(SCREENS.slice(0, 4), seed, { temperature: 0 }), 4).map(
        ({ choices }) => choices.kind,
      );
    const taken = await likeliest('one');
    expect(await likeliest('two')).toEqual(taken);
    for (const [index, kind] of taken.entries()) {
      const all = [...distribution(await decide(SCREENS.slice(0, 4)), 'kind', index, 4)];
      expect(kind).toBe(all.indexOf(Math.max(...all)));
    }
  });

  test('has the probability of the mixture under exploration', async () => {
    const shared = await decide(SCREENS, 'mix', { exploration: 0.25 });
    const plain = await decide(SCREENS, 'mix');
    for (const index of SCREENS.keys()) {
      const kinds = [
        distribution(plain, 'kind', index, SCREENS.length),
        distribution(shared, 'kind', index, SCREENS.length),
      ];
      const valid = [...(kinds[0] ?? [])].filter(log => log > -60).length;
      for (let kind = 0; kind < KINDS.length; kind++) {
        const [alone = 0, mixed = 0] = kinds.map(each => Math.exp(each[kind] ?? 0));
        if (alone > 1e-20) expect(mixed).toBeCloseTo(0.75 * alone + 0.25 / valid, 5);
        else expect(mixed).toBeLessThan(1e-20);
      }
    }
  });
});

describe('an assessment', () => {
  test('under the same weights gives the recorded probability of each used decision', async () => {
    const found = await assess(samples);
    for (const [index, sample] of samples.entries())
      expect(apart(sample, row(found, 'logProbability', index), sample.logProbabilities ?? [])).toBeLessThan(
        1e-4,
      );
  });

  test('under other weights gives another probability', async () => {
    const other = await openWith(assessingProgram(SHAPE), weightsOf('others'));
    const found = await other.run(sampleFeeds(samples));
    await other.close();
    expect(
      apart(samples[0] as Sample, row(found, 'logProbability', 0), samples[0]?.logProbabilities ?? []),
    ).toBeGreaterThan(1e-3);
  });

  test('gives the entropy, and the uncertainty as its share of the maximum', async () => {
    const found = await assess(samples);
    for (const [index, sample] of samples.entries()) {
      const decisions = SLOTS.map(slot => {
        const likely = [...distribution(outputs, slot, index, ROWS.length)].filter(log => log > -60);
        return {
          choices: likely.length,
          entropy: -likely.reduce((sum, log) => sum + log * Math.exp(log), 0),
        };
      });
      const [entropy, uncertainty] = [row(found, 'entropy', index), row(found, 'uncertainty', index)];
      for (const slot of usedOf(sample)) {
        const { choices = 0, entropy: wanted = 0 } = decisions[slot] ?? {};
        expect(entropy[slot]).toBeCloseTo(wanted, 3);
        expect(uncertainty[slot]).toBeCloseTo(choices > 1 ? wanted / Math.log(choices) : 0, 3);
        expect(uncertainty[slot]).toBeLessThan(1.0001);
        expect(uncertainty[slot]).toBeGreaterThanOrEqual(0);
      }
      const open = decisions.map(({ choices }) => choices > 1);
      const wanted = uncertaintyOf(decisions.filter((_, slot) => sample.used[slot] === 1));
      expect(stepUncertainty(uncertainty, sample.used, open)).toBeCloseTo(wanted, 3);
    }
  });
});

describe('copied words of a text', () => {
  const letter = 'Dear Ada,\nthe train leaves at 9:30. Bring the red book!\nYours, Hugo';
  const memory = [{ text: letter, age: 1 }];
  const sheets = [element({ role: 'textarea', name: 'Text', value: letter }), element({ name: 'Save as' })];
  /** Little to point at, so that texts are written often. */
  const texts = [tokens('Go.', [], { memory }), tokens('Go.', sheets), tokens('', sheets, { memory })];
  const rows = Array.from({ length: 60 }, () => texts).flat();

  test('have the recorded probability for every first and last word', async () => {
    const copied = sampledRows(await decide(rows), rows.length)
      .map(({ choices, logProbabilities }, index) =>
        sampleOf(rows[index] as Tokens, choices, logProbabilities),
      )
      .filter(({ used }) => used[SLOTS.indexOf('first')] === 1);
    const inPart = copied.filter(({ used }) => used[SLOTS.indexOf('last')] === 1);
    expect(inPart.length).toBeGreaterThan(10);
    expect(copied.length).toBeGreaterThan(inPart.length);
    const found = await assess(copied);
    for (const [index, sample] of copied.entries())
      expect(apart(sample, row(found, 'logProbability', index), sample.logProbabilities ?? [])).toBeLessThan(
        1e-4,
      );
  });

  test('are written exactly as in the text', async () => {
    for (const [index, { choices }] of sampledRows(await decide(rows), rows.length).entries()) {
      const action = actionOf(rows[index] as Tokens, 'Go.', choices);
      if (action.kind === 'type') expect(`Go. Save as ${letter}`).toContain(action.text);
    }
  });
});

describe('the assessment of a row is the same', () => {
  const worst = async (
    some: readonly Sample[],
    whole: Tensors,
    others: (index: number) => readonly Sample[],
  ) => {
    const gaps: number[] = [];
    for (const [index, sample] of some.entries()) {
      const alone = await assess(others(index));
      for (const name of ['logProbability', 'uncertainty'])
        gaps.push(apart(sample, row(alone, name, 0), row(whole, name, index)));
    }
    return Math.max(...gaps);
  };

  test('alone and among many', async () => {
    const some = samples.slice(0, SCREENS.length);
    expect(await worst(some, await assess(some), index => [some[index] as Sample])).toBeLessThan(1e-4);
  });

  test('when padded to longer rows', async () => {
    const sorted = [...samples].sort((a, b) => a.tokens.count - b.tokens.count);
    const [shortest, longest] = [sorted[0] as Sample, sorted.at(-1) as Sample];
    expect(longest.tokens.count).toBeGreaterThan(shortest.tokens.count + 16);
    expect(await worst([shortest], await assess([shortest]), () => [shortest, longest])).toBeLessThan(1e-4);
  });

  test('when padded, without an instruction or on an empty screen', async () => {
    const longest = [...samples].sort((a, b) => b.tokens.count - a.tokens.count)[0] as Sample;
    const bare = [tokens('', [element(), element()]), tokens('Wait for it.')].map(each =>
      sampleOf(each, { kind: KINDS.indexOf('wait') }),
    );
    for (const each of bare)
      expect(await worst([each], await assess([each]), () => [each, longest])).toBeLessThan(1e-4);
  });
});
