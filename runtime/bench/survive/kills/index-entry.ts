// The index thread of a run whose faults are planned: ends, or never continues, when a file in the folder of the runs asks for it. No signal
// reaches a thread.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { IndexHome } from '../../../data/index/index-thread.ts';
import { INDEX_FAULT_FILE } from './index-fault.ts';

const POLL_MS = 20;
const request = join((workerData as IndexHome).root, INDEX_FAULT_FILE);

setInterval(() => {
  if (!existsSync(request)) return;
  const kind = readFileSync(request, 'utf8');
  rmSync(request);
  if (kind === 'kill') process.exit(1);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}, POLL_MS).unref();

// A bundle of its own, beside this one.
await import(new URL('./index.js', import.meta.url).href);
