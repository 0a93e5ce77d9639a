// The loans of a joined host behind a proxy that answers for the daemon.

import { describe, expect, onTestFinished, test } from 'vitest';
import { desktopId, seed, taskId } from '../../../runtime/core/ids.ts';
import type { LoanCall, LoanReply, LoanRequest } from '../../../runtime/core/loan.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { EmbeddedQueue } from '../../../runtime/fabric/embedded/queue.ts';
import { EmbeddedTopic } from '../../../runtime/fabric/embedded/topic.ts';
import { ValueCodec } from '../../../runtime/fabric/nats/codec.ts';
import { ForeignReply, HostRequestRefused } from '../../../runtime/hosts/host-requests.ts';
import { LOANED_PATH } from '../../../runtime/hosts/messages.ts';
import { carryLoans } from '../../../runtime/run/joined/loan-carrier.ts';
import { OpenLoans } from '../../../runtime/run/joined/open-loans.ts';

const PAGE = Buffer.from('<!doctype html><title>Sign in</title>');
const REQUEST: LoanRequest = {
  id: 'r1',
  loan: 'l1',
  call: { kind: 'borrow', desktop: desktopId('d0'), who: 'Ada' },
};

const refusedWith = (status: number): Promise<void> => {
  const fabric = { loans: new EmbeddedQueue<LoanRequest>('loans'), loaned: new EmbeddedTopic<LoanReply>() };
  const post = () => Promise.reject(new HostRequestRefused('Use the same version.', status));
  const { signal } = new AbortController();
  return carryLoans({ fabric, membership: { post }, clock: new VirtualClock() }, signal);
};

test('a page of a proxy delays the requests for desktops, and loses none', async () => {
  const clock = new VirtualClock();
  const fabric = { loans: new EmbeddedQueue<LoanRequest>('loans'), loaned: new EmbeddedTopic<LoanReply>() };
  const requests = (await new ValueCodec(undefined).encode([{ number: 1, request: REQUEST }])).bytes;
  const answers = [PAGE, new Uint8Array(0), requests];
  const post = async (_path: string, _body: Uint8Array, signal: AbortSignal) => {
    const answer = answers.shift();
    // The daemon has no further requests.
    if (answer === undefined) await clock.sleep(20_000, signal);
    return answer;
  };
  const over = new AbortController();
  const carrying = carryLoans({ fabric, membership: { post }, clock }, over.signal);
  onTestFinished(async () => {
    over.abort();
    await carrying;
  });
  const taken = fabric.loans.taker().take();
  await Promise.race([clock.run(10_000), carrying]);
  expect((await taken).item).toEqual(REQUEST);
});

test('a desktop is out from the request for it until the reply that its loan is over', async () => {
  const clock = new VirtualClock();
  const fabric = { loans: new EmbeddedQueue<LoanRequest>('loans'), loaned: new EmbeddedTopic<LoanReply>() };
  const calls: readonly LoanCall[] = [REQUEST.call, { kind: 'hold' }, { kind: 'look' }];
  const requests = calls.map((call, index) => ({
    number: index + 1,
    request: { id: `r${index + 1}`, loan: 'l1', call },
  }));
  const answers = [(await new ValueCodec(undefined).encode(requests)).bytes];
  const post = async (path: string, _body: Uint8Array, signal: AbortSignal) => {
    const next = path === LOANED_PATH ? new Uint8Array(0) : answers.shift();
    if (next === undefined) await clock.sleep(20_000, signal);
    return next;
  };
  const over = new AbortController();
  const open = new OpenLoans();
  const carrying = carryLoans({ fabric, membership: { post }, clock, open }, over.signal);
  onTestFinished(async () => {
    over.abort();
    await carrying;
  });
  await open.returned();
  await clock.run(clock.now() + 1000);
  let isReturned = false;
  const returned = open.returned().then(() => {
    isReturned = true;
  });
  for (const request of ['r1', 'r3']) {
    fabric.loaned.publish({ request, value: undefined });
    await clock.run(clock.now() + 1000);
    expect(isReturned).toBe(false);
  }
  fabric.loaned.publish({
    request: 'r2',
    failure: { boundary: 'environment', thing: 'd0', message: 'over' },
  });
  await clock.run(clock.now() + 1000);
  await returned;
  expect(open.size).toBe(0);
});

/** The reply to each request for a path. */
type Post = (path: string, body: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>;

/** Carries until the test ends. */
async function carriedBy(post: Post, clock: VirtualClock) {
  const fabric = { loans: new EmbeddedQueue<LoanRequest>('loans'), loaned: new EmbeddedTopic<LoanReply>() };
  const over = new AbortController();
  const carrying = carryLoans({ fabric, membership: { post }, clock }, over.signal);
  onTestFinished(async () => {
    over.abort();
    await carrying;
  });
  await Promise.race([clock.run(10), carrying]);
  return { fabric, carrying };
}

test('a page of a proxy delays a reply, and loses none', async () => {
  const clock = new VirtualClock();
  const answers = [PAGE, new Uint8Array(0)];
  let replies = 0;
  const post = async (path: string, _body: Uint8Array, signal: AbortSignal) => {
    if (path !== LOANED_PATH) await clock.sleep(20_000, signal);
    replies += 1;
    return answers.shift() ?? new Uint8Array(0);
  };
  const { fabric, carrying } = await carriedBy(post, clock);
  fabric.loaned.publish({ request: 'r1', value: 1 });
  await Promise.race([clock.run(10_000), carrying]);
  expect(replies).toBe(2);
});

test.each([401, 403])('a daemon that refuses the host with the status %d ends the loans', async status => {
  await expect(refusedWith(status)).resolves.toBeUndefined();
});

test.each([400, 404, 409])('another refusal, with the status %d, is a failure of the host', async status => {
  await expect(refusedWith(status)).rejects.toThrow('Use the same version.');
});

describe('a list of requests from the daemon', () => {
  /** What the desktops of the host get of one answer, and the failure of the host. */
  const carried = async (answer: unknown) => {
    const clock = new VirtualClock();
    const fabric = { loans: new EmbeddedQueue<LoanRequest>('loans'), loaned: new EmbeddedTopic<LoanReply>() };
    const answers = [(await new ValueCodec(undefined).encode(answer)).bytes];
    const post = async (_path: string, _body: Uint8Array, signal: AbortSignal) => {
      const next = answers.shift();
      if (next === undefined) await clock.sleep(20_000, signal);
      return next;
    };
    const over = new AbortController();
    const failure = carryLoans({ fabric, membership: { post }, clock }, over.signal).then(
      () => undefined,
      (error: Error) => error,
    );
    await Promise.race([clock.run(10_000), failure]);
    over.abort();
    const taker = fabric.loans.taker();
    const taken: LoanRequest[] = [];
    for (let next = await taker.tryTake(); next !== undefined; next = await taker.tryTake())
      taken.push(next.item);
    return { taken, failure: await failure };
  };
  const call = (given: unknown, number: unknown = 1) => ({
    number,
    request: { id: 'r1', loan: 'l1', call: given },
  });

  test('passes every call', async () => {
    const calls: readonly LoanCall[] = [
      REQUEST.call,
      { kind: 'reset', instance: { task: taskId('files-rename'), seed: seed(3) } },
      { kind: 'act', action: { kind: 'click', at: { x: 3.5, y: -0.25 } } },
      { kind: 'look' },
      { kind: 'clickAgain', at: { x: 3.5, y: 4 }, press: 3 },
      { kind: 'query', getter: { type: 'vm_file', path: '/tmp/a', deep: { odd: [1] } } },
      { kind: 'setup', step: { type: 'launch', parameters: { command: ['ls'] }, note: 'odd' } },
      { kind: 'setup', step: { type: 'sleep' } },
      { kind: 'judge', ending: 'capped' },
      { kind: 'keep' },
      { kind: 'hold' },
      { kind: 'return' },
    ];
    const { taken, failure } = await carried(calls.map((each, index) => call(each, index + 1)));
    expect(failure).toBeUndefined();
    expect(taken.map(each => each.call)).toEqual(calls);
  });

  test.each<[string, unknown]>([
    ['no list', 7],
    ['a number that is no position', [call(REQUEST.call, 0.5)]],
    ['an unknown call', [call({ kind: 'erase' })]],
    ['a call with more than it has', [call({ kind: 'look', deep: true })]],
    ['the id of no desktop', [call({ kind: 'borrow', desktop: '../d0', who: 'Ada' })]],
    ['a name without a limit', [call({ kind: 'borrow', desktop: 'd0', who: 'A'.repeat(1001) })]],
    ['a point beyond every screen', [call({ kind: 'clickAgain', at: { x: 1e7, y: 0 }, press: 2 })]],
    ['too many requests', Array.from({ length: 1001 }, (_, index) => call({ kind: 'keep' }, index + 1))],
  ])('ends the host with the reason, and reaches no desktop: %s', async (_, answer) => {
    const { taken, failure } = await carried(answer);
    expect(taken).toEqual([]);
    expect(failure).toBeInstanceOf(RangeError);
    expect(failure?.message).toMatch(/cannot use: .*same version of Dartboard/);
  });
});

test('a reply that a proxy refuses is followed by the reason', async () => {
  const clock = new VirtualClock();
  const sent: Uint8Array[] = [];
  const post = async (path: string, body: Uint8Array, signal: AbortSignal) => {
    if (path !== LOANED_PATH) await clock.sleep(20_000, signal);
    else if (body.length > 1000) throw new ForeignReply('The body is too large.', 413);
    else sent.push(body);
    return new Uint8Array(0);
  };
  const { fabric, carrying } = await carriedBy(post, clock);
  fabric.loaned.publish({ request: 'r1', value: 'x'.repeat(2000) });
  await Promise.race([clock.run(10_000), carrying]);
  const codec = new ValueCodec(undefined);
  expect(await Promise.all(sent.map(each => codec.decode(each)))).toMatchObject([
    { request: 'r1', failure: { message: 'The body is too large.' } },
  ]);
});
