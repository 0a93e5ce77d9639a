// The process of a module: start, stop, death, and the items that it held.

import { fork } from 'node:child_process';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import type { Taker } from '../../runtime/fabric/channels.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import type { Fabric } from '../../runtime/fabric/fabric.ts';
import { serveFabric } from '../../runtime/fabric/remote/server.ts';
import { batched } from '../../runtime/rpc/batched-port.ts';
import { childPort } from '../../runtime/rpc/child-port.ts';
import { Client } from '../../runtime/rpc/client.ts';
import {
  FABRIC_PORT,
  MODULE_PORT,
  type ModuleCalls,
  ModuleEnded,
  ModuleProcess,
} from '../../runtime/run/module-process.ts';
import { ModuleSupervisor } from '../../runtime/run/module-supervisor.ts';
import { bundled } from '../bundle-entry.ts';
import { passUntil } from '../pass-until.ts';
import { PATIENCE } from '../patience.ts';
import type { TestStart } from './module.ts';

let entry: URL;
beforeAll(async () => {
  entry = await bundled(new URL('./module.ts', import.meta.url));
});

const LESSON = { sort: 'grounding', kind: 'any', steps: [] } as const;

function started(does: TestStart['does'], from = entry, fabric: Fabric = embeddedFabric()) {
  const clock = new VirtualClock();
  const start: TestStart = { does, bytes: Uint8Array.of(7, 8, 9) };
  const module = ModuleProcess.start({ name: 'any', entry: from, start, fabric, clock });
  onTestFinished(async () => {
    const closed = module.close(0);
    await clock.run();
    await closed;
  });
  /** Once it has said so. */
  const says = async (what: string) => {
    for await (const needs of fabric.needs.watch()) if (what in needs) return;
  };
  return { module, fabric, clock, says };
}

const takerOf = <T>(taker: Taker<T>): Omit<Taker<T>, 'close'> => ({
  take: signal => taker.take(signal),
  tryTake: () => taker.tryTake(),
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a module gets its options and the fabric, reports ready after preparing, and stops on request', async () => {
  const { module, fabric, says } = started('stops');
  await module.ready;
  expect(await fabric.weights.get()).toEqual({ version: 3, blob: Uint8Array.of(7, 8, 9) });
  await says('works');
  await module.close(60_000);
  expect(await fabric.needs.get()).toEqual({ stops: 1 });
  expect(await module.ended).toEqual({
    wasClosed: true,
    isClean: true,
    message: expect.stringMatching(new RegExp(`any.*${module.pid}.*exit code 0`)),
  });
  expect(isAlive(module.pid)).toBe(false);
});

test('work that the stop interrupts has not failed', async () => {
  const { module } = started('stops quietly');
  await module.ready;
  await Promise.all([module.close(60_000), module.close(60_000)]);
  expect((await module.ended).message).toContain('exit code 0');
});

test('a death is reported with its cause, and its items return to the queue', async () => {
  const { module, fabric, says } = started('stops');
  await fabric.lessons.put(LESSON);
  await says('works');
  expect(await fabric.lessons.depth()).toEqual({ waiting: 0, taken: 1 });
  process.kill(module.pid, 'SIGKILL');
  const end = await module.ended;
  expect(end.wasClosed).toBe(false);
  expect(end.message).toMatch(/^The any \(process \d+\) ended with SIGKILL\.$/);
  expect(await fabric.lessons.depth()).toEqual({ waiting: 1, taken: 0 });
  await module.close(60_000);
});

test('items that a stopped module holds return to the queue', async () => {
  const { module, fabric, says } = started('stops');
  await fabric.lessons.put(LESSON);
  await says('works');
  await module.close(60_000);
  expect(await fabric.lessons.depth()).toEqual({ waiting: 1, taken: 0 });
});

test('a module that does not stop is killed at the timeout, and not before', async () => {
  const { module, clock, says } = started('never stops');
  await says('works');
  const closed = module.close(5000);
  await says('stops');
  await clock.run(4999);
  expect(isAlive(module.pid)).toBe(true);
  await clock.run(5000);
  await closed;
  expect(await module.ended).toMatchObject({
    wasClosed: true,
    message: expect.stringContaining('was killed'),
  });
});

test('a module that ends by itself was not closed', async () => {
  const { module } = started('ends by itself');
  expect(await module.ended).toMatchObject({
    wasClosed: false,
    isClean: true,
    message: expect.stringContaining('exit code 0'),
  });
  await module.ready;
});

test('a module that cannot prepare rejects ready with the reason', async () => {
  const { module } = started('cannot prepare');
  await expect(module.ready).rejects.toBeInstanceOf(ModuleEnded);
  await expect(module.ready).rejects.toThrow(/^there is nothing to learn$/);
});

test.each([
  ['fails', 'out of weights'],
  ['fails elsewhere', 'a loose end'],
] as const)('one that %s ends with what went wrong', async (does, message) => {
  const { module } = started(does);
  await module.ready;
  expect(await module.ended).toEqual({
    wasClosed: false,
    isClean: false,
    message: expect.stringContaining(`exit code 1: ${message}`),
  });
});

describe('a module that fails while it has items', () => {
  test.each<[string, () => Promise<void>]>([
    ['are refused by the broker', () => Promise.reject(new Error('The queue is closed.'))],
    ['wait for a broker that is away', () => new Promise<never>(() => undefined)],
  ])('ends with what went wrong, although they %s', async (_, close) => {
    const fabric = embeddedFabric();
    const { lessons } = fabric;
    const taker = () => ({ ...takerOf(lessons.taker()), close });
    const stuck: Fabric = {
      ...fabric,
      lessons: { put: item => lessons.put(item), depth: () => lessons.depth(), taker },
    };
    await lessons.put(LESSON);
    const { module } = started('fails with an item', entry, stuck);
    const { message, isClean } = await module.ended;
    expect(message).toContain('exit code 1: a loose end');
    expect(isClean).toBe(false);
  });
});

test('signals to the whole process group do not end a module; its daemon does', async () => {
  const { module, says } = started('stops');
  await says('works');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(module.pid, signal);
  await module.close(60_000);
  expect((await module.ended).message).toContain('exit code 0');
});

test('a module stops when its daemon is gone', async () => {
  const child = fork(entry, { serialization: 'advanced', execArgv: [] });
  const ended = new Promise(resolve => child.once('exit', resolve));
  serveFabric(embeddedFabric(), batched(childPort(child, FABRIC_PORT)));
  const client = new Client<ModuleCalls>(childPort(child, MODULE_PORT), { peer: 'It', clock: systemClock });
  const start: TestStart = { does: 'stops quietly', bytes: Uint8Array.of() };
  await client.call('start', start);
  child.disconnect();
  expect(await ended).toBe(0);
});

test('a missing entry or a program that does not start ends the module', async () => {
  const { module } = started('stops', new URL('./no-such-file.js', import.meta.url));
  await expect(module.ready).rejects.toThrow(/ended with exit code 1/);
  const node = process.execPath;
  onTestFinished(() => {
    process.execPath = node;
  });
  process.execPath = '/no/such/node';
  await expect(started('stops').module.ready).rejects.toThrow(/ENOENT/);
});

test('one that is stopped is reported within 15 s, gives back what it held, and is replaced within 30 s', async () => {
  const [fabric, clock] = [embeddedFabric(), new VirtualClock()];
  const start: TestStart = { does: 'stops', bytes: Uint8Array.of() };
  const lives: ModuleProcess[] = [];
  const health: (readonly [healthy: boolean, message: string])[] = [];
  const supervisor = new ModuleSupervisor({
    name: 'the module',
    begin: () => {
      const life = ModuleProcess.start({ name: 'any', entry, start, fabric, clock });
      lives.push(life);
      return life;
    },
    clock,
    health: (_, healthy, message) => health.push([healthy, message]),
  });
  onTestFinished(async () => void (await supervisor.close()));
  const depth = () => fabric.lessons.depth();
  await fabric.lessons.put(LESSON);
  await supervisor.ready;
  await expect.poll(depth).toEqual({ waiting: 0, taken: 1 });
  process.kill(lives[0]?.pid ?? expect.unreachable('There is no process.'), 'SIGSTOP');
  // Virtual time also passes while the killed process really ends, so the report tells when it was killed.
  await passUntil(clock, () => health.length > 0);
  const why =
    /^The any \(process \d+\) sent no heartbeat for (\d+) s and was killed\. It is started again in 1 s\.$/;
  expect(health).toEqual([[false, expect.stringMatching(why)]]);
  const silentSeconds = Number(why.exec(health[0]?.[1] ?? '')?.[1]);
  expect(silentSeconds).toBeLessThanOrEqual(15);
  expect(await depth()).toEqual({ waiting: 1, taken: 0 });
  expect(isAlive(lives[0]?.pid ?? 0)).toBe(false);
  const restartMs = await passUntil(clock, () => lives.length > 1);
  expect(1000 * silentSeconds + restartMs).toBeLessThanOrEqual(30_000);
  await expect.poll(() => health.at(-1)).toEqual([true, 'works again']);
  await expect.poll(depth).toEqual({ waiting: 0, taken: 1 });
});

test('options that are not plain data are rejected, and leave no process behind', async () => {
  const processes = () => process.getActiveResourcesInfo().filter(each => each === 'ProcessWrap').length;
  const before = processes();
  const [fabric, clock] = [embeddedFabric(), new VirtualClock()];
  const start = { answer: () => 42 };
  const module = ModuleProcess.start({ name: 'any', entry, start, fabric, clock });
  await expect(module.ready).rejects.toThrow(/could not be cloned/);
  await vi.waitUntil(() => processes() === before, PATIENCE);
});
