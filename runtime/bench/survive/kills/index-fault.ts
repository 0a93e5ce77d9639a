// Asks the index thread of a run for a fault. index-entry.ts reads the request.

import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../core/system-clock.ts';
import type { ProcessFaultKind } from './plan.ts';

/** In the folder of the runs. */
export const INDEX_FAULT_FILE = 'index-fault';
const POLL_MS = 10;
const TIMEOUT_MS = 60_000;

/** Resolves when the thread has taken the request. */
export async function faultIndex(root: string, kind: Exclude<ProcessFaultKind, 'disturb'>): Promise<void> {
  const file = join(root, INDEX_FAULT_FILE);
  await writeFile(`${file}.new`, kind);
  await rename(`${file}.new`, file);
  const end = performance.now() + TIMEOUT_MS;
  for (; existsSync(file); await systemClock.sleep(POLL_MS))
    if (performance.now() > end)
      throw new Error(
        `The index thread of '${root}' did not take the fault '${kind}' within ${TIMEOUT_MS / 1000} s. Read the notices of its daemon.`,
      );
}
