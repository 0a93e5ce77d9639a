// The desktops of an OpenEnv server from their start to their end.

import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { parseConfig } from '../../runtime/config/config.ts';
import { COMPACT_AGENT } from '../../runtime/core/agent.ts';
import type { Desktop } from '../../runtime/core/desktop.ts';
import { BoundaryError } from '../../runtime/core/failure.ts';
import { desktopId } from '../../runtime/core/ids.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { DesktopCalls } from '../../runtime/environments/desktop-calls.ts';
import { PocketDesktop } from '../../runtime/environments/pocket/desktop.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { type ServeDesktopsOptions, serveDesktops } from '../../runtime/openenv/serve-desktops.ts';
import { LEASE_TIMEOUT_MS } from '../../runtime/openenv/session.ts';
import type { HostKind } from '../../runtime/run/host/host-kind.ts';
import type { KindOptions } from '../../runtime/run/host/host-kinds.ts';
import { PATIENCE } from '../patience.ts';

/** Desktops of one kind. `closings` counts how often the kind was closed. */
function kindOf(make: HostKind['make']) {
  let closings = 0;
  const kind: HostKind = {
    ...{ suite: POCKET, make, isScripted: () => false },
    teacher: () => ({ concurrency: 1, demonstrate: async () => undefined }),
    close: async () => void closings++,
  };
  return { kind, closings: () => closings };
}

const serve = (kind: HostKind, more: Partial<ServeDesktopsOptions> = {}) =>
  serveDesktops({
    ...{ config: parseConfig({}), sessions: 1, port: 0, observation: 'text', idleMs: 600_000 },
    ...{ health: () => undefined, stop: new AbortController().signal, clock: systemClock },
    open: async () => kind,
    ...more,
  });

/** Its reset takes until the desktop is closed. */
function hanging(onReset: () => void): Desktop {
  return desktopWith(() => {
    onReset();
    return new Promise(() => undefined);
  });
}

function desktopWith(reset: () => ReturnType<Desktop['reset']>): Desktop {
  const inner = new PocketDesktop(desktopId('resets'));
  const calls = new DesktopCalls({ id: inner.id, discard: () => undefined });
  return {
    id: inner.id,
    reset: () => calls.run(reset),
    act: action => inner.act(action),
    query: getter => inner.query(getter),
    setup: step => inner.setup(step),
    judge: ending => inner.judge(ending),
    close: async () => calls.close(),
  };
}

test('a reset that hangs does not delay the end of the server', async () => {
  let resets = 0;
  const { kind, closings } = kindOf(async () => hanging(() => resets++));
  const served = await serve(kind);
  const socket = new WebSocket(`${served.url.replace('http', 'ws')}/ws`);
  await once(socket, 'open');
  const closed = once(socket, 'close');
  socket.send(JSON.stringify({ type: 'reset', data: { seed: 1 } }));
  await expect.poll(() => resets, PATIENCE).toBe(1);
  await served.close();
  expect((await closed)[0]).toBe(1001);
  expect(closings()).toBe(1);
});

/** A container needs an engine. */
const NO_ENGINE = new BoundaryError({ boundary: 'provider', thing: 'docker', message: 'no engine answers' });

test('a reset for which the engine of containers is away asks for another reset, within the patience of the client', async () => {
  let opened: KindOptions | undefined;
  const { kind } = kindOf(async () => desktopWith(() => Promise.reject(NO_ENGINE)));
  const served = await serve(kind, {
    open: async options => {
      opened = options;
      return kind;
    },
  });
  const socket = new WebSocket(`${served.url.replace('http', 'ws')}/ws`);
  await once(socket, 'open');
  const reply = once(socket, 'message');
  socket.send(JSON.stringify({ type: 'reset', data: { seed: 1 } }));
  const [data] = await reply;
  expect(JSON.parse(String(data))).toMatchObject({
    type: 'error',
    data: { code: 'CAPACITY_REACHED', message: expect.stringContaining('no engine answers') },
  });
  expect(LEASE_TIMEOUT_MS + (opened?.resetTimeoutMs ?? Number.POSITIVE_INFINITY)).toBeLessThan(60_000);
  await served.close();
});

test('a refused reset has the reason of a desktop that does not start, also after another thing has recovered', async () => {
  const clock = new VirtualClock();
  let opened: KindOptions | undefined;
  let starts = 0;
  const { kind } = kindOf(async () => {
    starts += 1;
    if (starts > 1) throw new Error('no image');
    return desktopWith(() => Promise.reject(NO_ENGINE));
  });
  const reported: string[] = [];
  const pending = serve(kind, {
    clock,
    health: thing => void reported.push(thing),
    open: async options => {
      opened = options;
      return kind;
    },
  });
  await clock.run(100);
  const served = await pending;
  const socket = new WebSocket(`${served.url.replace('http', 'ws')}/ws`);
  await once(socket, 'open');
  const reset = async (): Promise<unknown> => {
    const reply = once(socket, 'message');
    socket.send(JSON.stringify({ type: 'reset', data: { seed: 1 } }));
    const [data] = await reply;
    return JSON.parse(String(data));
  };
  await reset();
  await expect.poll(() => reported, PATIENCE).toContain('desktop 0');
  opened?.health('another engine', true, 'starts desktops again');
  expect(await reset()).toMatchObject({
    type: 'error',
    data: {
      code: 'CAPACITY_REACHED',
      message: 'No desktop is free. desktop 0: no image; next attempt in 1 s. Send the reset again later.',
    },
  });
  const closed = served.close();
  await clock.run(10_000);
  await closed;
});

test('the desktops are opened for a model, which sees the pixels of larger screens unscaled', async () => {
  let opened: KindOptions | undefined;
  const { kind } = kindOf(async id => new PocketDesktop(id));
  const config = parseConfig({ environments: { kind: 'docker', docker: { image: 'large' } } });
  expect(config.agent).toBe(COMPACT_AGENT);
  const served = await serve(kind, {
    config,
    open: async options => {
      opened = options;
      return kind;
    },
  });
  expect(opened?.config.agent).not.toBe(COMPACT_AGENT);
  expect(opened?.config.environments).toEqual(config.environments);
  await served.close();
});

test('the server listens only when desktops that failed to start work, too', async () => {
  const clock = new VirtualClock();
  let failures = 0;
  const { kind } = kindOf(async id => {
    if (id === 'openenv-1' && failures < 2) {
      failures += 1;
      throw new Error('no image');
    }
    return new PocketDesktop(id);
  });
  let isServing = false;
  const pending = serve(kind, { clock, sessions: 2 }).finally(() => {
    isServing = true;
  });
  // The second start fails after 1 s, the third begins 2 s later.
  await clock.run(2500);
  expect([failures, isServing]).toEqual([2, false]);
  await clock.run(3500);
  const served = await pending;
  expect(served.freeDesktops).toBe(2);
  const closed = served.close();
  await clock.run(10_000);
  await closed;
});

test('a server whose desktops all fail to start is given up after three minutes, with the reason', async () => {
  const clock = new VirtualClock();
  const { kind, closings } = kindOf(async () => Promise.reject(new Error('no image')));
  const refused = expect(serve(kind, { clock, sessions: 2 })).rejects.toThrow(
    /^No desktop has started within 3 minutes\. desktop \d: no image/,
  );
  await clock.run(170_000);
  expect(closings()).toBe(0);
  // The pool repeats a start after 1, 3, 7, 15, 31, 63, 123 and 183 s.
  await clock.run(184_000);
  await refused;
  expect(closings()).toBe(1);
});
