// The entry of the index's thread: opens the index, and then answers one message after another, in their order.

import { parentPort, workerData } from 'node:worker_threads';
import type { Handlers, Reply, Request } from '../../rpc/calls.ts';
import type { IndexCalls } from './calls.ts';
import { Catalogue } from './catalogue.ts';

const port = parentPort;
const root: unknown = workerData;
if (port === null || typeof root !== 'string') {
  throw new RangeError('The index runs in a thread of its own, which is given the folder of the runs.');
}
const say = (reply: Reply): void => port.postMessage(reply);

const catalogue = await Catalogue.open(root);
const { answers, pool, uncertain } = catalogue;

const handlers: Handlers<IndexCalls> = {
  page: async question => answers.page(question),
  row: async id => answers.row(id),
  rows: async ids => answers.rows(ids),
  steps: async question => uncertain.steps(question),
  rates: async question => answers.rates(question),
  ratesOverTime: async question => answers.ratesOverTime(question),
  waiting: async question => pool.waiting(question),
  members: async question => pool.members(question),
  memberCounts: async () => pool.counts(),
  said: async id => pool.said(id),
  successes: async question => answers.successes(question),
  volume: async () => answers.volume(),
  bytesByRun: async () => answers.bytesByRun(),
  kept: async () => answers.kept(),
  add: async ({ head, bytes }) => void catalogue.add(head, bytes),
  forget: async ({ lines, end }) => void catalogue.forget(lines, end),
  forgetRun: async ({ run }) => void catalogue.forgetRun(run),
  mark: async ({ mark, end }) => void catalogue.mark(mark, end),
  save: async () => void catalogue.save(),
  close: async () => void catalogue.close(),
};

const isCall = (name: string): name is keyof IndexCalls => Object.hasOwn(handlers, name);

async function answer({ id, call, takes }: Request): Promise<void> {
  try {
    if (!isCall(call)) throw new RangeError(`There is no call '${call}'.`);
    const handler: (takes: never) => Promise<unknown> = handlers[call];
    say({ kind: 'result', id, gives: await handler(takes as never) });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    say({ kind: 'error', id, name, message });
  }
}

// A handler does all of its work before it first waits, so answers keep the order of their questions.
port.on('message', (request: Request) => {
  void answer(request).then(() => {
    if (request.call === 'close') port.close();
  });
});
say({ kind: 'ready', about: catalogue.caughtUp });
