import { expect, test } from 'vitest';
import { attack, type HostileClient } from '../../../../runtime/bench/survive/hostile/attack.ts';
import type { TrialResult } from '../../../../runtime/bench/survive/hostile/trial.ts';
import { DeadlineExceeded } from '../../../../runtime/core/deadline.ts';
import { PeerEnded } from '../../../../runtime/rpc/client.ts';

interface FakeFaults {
  readonly crashes?: readonly number[];
  readonly hangs?: readonly number[];
  /** Megabytes per input. */
  readonly leakMb?: number;
  /** The inputs after which a child ends, whatever the next one is. */
  readonly life?: number;
}

/** Children that accept every input but those at fault, which end them. */
function children({ crashes = [], hangs = [], leakMb = 0, life = Number.POSITIVE_INFINITY }: FakeFaults) {
  const tried: number[] = [];
  let [started, open] = [0, 0];
  const start = async (): Promise<HostileClient> => {
    started += 1;
    open += 1;
    let [isOver, usedMb, taken] = [false, 10, 0];
    const trial = (from: number, count: number): TrialResult => {
      if (isOver) throw new PeerEnded('The child has ended.');
      for (let number = from; number < from + count; number += 1) {
        isOver = taken === life || crashes.includes(number) || hangs.includes(number);
        if (taken === life) throw new PeerEnded('The child ended with SIGABRT.');
        if (crashes.includes(number)) throw new PeerEnded('The child ended with SIGSEGV.');
        if (hangs.includes(number)) throw new DeadlineExceeded('trial', 1000);
        tried.push(number);
        taken += 1;
        usedMb += leakMb;
      }
      return { accepted: count, rejected: 0, faults: [], blockedMsWorst: 1, growthMbWorst: 2 };
    };
    return {
      call: (async (
        method: string,
        { from, count }: { from: number; count: number } = { from: 0, count: 0 },
      ) => (method === 'trial' ? trial(from, count) : usedMb)) as HostileClient['call'],
      close: async () => {
        open -= 1;
      },
    };
  };
  return { start, tried, started: () => started, open: () => open };
}

test('every input is tried once in one child, from the first number on', async () => {
  const { start, tried, started, open } = children({});
  const outcome = await attack({ border: 'x', from: 5, inputs: 2500, start });
  expect(outcome).toMatchObject({
    inputs: 2500,
    accepted: 2500,
    faults: [],
    blockedMsWorst: 1,
    retainedMb: 0,
  });
  expect(tried).toEqual(Array.from({ length: 2500 }, (_, index) => index + 5));
  expect([started(), open()]).toEqual([1, 0]);
});

test('inputs that crash or hang a child are found, and all others are tried', async () => {
  const { start, tried, open } = children({ crashes: [3, 999], hangs: [1200] });
  const { faults, accepted } = await attack({ border: 'x', inputs: 1500, start });
  expect(faults.map(({ number, kind }) => [number, kind])).toEqual([
    [3, 'crash'],
    [999, 'crash'],
    [1200, 'hang'],
  ]);
  expect(accepted).toBe(1497);
  expect(new Set(tried).size).toBe(1497);
  expect(open()).toBe(0);
});

test('a child that ends after many inputs, none of which is at fault, is a crash of the batch', async () => {
  const { start, open } = children({ life: 800 });
  const { faults, accepted } = await attack({ border: 'x', inputs: 1000, start });
  // The second child has taken 500 inputs when it gets the second half.
  expect(faults).toEqual([{ number: 500, kind: 'crash', detail: 'in a batch of 500, not repeated' }]);
  expect([accepted, open()]).toEqual([1000, 0]);
});

test('memory that a border keeps counts from the first inputs on', async () => {
  const { start } = children({ leakMb: 0.01 });
  const { retainedMb } = await attack({ border: 'x', inputs: 3000, start });
  expect(retainedMb).toBeCloseTo(20);
});
