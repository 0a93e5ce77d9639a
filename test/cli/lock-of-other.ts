// The lock of a store that another process holds.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, thisProcess } from '../../runtime/core/process-identity.ts';
import type { LockHolder } from '../../runtime/data/files/lock.ts';
import { LOCK } from '../../runtime/data/files/places.ts';

/** Held by the parent of this process. */
export function lockOfOther(root: string): { readonly pid: number; release(): void } {
  const file = join(root, LOCK);
  const holder: LockHolder = { ...identityOf(thisProcess()), pid: process.ppid, began: '', since: 0 };
  mkdirSync(root, { recursive: true });
  writeFileSync(file, JSON.stringify(holder));
  return { pid: process.ppid, release: () => rmSync(file) };
}
