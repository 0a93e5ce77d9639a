// Desktops of joined hosts in the hands of people: a connection that loses requests and answers, hosts that vanish, and hosts that lie.

import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { embeddedFabric } from '../../../runtime/fabric/embedded-fabric.ts';
import { ValueCodec } from '../../../runtime/fabric/nats/codec.ts';
import { fetching, replying } from '../../../runtime/run/joined/host-desks.ts';
import { LoanDesk } from '../../../runtime/run/joined/loan-desk.ts';
import { settled } from '../../endpoints/rolling/fleet.ts';
import { type LostPost, lentDesktops } from '../host/lent-desktops.ts';

const CLICK = { kind: 'click', at: { x: 3, y: 230 } } as const;

test.each<[string, LostPost]>([
  ['requests', 'request'],
  ['answers', 'answer'],
])('each click is performed once, although every third post loses its %s', async (_, lost) => {
  const clock = new VirtualClock();
  const { host, put, borrow, rest, acted } = lentDesktops({
    ...{ channels: 'of a joined host', size: 1, acts: 1, clock },
    loses: post => (post % 3 === 0 ? lost : undefined),
  });
  host();
  await put(1);
  await rest(15);
  const { desktop, close } = await settled(clock, borrow('d0'));
  const before = acted();
  for (let click = 0; click < 5; click += 1) await settled(clock, desktop.act(CLICK));
  expect(acted() - before).toBe(5);
  await settled(clock, close());
});

test('a host that vanishes fails the call under way, and the person learns it', async () => {
  let isAway = false;
  const clock = new VirtualClock();
  const { host, put, borrow, rest } = lentDesktops({
    ...{ channels: 'of a joined host', size: 1, clock },
    loses: () => (isAway ? 'request' : undefined),
  });
  host();
  await put(1);
  await rest(15);
  const { desktop, lost } = await settled(clock, borrow('d0'));
  isAway = true;
  const failed = desktop.act(CLICK).catch((error: Error) => error.message);
  expect(await settled(clock, failed)).toMatch(/host 'tower' has vanished.*Choose another/);
  expect((await settled(clock, lost)).message).toContain('has vanished');
  const refused = borrow('d0').catch((error: Error) => error.message);
  expect(await settled(clock, refused)).toContain("'tower' does not answer");
});

test('a host that joins again does not hide that its earlier process is gone', async () => {
  const clock = new VirtualClock();
  let actMs = 10;
  const { host, put, borrow, rest, desk } = lentDesktops({
    ...{ channels: 'of a joined host', size: 1, acts: () => actMs, clock },
  });
  host();
  await put(1);
  await rest(15);
  const { desktop, lost } = await settled(clock, borrow('d0'));
  actMs = 200_000;
  const failed = desktop.act(CLICK).catch((error: Error) => error.message);
  await clock.run(clock.now() + 1000);
  const before = clock.now();
  desk.forget('tower');
  expect(await settled(clock, failed)).toMatch(/host 'tower' has vanished.*Choose another/);
  expect((await settled(clock, lost)).message).toContain('has vanished');
  expect(clock.now() - before).toBeLessThan(5000);
});

describe('a desk with two hosts', () => {
  const codec = new ValueCodec(undefined);
  const bytes = async (value: unknown) => (await codec.encode(value)).bytes;
  const opened = async () => {
    const clock = new VirtualClock();
    const fabric = embeddedFabric();
    const desk = new LoanDesk({ fabric, clock });
    const heard = fabric.loaned.listen()[Symbol.asyncIterator]();
    const fetch = async (host: string, after = 0) => {
      const body = Buffer.from(JSON.stringify({ after }));
      const fetched = fetching(desk)(host, body, new AbortController().signal);
      await clock.run(clock.now() + 30_000);
      const answer = await fetched;
      return answer === undefined ? [] : ((await codec.decode(answer)) as readonly unknown[]);
    };
    await Promise.all([fetch('tower'), fetch('laptop')]);
    const borrowed = { id: 'a.1', loan: 'a', call: { kind: 'borrow', desktop: 'tower-d1', who: 'Ada' } };
    await desk.loans.put(borrowed as Parameters<typeof desk.loans.put>[0]);
    const reply = async (host: string, value: unknown) =>
      replying(desk)(host, await bytes(value), new AbortController().signal);
    return { desk, fabric, fetch, reply, borrowed, heard };
  };
  const failure = { boundary: 'environment', thing: 'a', message: 'It broke.' };

  test('gives a request to the host of its desktop alone, until it has arrived', async () => {
    const { fetch, borrowed, fabric } = await opened();
    expect(await fetch('laptop')).toEqual([]);
    const sent = [{ number: 1, request: borrowed }];
    expect(await fetch('tower')).toEqual(sent);
    expect(await fetch('tower')).toEqual(sent);
    expect(await fetch('tower', 1)).toEqual([]);
    expect(await fabric.loans.depth()).toEqual({ waiting: 0, taken: 0 });
  });

  test('gives a host at most as many requests at a time as the host accepts', async () => {
    const { desk, fetch, borrowed } = await opened();
    for (let number = 2; number <= 1002; number += 1)
      await desk.loans.put({ ...borrowed, id: `a.${number}` } as Parameters<typeof desk.loans.put>[0]);
    expect(await fetch('tower')).toHaveLength(1000);
    expect(await fetch('tower', 1000)).toEqual([
      expect.objectContaining({ number: 1001 }),
      expect.objectContaining({ number: 1002 }),
    ]);
  });

  test('leaves the desktops of its own machine to the host there', async () => {
    const { desk, fabric, fetch } = await opened();
    const own = { id: 'b.1', loan: 'b', call: { kind: 'borrow', desktop: 'd1', who: 'Bob' } };
    await desk.loans.put(own as Parameters<typeof desk.loans.put>[0]);
    expect(await fabric.loans.depth()).toEqual({ waiting: 1, taken: 0 });
    expect(await fetch('tower')).toHaveLength(1);
  });

  test('takes one reply, of this host alone', async () => {
    const { reply, heard } = await opened();
    await reply('laptop', { request: 'a.1', failure: { ...failure, message: 'It lies.' } });
    await reply('tower', { request: 'a.9', failure });
    await reply('tower', { request: 'a.1', failure });
    await reply('tower', { request: 'a.1', failure: { ...failure, message: 'It broke again.' } });
    expect((await heard.next()).value).toMatchObject({ event: { request: 'a.1', failure } });
    const more = await Promise.race([heard.next(), Promise.resolve('none')]);
    expect(more).toBe('none');
  });

  const pixels = { width: 2, height: 1, layout: 'rgb', data: new Uint8Array(6) };
  const episode = {
    ...{ instance: { task: 'files-rename', seed: 1 }, instruction: 'Rename it.', actions: [] },
    screen: { pixels },
  };
  const lent = { canLook: false, canClickAgain: true, episode };

  test.each<[string, unknown]>([
    [
      'pixels of another size',
      { ...lent, episode: { ...episode, screen: { pixels: { ...pixels, width: 3 } } } },
    ],
    ['a screen without pixels', { ...lent, episode: { ...episode, screen: {} } }],
    ['an action that is none', { ...lent, episode: { ...episode, actions: [{ kind: 'explode' }] } }],
    ['nothing', undefined],
  ])('refuses %s, and waits for a sound reply', async (_, value) => {
    const { reply, heard } = await opened();
    await expect(reply('tower', { request: 'a.1', value })).rejects.toThrow(/is invalid/);
    await expect(reply('tower', 'no reply')).rejects.toThrow(/is invalid/);
    await reply('tower', { request: 'a.1', value: lent });
    expect((await heard.next()).value).toMatchObject({ event: { request: 'a.1', value: lent } });
  });
});
