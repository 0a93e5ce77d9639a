// A thread that a test blocks for ever, as a query without an end would. Threads know no SIGSTOP.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { vi } from 'vitest';
import { temporaryFolder } from './temporary.ts';

const WRAPPER = (entry: URL, request: string) => `
import { existsSync, rmSync } from 'node:fs';
const request = ${JSON.stringify(request)};
setInterval(() => {
  if (!existsSync(request)) return;
  rmSync(request);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}, 5).unref();
await import(${JSON.stringify(entry.href)});
`;

export interface BlockableThread {
  /** The entry of a thread that does what `original` does. */
  readonly entry: URL;
  /** Blocks the running thread and resolves when it is blocked. Threads that start later run normally. */
  block(): Promise<void>;
}

export function blockable(original: URL): BlockableThread {
  const folder = temporaryFolder('thread');
  const [file, request] = [join(folder, 'entry.mjs'), join(folder, 'block')];
  writeFileSync(file, WRAPPER(original, request));
  return {
    entry: pathToFileURL(file),
    block: async () => {
      writeFileSync(request, '');
      await vi.waitUntil(() => !existsSync(request), { timeout: 60_000, interval: 5 });
    },
  };
}
