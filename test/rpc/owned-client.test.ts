// A peer that stops answering, under a virtual clock that drives heartbeats and timeouts alike: when it is killed and what becomes of its calls.

import { close as closeInspector, open as openInspector } from 'node:inspector';
import { expect, onTestFinished, test, vi } from 'vitest';
import { backoffMs } from '../../runtime/core/retry.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { PeerEnded } from '../../runtime/rpc/client.ts';
import { DEBUG_VARIABLE, isDebugged } from '../../runtime/rpc/debugging.ts';
import {
  HEARTBEAT_INTERVAL_MS,
  HEARTBEAT_TIMEOUT_MS,
  STARTUP_HEARTBEAT_TIMEOUT_MS,
} from '../../runtime/rpc/messages.ts';
import { OPEN, OwnedClient } from '../../runtime/rpc/owned-client.ts';
import { serve } from '../../runtime/rpc/server.ts';
import { MemoryPort } from '../fabric/ports.ts';

type Calls = {
  readonly sleep: { readonly takes: number; readonly gives: undefined };
};

/** The limits of the project: a silent peer is reported within 15 s, and work continues within 30 s. */
const REPORTED_WITHIN_MS = 15_000;
const CONTINUES_WITHIN_MS = 30_000;

const HOUR_MS = 3_600_000;

async function opened(clock: VirtualClock) {
  const { client: port, server, cut } = MemoryPort.pair();
  const killed: { readonly at: number; readonly reason: string }[] = [];
  let end = () => {};
  const ended = new Promise<void>(resolve => {
    end = resolve;
  });
  const handlers = {
    [OPEN]: async () => 'about',
    sleep: async (ms: number) => {
      await clock.sleep(ms);
      return undefined;
    },
  };
  serve(server, handlers, { heartbeats: clock });
  const peer = {
    ...{ name: 'The peer', port, ended },
    disconnect: () => undefined,
    kill: (reason: string) => {
      killed.push({ at: clock.now(), reason });
      cut();
      end();
    },
  };
  const { client } = await OwnedClient.open<Calls, string>(peer, { clock });
  /** As SIGSTOP does: nothing that it sends arrives. */
  return { client, killed, stop: () => port.hold() };
}

test('a peer that is busy for an hour and sends heartbeats is not killed', async () => {
  const clock = new VirtualClock();
  const { client, killed } = await opened(clock);
  const call = client.call('sleep', HOUR_MS);
  await clock.run(HOUR_MS);
  await call;
  expect(killed).toEqual([]);
});

test('a peer that stops is killed within 15 s, and its pending and later calls fail with the reason', async () => {
  const clock = new VirtualClock();
  const { client, killed, stop } = await opened(clock);
  await clock.run(60_000);
  const calls = [client.call('sleep', HOUR_MS), client.call('sleep', HOUR_MS)];
  const settled = Promise.allSettled(calls);
  stop();
  await clock.run(60_000 + REPORTED_WITHIN_MS);
  const reason = 'The peer sent no heartbeat for 10 s and was killed.';
  expect(killed).toEqual([{ at: expect.any(Number), reason }]);
  for (const each of await settled) expect(each).toMatchObject({ reason: new PeerEnded(reason) });
  await expect(client.call('sleep', 1)).rejects.toThrow(reason);
});

test('the limits keep the promise: a report within 15 s, and a replacement that is ready within 30 s', () => {
  /** Time is counted in ticks of a second. */
  const tickMs = 1000;
  expect(HEARTBEAT_TIMEOUT_MS).toBeGreaterThanOrEqual(3 * HEARTBEAT_INTERVAL_MS);
  expect(HEARTBEAT_INTERVAL_MS + HEARTBEAT_TIMEOUT_MS + tickMs).toBeLessThanOrEqual(REPORTED_WITHIN_MS);
  const restartedAtMs = HEARTBEAT_TIMEOUT_MS + tickMs + backoffMs(1);
  // A process is ready about 3 s after its start.
  expect(restartedAtMs + 3000).toBeLessThanOrEqual(CONTINUES_WITHIN_MS);
  expect(STARTUP_HEARTBEAT_TIMEOUT_MS).toBeLessThanOrEqual(CONTINUES_WITHIN_MS);
});

test('a call that exceeds its deadline kills the peer', async () => {
  const clock = new VirtualClock();
  const { client, killed } = await opened(clock);
  const call = expect(client.call('sleep', HOUR_MS, { deadlineMs: 5000 })).rejects.toThrow('within 5 s');
  await clock.run(6000);
  await call;
  expect(killed).toEqual([{ at: 5000, reason: expect.stringContaining("the call 'sleep'") }]);
});

test('a peer that does not end when it is closed is killed', async () => {
  const clock = new VirtualClock();
  const { client, killed } = await opened(clock);
  const closed = client.close();
  await clock.run(2000);
  await closed;
  expect(killed).toEqual([{ at: 2000, reason: expect.stringContaining('within 2 s') }]);
});

test('while a debugger may be attached, a peer at a breakpoint is not killed and no call exceeds its deadline', async () => {
  vi.stubEnv(DEBUG_VARIABLE, '1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const clock = new VirtualClock();
  const { client, killed, stop } = await opened(clock);
  let isSettled = false;
  const call = client.call('sleep', HOUR_MS, { deadlineMs: 5000 }).finally(() => {
    isSettled = true;
  });
  const failed = expect(call).rejects.toThrow('within 5 s');
  stop();
  await clock.run(HOUR_MS);
  expect([isSettled, killed]).toEqual([false, []]);
  vi.stubEnv(DEBUG_VARIABLE, '');
  await clock.run(HOUR_MS + REPORTED_WITHIN_MS);
  await failed;
});

test('a process with an open inspector counts as debugged', () => {
  expect(isDebugged()).toBe(false);
  openInspector(0, '127.0.0.1');
  onTestFinished(closeInspector);
  expect(isDebugged()).toBe(true);
});
