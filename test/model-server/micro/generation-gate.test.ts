// Pauses of generation.

import { expect, test } from 'vitest';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { GenerationGate } from '../../../runtime/model-server/micro/generation-gate.ts';

/** Work that ends when the test says so, or when it is aborted. */
function heldWork() {
  let end = (): void => {};
  const work = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      end = () => resolve('done');
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  return { work, end: () => end() };
}

const settle = () => new Promise<void>(resolve => setImmediate(resolve));

test('a pause waits for the work in progress, and holds back other work until it ends', async () => {
  const gate = new GenerationGate(new VirtualClock());
  const { work, end } = heldWork();
  const running = gate.through(work);
  const events: string[] = [];
  const pause = gate.pause('wait').then(() => events.push('paused'));
  const later = gate.through(async () => events.push('later'));
  await settle();
  expect(events).toEqual([]);
  end();
  expect(await running).toBe('done');
  await pause;
  expect(events).toEqual(['paused']);
  gate.resume();
  await later;
  expect(events).toEqual(['paused', 'later']);
});

test('a pause can end the work in progress', async () => {
  const gate = new GenerationGate(new VirtualClock());
  const running = gate.through(heldWork().work);
  await gate.pause('abort');
  await expect(running).rejects.toThrow(/Send it again/);
  expect(gate.isPaused).toBe(true);
});

test('a pause can leave the work in progress alone', async () => {
  const gate = new GenerationGate(new VirtualClock());
  const { work, end } = heldWork();
  const running = gate.through(work);
  await gate.pause('keep');
  end();
  expect(await running).toBe('done');
});

test('a second pause ends with the first resume', async () => {
  const gate = new GenerationGate(new VirtualClock());
  await gate.pause('wait');
  await gate.pause('abort');
  gate.resume();
  expect(await gate.through(async () => 'done')).toBe('done');
});

const LIVE = new AbortController().signal;

test('during a pause, work of an HTTP request ends after 30 s with an error that names the pause', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 2));
  const gate = new GenerationGate(clock);
  await gate.pause('wait');
  const waiting = gate.through(async () => 'done', LIVE).catch((error: unknown) => error);
  await clock.run(clock.now() + 20_000);
  // Another pause does not begin the time again.
  gate.resume();
  await gate.pause('wait');
  await clock.run(clock.now() + 10_000);
  expect(await waiting).toMatchObject({
    status: 503,
    message: 'The server has been paused since 2026-01-02T00:00:20.000Z. POST /resume to go on.',
  });
});

test('work of a client that leaves ends, in progress and during a pause', async () => {
  const gate = new GenerationGate(new VirtualClock());
  const left = new AbortController();
  const running = gate.through(heldWork().work, left.signal).catch((error: unknown) => error);
  await gate.pause('keep');
  const waiting = gate.through(heldWork().work, left.signal).catch((error: unknown) => error);
  left.abort('left');
  expect(await Promise.all([running, waiting])).toEqual(['left', 'left']);
});
