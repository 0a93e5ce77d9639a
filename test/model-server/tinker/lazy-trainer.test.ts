// A trainer whose engine starts with the first call, fails to open, and ends.

import { expect, test } from 'vitest';
import {
  lazyTrainer,
  type TrainerCalls,
  type TrainingEngine,
} from '../../../runtime/model-server/tinker/lazy-trainer.ts';
import { LIVE } from '../../learner/micro/fixture.ts';

class TestEngine implements TrainingEngine {
  isClosed = false;
  end = (): void => {};
  readonly ended = new Promise<void>(resolve => {
    this.end = resolve;
  });

  open(): never {
    return expect.unreachable('The test opens no program.');
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

/** A trainer whose `assess` is `assess`, with the engines that it started. `failures`: of the first calls of `open`. */
function lazy({
  failures = [],
  assess = async () => {},
}: {
  readonly failures?: readonly Error[];
  readonly assess?: (engine: number) => Promise<void>;
}) {
  const engines: TestEngine[] = [];
  const trainer = lazyTrainer({
    start: async () => {
      const engine = new TestEngine();
      engines.push(engine);
      return engine;
    },
    open: async (): Promise<TrainerCalls> => {
      const number = engines.length;
      const failure = failures[number - 1];
      if (failure !== undefined) throw failure;
      return {
        assess: async () => {
          await assess(number);
          return { logProbabilities: [[number]], seconds: 0 };
        },
        accumulate: () => expect.unreachable('The test computes no gradient.'),
        step: () => expect.unreachable('The test makes no step.'),
      };
    },
  });
  /** The number of the engine that computes. */
  const call = async () => (await trainer.assess([], new Float32Array(), LIVE)).logProbabilities.flat();
  return { engines, call };
}

test('an engine whose programs do not open is closed, and the next call starts another', async () => {
  const { engines, call } = lazy({ failures: [new Error('out of memory')] });
  await expect(call()).rejects.toThrow('out of memory');
  expect(engines.map(({ isClosed }) => isClosed)).toEqual([true]);
  expect([await call(), await call()]).toEqual([[2], [2]]);
  expect(engines.map(({ isClosed }) => isClosed)).toEqual([true, false]);
});

test('an engine that ends fails the call in work alone', async () => {
  const lost = new Error('The engine process ended with SIGKILL.');
  const { engines, call } = lazy({
    assess: async engine => {
      const first = engines[0];
      if (engine !== 1 || first === undefined) return;
      first.end();
      await first.ended;
      throw lost;
    },
  });
  const calls = await Promise.allSettled([call(), call(), call()]);
  expect(calls).toEqual([
    { status: 'rejected', reason: lost },
    { status: 'fulfilled', value: [2] },
    { status: 'fulfilled', value: [2] },
  ]);
  expect(engines).toHaveLength(2);
});
