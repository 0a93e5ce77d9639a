// Gradients and steps of the micro model: against numerical differences, against the training program, and in several runs.

import { expect, onTestFinished, test } from 'vitest';
import { replyFeeds, type WeightedRow } from '../../../runtime/agents/micro/feeds.ts';
import { microTrainingProgram } from '../../../runtime/agents/micro/programs.ts';
import { rowWith } from '../../../runtime/agents/micro/row.ts';
import { encodeText } from '../../../runtime/agents/micro/tokenizer.ts';
import { END } from '../../../runtime/agents/micro/vocabulary.ts';
import { at } from '../../../runtime/core/at.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { Program } from '../../../runtime/graph/program.ts';
import { loadRuntime } from '../../../runtime/graph/runtime.ts';
import { openSession } from '../../../runtime/graph/session.ts';
import { tensor, tensorNamed } from '../../../runtime/graph/tensor.ts';
import {
  MicroTrainer,
  type MicroTrainerOptions,
  NotFiniteError,
  untrained,
} from '../../../runtime/learner/micro/micro-trainer.ts';
import { runsOf } from '../../../runtime/learner/micro/runs.ts';
import { TINY, tinyPrompts, tinyWeights } from '../../agents/micro/tiny.ts';
import { LIVE, SETTINGS, slowEngine, watchedEngine } from './fixture.ts';

const runtime = await loadRuntime('native');
const engine = { open: (program: Program) => openSession(runtime, program) };

async function trainer(
  maxPairs?: number,
  own: MicroTrainerOptions['engine'] = engine,
): Promise<MicroTrainer> {
  const opened = await MicroTrainer.open({
    ...{ engine: own, shape: TINY, clock: systemClock },
    ...(maxPairs !== undefined && { maxPairs }),
  });
  onTestFinished(() => opened.close());
  return opened;
}

const REPLIES = [
  'Thought: click checkbox "Star Bufo"\nAction: click(start_box=\'2\')',
  "click(start_box='<|box_start|>(18,28)<|box_end|>')",
  'wait()',
];

/** Rows of several lengths with weights of both signs. */
function rows(): readonly WeightedRow[] {
  const prompts = tinyPrompts();
  return REPLIES.map((text, index) => {
    const reply = [...encodeText(text), END];
    const row = rowWith(at(prompts, index % prompts.length), reply);
    return { row, weights: reply.map((_, token) => ((index + token) % 3 === 0 ? -0.4 : 0.7)) };
  });
}

const lossOf = (all: readonly WeightedRow[], logProbabilities: readonly (readonly number[])[]): number =>
  all.reduce(
    (sum, { weights }, row) =>
      weights.reduce((total, weight, token) => total - weight * at(at(logProbabilities, row), token), sum),
    0,
  );

test('the gradient equals numerical differences along random directions', async () => {
  const tested = await trainer();
  const weights = tinyWeights('difference');
  const all = rows();
  const { gradient } = await tested.accumulate(all, weights, undefined, LIVE);
  const random = seeded('directions');
  for (let trial = 0; trial < 4; trial++) {
    const direction = Float64Array.from(weights, () => random.next() - 0.5);
    const along = direction.reduce((sum, each, index) => sum + each * at(gradient, index), 0);
    const moved = async (by: number) => {
      const other = weights.map((each, index) => each + by * at(direction, index));
      return lossOf(all, (await tested.assess(all, other, LIVE)).logProbabilities);
    };
    const difference = ((await moved(1e-3)) - (await moved(-1e-3))) / 2e-3;
    expect(Math.abs(difference - along)).toBeLessThan(0.02 * Math.max(1, Math.abs(along)));
  }
});

test('the gradient equals that of the training program', async () => {
  const weights = tinyWeights('program');
  const all = rows();
  const { gradient } = await (await trainer()).accumulate(all, weights, undefined, LIVE);
  const training = await openSession(runtime, microTrainingProgram(TINY, { learningRate: { peak: 0 } }));
  await training.write({ weights: tensor('float32', [weights.length], weights) });
  await training.run(replyFeeds(all));
  // The mean after the first step is 0.1 · gradient.
  const { data } = tensorNamed(await training.read(['adam.mean']), 'adam.mean');
  await training.close();
  expectNear(
    gradient.map(each => each / 10),
    Array.from(data, Number),
  );
});

test('a batch in several runs has the gradient and the log-probabilities of one run', async () => {
  const weights = tinyWeights('runs');
  const all = rows();
  const [whole, split] = [await trainer(), await trainer(1)];
  const one = await whole.accumulate(all, weights, undefined, LIVE);
  const many = await split.accumulate(all, weights, undefined, LIVE);
  expectNear(many.gradient, one.gradient);
  expectNear(many.logProbabilities.flat(), one.logProbabilities.flat());
  expect(many.logProbabilities.map(({ length }) => length)).toEqual(
    all.map(({ weights: own }) => own.length),
  );
});

test('gradients of two calls add up', async () => {
  const tested = await trainer();
  const weights = tinyWeights('calls');
  const all = rows();
  const { gradient: whole } = await tested.accumulate(all, weights, undefined, LIVE);
  const { gradient: first } = await tested.accumulate(all.slice(0, 1), weights, undefined, LIVE);
  const copy = first.slice();
  const { gradient: both } = await tested.accumulate(all.slice(1), weights, first, LIVE);
  expectNear(both, whole);
  expect(first).toEqual(copy);
});

test('two models with one trainer do not mix', async () => {
  const [shared, alone] = [await trainer(), await trainer()];
  const all = rows();
  const [one, other] = [untrained(tinyWeights('one')), untrained(tinyWeights('other'))];
  const { gradient } = await shared.accumulate(all, one.weights, undefined, LIVE);
  await shared.accumulate(all.slice(0, 1), other.weights, undefined, LIVE);
  const { state } = await shared.step(one, gradient, SETTINGS);
  await shared.step(other, gradient, SETTINGS);
  const again = await shared.step(state, gradient, SETTINGS);

  const own = await alone.accumulate(all, one.weights, undefined, LIVE);
  expectNear(own.gradient, gradient);
  const first = await alone.step(one, own.gradient, SETTINGS);
  expect(again.state).toEqual((await alone.step(first.state, own.gradient, SETTINGS)).state);
});

test('a step that is not finite is rejected, and the trainer goes on', async () => {
  const tested = await trainer();
  const before = untrained(tinyWeights('finite'));
  const broken = new Float32Array(before.weights.length).fill(Number.POSITIVE_INFINITY);
  await expect(tested.step(before, broken, SETTINGS)).rejects.toThrow(NotFiniteError);
  const { gradient } = await tested.accumulate(rows(), before.weights, undefined, LIVE);
  const { state } = await tested.step(before, gradient, SETTINGS);
  expect(state.step).toBe(1);
  expect(state.weights).not.toEqual(before.weights);
});

test('the time of a call is that of its runs, without the wait for its turn', async () => {
  const tested = await MicroTrainer.open({ ...slowEngine(), shape: TINY });
  onTestFinished(() => tested.close());
  const weights = tinyWeights('time');
  const calls = await Promise.all([1, 2].map(() => tested.assess(rows(), weights, LIVE)));
  expect(calls.map(({ seconds }) => seconds)).toEqual([0.25, 0.25]);
});

test('an aborted call leaves no part of its gradient', async () => {
  let runs = 0;
  let atRun = (): void => {};
  const watched = watchedEngine(() => {
    runs += 1;
    atRun();
  });
  const tested = await trainer(1, watched);
  const weights = tinyWeights('abort');
  const all = rows();
  const expected = await tested.accumulate(all, weights, undefined, LIVE);
  const controller = new AbortController();
  atRun = () => controller.abort(new Error('The test aborts.'));
  runs = 0;
  const call = tested.accumulate(all, weights, undefined, controller.signal);
  await expect(call).rejects.toThrow('The test aborts.');
  // A part of the gradient was computed.
  expect(runs).toBe(1);
  expectNear((await tested.accumulate(all, weights, undefined, LIVE)).gradient, expected.gradient);
});

test('runs have every row once, and at most the given number of pairs, unless a row has more', () => {
  const random = seeded('lengths');
  for (let trial = 0; trial < 50; trial++) {
    const lengths = Array.from({ length: random.int(20) }, () => 16 * (1 + random.int(20)));
    const runs = runsOf(lengths, 40_000);
    expect(runs.flat().sort((a, b) => a - b)).toEqual(lengths.map((_, index) => index));
    for (const run of runs) {
      const longest = Math.max(...run.map(index => at(lengths, index)));
      expect(run.length === 1 || run.length * longest ** 2 <= 40_000).toBe(true);
    }
  }
});

function expectNear(actual: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(actual.length).toBe(expected.length);
  let [largest, apart] = [1e-6, 0];
  for (let index = 0; index < expected.length; index++) {
    largest = Math.max(largest, Math.abs(at(expected, index)));
    apart = Math.max(apart, Math.abs(at(actual, index) - at(expected, index)));
  }
  expect(apart).toBeLessThan(1e-4 * largest);
}
