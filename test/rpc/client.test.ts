// Laws of the transport under a virtual clock.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Clock } from '../../runtime/core/clock.ts';
import { DeadlineExceeded } from '../../runtime/core/deadline.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { Client, PeerEnded } from '../../runtime/rpc/client.ts';
import { serve } from '../../runtime/rpc/server.ts';
import { MemoryPort } from '../fabric/ports.ts';

type Calls = {
  readonly add: { readonly takes: readonly [number, number]; readonly gives: number };
  readonly sleep: { readonly takes: number; readonly gives: string };
  readonly fail: { readonly takes: string; readonly gives: undefined };
};

const turn = () => new Promise<void>(resolve => setImmediate(resolve));

function connected(clock: Clock = new VirtualClock()) {
  const pair = MemoryPort.pair();
  const server = serve(pair.server, {
    add: async ([a, b]: readonly [number, number]) => a + b,
    sleep: async (ms: number, { progress }) => {
      progress('begins');
      await clock.sleep(ms);
      return `slept ${ms}`;
    },
    fail: async (message: string) => {
      throw new RangeError(message);
    },
  });
  const client = new Client<Calls>(pair.client, { peer: 'The peer', clock });
  return { ...pair, server, peer: client };
}

test('a call returns the result or the error of its handler, under the name that the error has there', async () => {
  const { peer } = connected();
  expect(await peer.call('add', [1, 2])).toBe(3);
  await expect(peer.call('fail', 'too large')).rejects.toMatchObject({
    name: 'RangeError',
    message: 'too large',
  });
});

test('a handler reports progress before its result', async () => {
  const clock = new VirtualClock();
  const { peer } = connected(clock);
  const values: unknown[] = [];
  const call = peer.call('sleep', 10, { progress: value => values.push(value) });
  await clock.run();
  expect([...values, await call]).toEqual(['begins', 'slept 10']);
});

test('a call that exceeds its deadline is rejected; its late reply is ignored', async () => {
  const clock = new VirtualClock();
  const { peer } = connected(clock);
  const late = peer.call('sleep', 60_000, { deadlineMs: 5000 }).catch((error: unknown) => error);
  const early = peer.call('sleep', 2000, { deadlineMs: 5000 });
  await clock.run(5000);
  expect(await early).toBe('slept 2000');
  expect(await late).toBeInstanceOf(DeadlineExceeded);
  await clock.run();
  expect(await peer.call('add', [1, 1])).toBe(2);
});

test('the end of the connection rejects pending and later calls', async () => {
  const { peer, cut } = connected();
  const pending = peer.call('sleep', 1);
  cut();
  await expect(pending).rejects.toBeInstanceOf(PeerEnded);
  await expect(peer.call('add', [1, 2])).rejects.toBeInstanceOf(PeerEnded);
});

test('a peer that sends nothing for the whole timeout is reported once; any message resets it', async () => {
  const clock = new VirtualClock();
  const { peer, server } = connected(clock);
  const silentAt: number[] = [];
  peer.expectHeartbeats(10_000, () => silentAt.push(clock.now()));
  for (let heartbeat = 1; heartbeat <= 5; heartbeat += 1) {
    await clock.run(4000 * heartbeat);
    server.notify('$heartbeat', undefined);
    await turn();
  }
  await clock.run(60_000);
  expect(silentAt).toEqual([30_000]);
});

test('time during which this process was suspended does not count as silence or against a deadline', async () => {
  const jumps = { ms: 0 };
  const virtual = new VirtualClock();
  const clock: Clock = {
    now: () => virtual.now() + jumps.ms,
    sleep: (ms, signal) => virtual.sleep(ms, signal),
  };
  const { peer } = connected(clock);
  let silent = 0;
  let outcome: unknown;
  peer.expectHeartbeats(10_000, () => {
    silent += 1;
  });
  void peer.call('sleep', 8000, { deadlineMs: 10_000 }).then(result => {
    outcome = result;
  });
  await virtual.run(1500);
  jumps.ms = 3_600_000;
  await virtual.run(9000);
  expect([silent, outcome]).toEqual([0, 'slept 8000']);
});

test('each call settles exactly once, whatever happens in whatever order', async () => {
  const acts = fc.array(
    fc.oneof(
      fc.record({
        act: fc.constant('call' as const),
        ms: fc.nat(9000),
        deadlineMs: fc.integer({ min: 1, max: 9000 }),
      }),
      fc.record({ act: fc.constantFrom('hold', 'release', 'cut', 'close') }),
      fc.record({ act: fc.constant('wait' as const), ms: fc.nat(5000) }),
    ),
    { maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(acts, async list => {
      const clock = new VirtualClock();
      const { peer, client, cut } = connected(clock);
      const settled: number[] = [];
      let calls = 0;
      for (const each of list) {
        if (each.act === 'call') {
          const index = calls++;
          const done = () => {
            settled[index] = (settled[index] ?? 0) + 1;
          };
          const { deadlineMs } = each;
          void peer.call('sleep', each.ms, { deadlineMs }).then(done, done);
        } else if (each.act === 'wait') await clock.run(clock.now() + each.ms);
        else if (each.act === 'cut') cut();
        else if (each.act === 'close') peer.close(new PeerEnded('closed'));
        else if (each.act === 'hold') client.hold();
        else client.release();
      }
      await clock.run();
      client.release();
      await peer.idle();
      await turn();
      expect(settled).toEqual(Array.from({ length: calls }, () => 1));
    }),
    { numRuns: 100 },
  );
});
