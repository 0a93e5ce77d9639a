// The browser of the settings on this machine, how to start it here, and what `dartboard doctor` reports about it.

import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Clock } from '../../core/clock.ts';
import { BoundaryError } from '../../core/failure.ts';
import { type LaunchOptions, launchBrowser } from './browser/browser.ts';
import { type BrowserPlaces, type FoundBrowser, findBrowser } from './browser/find-browser.ts';

/** The value of `environments.web.browser` that searches this machine. */
export const ANY_BROWSER = 'auto';

/** Throws a BoundaryError of `provider` that explains how to get one. */
export function browserHere(configured: string, places: BrowserPlaces = placesHere()): FoundBrowser {
  const isAny = configured === ANY_BROWSER;
  const found = findBrowser(isAny ? undefined : configured, places);
  if (found !== undefined) return found;
  const message = isAny
    ? `no browser was found on this machine. ${INSTALL[places.platform] ?? INSTALL_ANY} Or set environments.web.browser to the program of another one.`
    : `'${configured}' is not a program that this user may run. Correct environments.web.browser, or set it to '${ANY_BROWSER}'.`;
  throw new BoundaryError({ boundary: 'provider', thing: 'browser', message });
}

const INSTALL_ANY = 'Install Chrome, Chromium or Edge.';
const INSTALL: Readonly<Record<string, string>> = {
  linux: `${INSTALL_ANY} On Debian and Ubuntu the smallest is 'sudo apt-get install chromium-headless-shell'.`,
};

/** The parts of this machine that the start of a browser depends on. */
export const browserMachine = (): Omit<LaunchOptions, 'browser' | 'clock'> => ({
  folder: tmpdir(),
  environment: process.env,
  isRoot: process.getuid?.() === 0,
  hasLittleSharedMemory: process.platform === 'linux' && sharedMemoryBytes() < MIN_SHARED_MEMORY_BYTES,
});

export interface BrowserReport {
  readonly path: string;
  /** As the browser reports it. */
  readonly version: string;
  /** Whether its processes are confined by its own sandbox. */
  readonly isSandboxed: boolean;
}

/** Starts the browser and ends it. Rejects with a BoundaryError. */
export async function inspectBrowser(configured: string, clock: Clock): Promise<BrowserReport> {
  const found = browserHere(configured);
  const machine = browserMachine();
  const browser = await launchBrowser({ browser: found, clock, ...machine });
  const { version } = browser;
  await browser.close();
  return { path: found.path, version, isSandboxed: !machine.isRoot };
}

const placesHere = (): BrowserPlaces => ({
  platform: process.platform,
  environment: process.env,
  isExecutable,
});

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // It is missing, or this user may not run it.
    return false;
  }
}

/** Containers have 64 MB by default, which the screens of a few pages exceed. */
const MIN_SHARED_MEMORY_BYTES = 512e6;

function sharedMemoryBytes(): number {
  try {
    const { blocks, bsize } = statfsSync('/dev/shm');
    return blocks * bsize;
  } catch {
    // There is none.
    return 0;
  }
}
