// The entry of the index thread: opens the index and answers calls in their order.

import { workerData } from 'node:worker_threads';
import { systemClock } from '../../core/system-clock.ts';
import { HEARTBEAT_INTERVAL_MS } from '../../rpc/messages.ts';
import { sendHeartbeat, serveThread } from '../../rpc/thread.ts';
import { Catalogue } from './catalogue.ts';
import type { IndexHome } from './index-thread.ts';
import { ReopenedIndex } from './reopened-index.ts';

const { root, place } = workerData as IndexHome;

// Each wait for a server has a deadline of its own.
const opening = setInterval(sendHeartbeat, HEARTBEAT_INTERVAL_MS);
const index = await ReopenedIndex.open(() => Catalogue.open(root, sendHeartbeat, place), systemClock);
clearInterval(opening);

serveThread(index.caughtUp, index.handlers);
