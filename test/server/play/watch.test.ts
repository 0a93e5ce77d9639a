// Shows a scripted solution, with a clock that the test advances.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Clock } from '../../../runtime/core/clock.ts';
import { seed } from '../../../runtime/core/ids.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { POCKET, solutionOf } from '../../../runtime/environments/pocket/tasks/suite.ts';
import type { PlayMessage } from '../../../runtime/protocol/play.ts';
import type { PlayServer } from '../../../runtime/server/play/server.ts';
import { Client, serve } from './client.ts';

const PAUSE = 1234;
const task = POCKET.task('settings-device-name', seed(3));

/** Pauses of a solution end when the test advances the clock; all other times are real. */
class ManualClock implements Clock {
  #wake: (() => void)[] = [];

  now(): number {
    return systemClock.now();
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (milliseconds !== PAUSE) return systemClock.sleep(milliseconds, signal);
    return new Promise((resolve, reject) => {
      this.#wake.push(resolve);
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  }

  advance(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

let clock: ManualClock;
let server: PlayServer;
let client: Client;
beforeEach(async () => {
  clock = new ManualClock();
  server = await serve(clock);
  client = await Client.enter(server.port);
  await client.ask('start', { task: task.id, seed: 3 });
});
afterEach(() => server.close());

const isEvent = (method: string) => (each: PlayMessage) => 'method' in each && each.method === method;
const numbered = (number: number) =>
  client.until(each => 'method' in each && each.method === 'next' && each.params.number === number);

test('each action is announced, then executed after the pause, and the end is judged', async () => {
  const { actions } = solutionOf(POCKET, task, seed(3));
  const reply = await client.ask('watch', { pause: PAUSE });
  expect(reply).toMatchObject({ result: { actions: actions.length, task: { seed: 3 } } });
  for (const [index, action] of actions.entries()) {
    expect(await numbered(index + 1)).toMatchObject({ params: { action } });
    clock.advance();
  }
  const ticking = setInterval(() => clock.advance(), 5);
  const over = await client.until(isEvent('watched'));
  clearInterval(ticking);
  expect(over).toMatchObject({ params: { success: true, steps: actions.length } });
  expect(client.messages.indexOf(reply)).toBeLessThan(client.messages.findIndex(isEvent('next')));
});

test('the user cannot act while a solution is shown, and can after it is stopped', async () => {
  await client.ask('watch', { pause: PAUSE });
  await numbered(1);
  clock.advance();
  await numbered(2);
  const act = () => client.ask('act', { action: { kind: 'wait' } });
  expect(await act()).toMatchObject({ error: { code: 'failed' } });
  expect(await client.ask('judge', { ending: 'finished' })).toMatchObject({ error: { code: 'failed' } });
  expect(await client.ask('stop')).toMatchObject({ result: {} });
  expect(await act()).toMatchObject({ result: { steps: 2 } });
  expect(client.messages.some(each => isEvent('broken')(each) || isEvent('watched')(each))).toBe(false);
});

test('a solution that is stopped at once does not hang', async () => {
  const watching = client.ask('watch', { pause: PAUSE });
  const stopped = client.ask('stop');
  expect(await watching).toMatchObject({ result: { task: { id: task.id } } });
  expect(await stopped).toMatchObject({ result: {} });
});

test('starting another task replaces the solution', async () => {
  await client.ask('watch', { pause: PAUSE });
  await numbered(1);
  const other = await client.ask('start', { task: 'settings-theme', seed: 1 });
  expect(other).toMatchObject({ result: { task: { id: 'settings-theme' } } });
  expect(await client.ask('act', { action: { kind: 'wait' } })).toMatchObject({ result: { steps: 1 } });
});

test('a page that disconnects ends its solution', async () => {
  await client.ask('watch', { pause: PAUSE });
  client.socket.terminate();
  await client.closed;
  await server.close();
});
