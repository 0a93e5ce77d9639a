// The wait for idle applications, with a clock and a container of its own.

import { expect, test } from 'vitest';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import {
  hasRunnableThreads,
  processorTimeIn,
  untilArranged,
  untilIdle,
  untilNothingRuns,
} from '../../../runtime/environments/docker/idle.ts';

const ITSELF = '/proc/9/task/9/status\n';

/** A container whose commands take the answers in turn, the last one for ever. */
const shellOf = (answers: readonly string[]) => {
  let asked = 0;
  const run = async () => {
    const output = Buffer.from(answers[Math.min(asked, answers.length - 1)] ?? '');
    asked += 1;
    return { code: 0, output, errors: new Uint8Array(), isCut: false };
  };
  return { run, asked: () => asked };
};

async function timeUntilIdle(answers: readonly string[], wait = untilIdle) {
  const clock = new VirtualClock();
  const shell = shellOf(answers);
  const since = clock.now();
  const done = wait(shell, clock).then(() => clock.now() - since);
  await clock.run();
  return { ms: await done, asked: shell.asked() };
}

test('the processor time is read in both versions of control groups', () => {
  expect(processorTimeIn('usage_usec 1500\nuser_usec 1000\n')).toBe(1.5);
  expect(processorTimeIn('2500000\n')).toBe(2.5);
  expect(processorTimeIn('')).toBeUndefined();
});

test('the program that looks for runnable threads does not count', () => {
  expect(hasRunnableThreads(`usage_usec 5\n${ITSELF}`)).toBe(false);
  expect(hasRunnableThreads(`${ITSELF}/proc/12/task/13/status\n`)).toBe(true);
});

test('three idle samples in a row end the wait', async () => {
  const busy = ['0', '100000000', '200000000'];
  const idle = ['201000000', '202000000'];
  expect(await timeUntilIdle([...busy, ...idle])).toEqual({ ms: 750, asked: 6 });
});

test('an idle sample between busy ones does not', async () => {
  expect((await timeUntilIdle(['0', '1000000', '101000000', '102000000', '103000000'])).asked).toBe(6);
});

test('a runnable thread is busy, however little time it got', async () => {
  const runnable = `1000000\n${ITSELF}/proc/12/task/12/status\n`;
  expect((await timeUntilIdle(['1000000', runnable, runnable, '1000000', '1000000'])).asked).toBe(6);
});

test('the wait ends after 15 s, and at once on an engine that reports no processor time', async () => {
  const film = Array.from({ length: 200 }, (_, index) => `${index * 100_000_000}`);
  expect((await timeUntilIdle(film)).ms).toBe(15_000);
  expect(await timeUntilIdle([''])).toEqual({ ms: 0, asked: 1 });
});

test('a program that has work delays the judgement, for at most 2 s', async () => {
  const runnable = `${ITSELF}/proc/12/task/12/status\n`;
  expect(await timeUntilIdle([ITSELF], untilNothingRuns)).toEqual({ ms: 0, asked: 1 });
  expect(await timeUntilIdle([runnable, runnable, ITSELF], untilNothingRuns)).toEqual({ ms: 40, asked: 3 });
  expect((await timeUntilIdle([runnable], untilNothingRuns)).ms).toBe(2000);
});

test('elements are asked for until two replies are equal, five more times at most', async () => {
  const timeUntilArranged = async (replies: readonly string[]) => {
    const clock = new VirtualClock();
    const since = clock.now();
    let asked = 0;
    const elements = async () => replies[Math.min(asked++, replies.length - 1)] ?? '';
    const done = untilArranged(elements, clock).then(() => clock.now() - since);
    await clock.run();
    return { ms: await done, asked };
  };
  expect(await timeUntilArranged(['a'])).toEqual({ ms: 200, asked: 2 });
  expect(await timeUntilArranged(['', 'too high', 'right'])).toEqual({ ms: 600, asked: 4 });
  expect(await timeUntilArranged([...'abcdefgh'])).toEqual({ ms: 1000, asked: 6 });
});
