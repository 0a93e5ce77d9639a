// Pauses of generation.

import { expect, test } from 'vitest';
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
  const gate = new GenerationGate();
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
  const gate = new GenerationGate();
  const running = gate.through(heldWork().work);
  await gate.pause('abort');
  await expect(running).rejects.toThrow(/Send it again/);
  expect(gate.isPaused).toBe(true);
});

test('a pause can leave the work in progress alone', async () => {
  const gate = new GenerationGate();
  const { work, end } = heldWork();
  const running = gate.through(work);
  await gate.pause('keep');
  end();
  expect(await running).toBe('done');
});

test('a second pause ends with the first resume', async () => {
  const gate = new GenerationGate();
  await gate.pause('wait');
  await gate.pause('abort');
  gate.resume();
  expect(await gate.through(async () => 'done')).toBe('done');
});
