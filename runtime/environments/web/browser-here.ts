// The browser of the settings on this machine, how to start it here, and what `dartboard doctor` reports about it.

import type { Clock } from '../../core/clock.ts';
import { BoundaryError } from '../../core/failure.ts';
import { launchBrowser } from './browser/browser.ts';
import { type FoundBrowser, findBrowser } from './browser/find-browser.ts';
import { thisMachine } from './browser/machine.ts';

/** The value of `environments.web.browser` that searches this machine. */
export const ANY_BROWSER = 'auto';

/** Throws a BoundaryError of `provider` that explains how to get one. */
export function browserHere(
  configured: string,
  machine: Parameters<typeof findBrowser>[1] = thisMachine(),
): FoundBrowser {
  const isAny = configured === ANY_BROWSER;
  const found = findBrowser(isAny ? undefined : configured, machine);
  if (found !== undefined) return found;
  const message = isAny
    ? `no browser was found on this machine. ${INSTALL[machine.platform] ?? INSTALL_ANY} Or set environments.web.browser to the program of another one.`
    : `'${configured}' is not a program that this user may run. Correct environments.web.browser, or set it to '${ANY_BROWSER}'.`;
  throw new BoundaryError({ boundary: 'provider', thing: 'browser', message });
}

const INSTALL_ANY = 'Install Chrome, Chromium or Edge.';
const INSTALL: Readonly<Record<string, string>> = {
  linux: `${INSTALL_ANY} On Debian and Ubuntu the smallest is 'sudo apt-get install chromium-headless-shell'.`,
};

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
  const machine = thisMachine();
  const browser = await launchBrowser({ browser: found, clock, machine });
  const { version } = browser;
  await browser.close();
  return { path: found.path, version, isSandboxed: !machine.isRoot };
}
