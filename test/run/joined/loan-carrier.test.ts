// The loans of a joined host behind a proxy that answers for the daemon.

import { expect, onTestFinished, test } from 'vitest';
import { desktopId } from '../../../runtime/core/ids.ts';
import type { LoanReply, LoanRequest } from '../../../runtime/core/loan.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { EmbeddedQueue } from '../../../runtime/fabric/embedded/queue.ts';
import { EmbeddedTopic } from '../../../runtime/fabric/embedded/topic.ts';
import { ValueCodec } from '../../../runtime/fabric/nats/codec.ts';
import { carryLoans } from '../../../runtime/run/joined/loan-carrier.ts';

const PAGE = Buffer.from('<!doctype html><title>Sign in</title>');
const REQUEST: LoanRequest = {
  id: 'r1',
  loan: 'l1',
  call: { kind: 'borrow', desktop: desktopId('d0'), who: 'Ada' },
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
