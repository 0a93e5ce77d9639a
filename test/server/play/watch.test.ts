// Watching a scripted solution, under a clock that a test turns.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Clock } from '../../../runtime/core/clock.ts';
import { seed } from '../../../runtime/core/ids.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { POCKET, solutionOf } from '../../../runtime/environments/pocket/tasks/suite.ts';
import type { PlayServer } from '../../../runtime/server/play/server.ts';
import { Client, serve } from './client.ts';

const PAUSE = 1234;
const task = POCKET.task('settings-device-name', seed(3));

/** Pauses of a solution end when the test says so; all others are real. */
class Turned implements Clock {
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

  turn(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

let clock: Turned;
let server: PlayServer;
let client: Client;
beforeEach(async () => {
  clock = new Turned();
  server = await serve(clock);
  client = await Client.enter(server.port);
  await client.ask({ call: 'start', task: task.id, seed: 3 });
});
afterEach(() => server.close());

const numbered = (number: number) => client.until(each => each.kind === 'next' && each.number === number);

test('each action is announced, then done after the pause, and the end is judged', async () => {
  const { actions } = solutionOf(POCKET, task, seed(3));
  const reply = await client.ask({ call: 'watch', pause: PAUSE });
  expect(reply).toMatchObject({ kind: 'watching', actions: actions.length, task: { seed: 3 } });
  for (const [index, action] of actions.entries()) {
    expect(await numbered(index + 1)).toMatchObject({ action });
    clock.turn();
  }
  const ticking = setInterval(() => clock.turn(), 5);
  const over = await client.until(each => each.kind === 'watched');
  clearInterval(ticking);
  expect(over).toMatchObject({ judgement: { success: true, steps: actions.length } });
  expect(client.messages.indexOf(reply)).toBeLessThan(
    client.messages.findIndex(each => each.kind === 'next'),
  );
});

test('while it is shown nobody else acts; stopped, the desktop can be used from there', async () => {
  await client.ask({ call: 'watch', pause: PAUSE });
  await numbered(1);
  clock.turn();
  await numbered(2);
  const act = { call: 'act', action: { kind: 'wait' } };
  expect(await client.ask(act)).toMatchObject({ code: 'not_now' });
  expect(await client.ask({ call: 'judge', ending: 'finished' })).toMatchObject({ code: 'not_now' });
  expect(await client.ask({ call: 'stop' })).toMatchObject({ kind: 'stopped' });
  expect(await client.ask(act)).toMatchObject({ kind: 'acted', steps: 2 });
  expect(client.messages.some(each => each.kind === 'broken' || each.kind === 'watched')).toBe(false);
});

test('stopping right after it was asked for does not hang', async () => {
  const watching = client.ask({ call: 'watch', pause: PAUSE });
  const stopped = client.ask({ call: 'stop' });
  expect(await watching).toMatchObject({ kind: 'watching' });
  expect(await stopped).toMatchObject({ kind: 'stopped' });
});

test('another task takes its place', async () => {
  await client.ask({ call: 'watch', pause: PAUSE });
  await numbered(1);
  const other = await client.ask({ call: 'start', task: 'settings-theme', seed: 1 });
  expect(other).toMatchObject({ kind: 'started' });
  expect(await client.ask({ call: 'act', action: { kind: 'wait' } })).toMatchObject({ steps: 1 });
});

test('a page that leaves meanwhile takes it along', async () => {
  await client.ask({ call: 'watch', pause: PAUSE });
  client.socket.terminate();
  await client.closed;
  await server.close();
});
