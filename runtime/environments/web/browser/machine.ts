// What the search for a browser and its launch need to know of this machine.

import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';

export interface BrowserMachine {
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isExecutable: (path: string) => boolean;
  /** For profiles. */
  readonly temporaryFolder: string;
  /** The sandbox of Chromium refuses to run as root. */
  readonly isRoot: boolean;
  /** `/dev/shm` is missing or too small, as in most containers. */
  readonly hasLittleSharedMemory: boolean;
}

/** Containers have 64 MB. */
const MIN_SHARED_MEMORY_BYTES = 512 * 1024 * 1024;

export const thisMachine = (): BrowserMachine => ({
  platform: process.platform,
  environment: process.env,
  isExecutable,
  temporaryFolder: tmpdir(),
  isRoot: process.getuid?.() === 0,
  hasLittleSharedMemory: process.platform === 'linux' && sharedMemoryBytes() < MIN_SHARED_MEMORY_BYTES,
});

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function sharedMemoryBytes(): number {
  try {
    const { bsize, blocks } = statfsSync('/dev/shm');
    return bsize * blocks;
  } catch {
    return 0;
  }
}
