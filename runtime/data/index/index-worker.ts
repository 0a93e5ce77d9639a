// The entry of the index thread: opens the index and answers calls in their order.

import { workerData } from 'node:worker_threads';
import type { Handlers } from '../../rpc/server.ts';
import { sendHeartbeat, serveThread } from '../../rpc/thread.ts';
import type { IndexCalls } from './calls.ts';
import { Catalogue } from './catalogue.ts';

const root: unknown = workerData;
if (typeof root !== 'string')
  throw new RangeError('The index thread needs the folder of the runs as its data.');

const catalogue = await Catalogue.open(root, sendHeartbeat);

const handlers: Handlers<IndexCalls> = {
  ...catalogue.queries,
  add: async ({ head, bytes }) => void catalogue.add(head, bytes),
  forget: async ({ lines, end }) => void catalogue.forget(lines, end),
  forgetRun: async ({ run }) => void catalogue.forgetRun(run),
  mark: async ({ mark, end }) => void catalogue.mark(mark, end),
  suggest: async ({ suggestion, end }) => void catalogue.suggest(suggestion, end),
  save: async () => void catalogue.save(),
  close: async () => void catalogue.close(),
};

serveThread(catalogue.caughtUp, handlers);
