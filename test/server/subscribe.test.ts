// States that were subscribed to: to whom they come, in which order, and what becomes of them when nobody reads.

import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LatestQueue } from '../../runtime/server/latest-queue.ts';
import type { DaemonServer } from '../../runtime/server/server.ts';
import { Client, pagesFolder, serve } from './client.ts';
import { playedState } from './played-state.ts';
import { ScriptedRuns } from './scripted-runs.ts';

const pages = pagesFolder();
const ONE = playedState(600, { run: 'one' });
const OTHER = playedState(60, { run: 'other', status: 'ended' });
const [POINT] = ONE.curve;
/** A megabyte: a hundred are far more than a socket's buffers hold. */
const LONG = { ...ONE, curve: Array.from({ length: 8000 }, () => POINT).flatMap(each => each ?? []) };
let runs: ScriptedRuns;
let server: DaemonServer;

beforeEach(async () => {
  runs = new ScriptedRuns(ONE, OTHER);
  server = await serve({ pages, runs });
});
afterEach(() => server.close());

const seen = (client: Client): readonly string[] =>
  client.messages.map(each => ('method' in each ? `${each.params.run} ${each.params.seconds}` : 'reply'));

test('the state of a run follows the reply, then each change of that run only', async () => {
  const client = await Client.enter(server.port);
  await client.ask('subscribe', { what: { run: 'one' } });
  runs.show({ ...OTHER, seconds: 61 });
  runs.show({ ...ONE, seconds: 601 });
  await client.until(() => client.states.find(({ seconds }) => seconds === 601));
  expect(seen(client)).toEqual(['reply', 'reply', 'one 600', 'one 601']);
});

test('a subscription to all runs reports each run when it changes', async () => {
  const client = await Client.enter(server.port);
  await client.ask('subscribe', { what: 'runs' });
  runs.show({ ...OTHER, seconds: 61 });
  await client.until(() => client.states[0]);
  runs.show({ ...ONE, seconds: 601 });
  await client.until(() => client.states[1]);
  expect(seen(client).slice(2)).toEqual(['other 61', 'one 601']);
});

test('an unsubscribed client receives no states', async () => {
  const client = await Client.enter(server.port);
  await client.ask('subscribe', { what: { run: 'one' } });
  await client.ask('unsubscribe', { what: { run: 'one' } });
  runs.show({ ...ONE, seconds: 601 });
  await client.ask('daemon.life');
  expect(client.states.map(({ seconds }) => seconds)).toEqual([600]);
});

test('a client that left is not watched', async () => {
  const before = runs.listeners;
  const client = await Client.enter(server.port);
  expect(runs.listeners).toBe(before + 1);
  client.socket.close();
  await client.closed;
  // The server hears of it in its own time.
  while (runs.listeners > before) await setImmediate();
});

test('a slow reader gets the newest state, not all that it missed', async () => {
  const client = await Client.enter(server.port);
  await client.ask('subscribe', { what: { run: 'one' } });
  client.socket.pause();
  const [first, last] = [1000, 1100];
  for (let seconds = first; seconds <= last; seconds += 1) {
    runs.show({ ...LONG, seconds });
    await setImmediate();
  }
  client.socket.resume();
  await client.until(() => client.states.find(({ seconds }) => seconds === last));
  expect(client.states.length).toBeLessThan(last - first);
  const moments = client.states.map(({ seconds }) => seconds);
  expect(moments).toEqual([...moments].sort((a, b) => a - b));
});

test('a client that sends requests and reads nothing is disconnected', async () => {
  runs.show(LONG);
  const client = await Client.enter(server.port);
  client.socket.pause();
  for (let id = 1000; id < 1100; id += 1) {
    client.socket.send(JSON.stringify({ id, method: 'run.state', params: { run: 'one' } }));
    await setImmediate();
  }
  while (server.life.clients > 0) await setImmediate();
  client.socket.terminate();
});

describe('of values that wait, the newest of each name', () => {
  test('sends in order in any interleaving, one value at a time', () => {
    const step = fc.oneof(fc.record({ offer: fc.constantFrom('a', 'b', 'c') }), fc.constant('sent' as const));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const sent: { readonly name: string; readonly number: number }[] = [];
        const acknowledge: (() => void)[] = [];
        const latest = new LatestQueue<string, { readonly name: string; readonly number: number }>(
          (value, done) => {
            expect(acknowledge).toEqual([]);
            sent.push(value);
            acknowledge.push(done);
          },
        );
        const offered = new Map<string, number>();
        for (const [number, each] of steps.entries()) {
          if (each === 'sent') acknowledge.shift()?.();
          else {
            offered.set(each.offer, number);
            latest.offer(each.offer, { name: each.offer, number });
          }
        }
        while (acknowledge.length > 0) acknowledge.shift()?.();
        for (const [name, number] of offered) {
          const numbers = sent.filter(each => each.name === name).map(each => each.number);
          expect(numbers.at(-1)).toBe(number);
          expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
        }
      }),
    );
  });
});
