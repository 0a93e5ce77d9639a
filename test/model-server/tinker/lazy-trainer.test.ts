// A trainer whose engine starts with the first call, fails to open, and ends during a call.

import { expect, test } from 'vitest';
import {
  lazyTrainer,
  type TrainerCalls,
  type TrainingEngine,
} from '../../../runtime/model-server/tinker/lazy-trainer.ts';
import { PeerEnded } from '../../../runtime/rpc/client.ts';
import { LIVE } from '../../learner/micro/fixture.ts';

const LOST = new PeerEnded('The engine process ended with SIGKILL.');

class TestEngine implements TrainingEngine {
  isClosed = false;

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

test('a call whose engine ends is repeated on another one, which has the queued calls too', async () => {
  const { engines, call } = lazy({
    // A process that is stuck loses every call from then on.
    assess: async engine => {
      if (engine === 1) throw LOST;
    },
  });
  expect(await Promise.all([call(), call(), call()])).toEqual([[2], [2], [2]]);
  expect(engines).toHaveLength(2);
});

test('a call whose engine ends while its programs open is repeated on another one', async () => {
  const { engines, call } = lazy({ failures: [LOST] });
  expect(await call()).toEqual([2]);
  expect(engines.map(({ isClosed }) => isClosed)).toEqual([true, false]);
});

test('a call that ends two engines fails alone', async () => {
  const { engines, call } = lazy({
    assess: async engine => {
      if (engine < 3) throw LOST;
    },
  });
  expect(await Promise.allSettled([call(), call()])).toEqual([
    { status: 'rejected', reason: LOST },
    { status: 'fulfilled', value: [3] },
  ]);
  expect(engines).toHaveLength(3);
});

test('a call that fails while its engine works is not repeated', async () => {
  const failure = new RangeError('The gradient is not finite.');
  let calls = 0;
  const { engines, call } = lazy({
    assess: async () => {
      calls += 1;
      throw failure;
    },
  });
  await expect(call()).rejects.toBe(failure);
  expect([calls, engines.length]).toEqual([1, 1]);
});
