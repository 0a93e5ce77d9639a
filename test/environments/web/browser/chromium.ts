// The browser of this machine for tests, and a page's side of it.

import { describe } from 'vitest';
import { systemClock } from '../../../../runtime/core/system-clock.ts';
import { launchBrowser, type WebBrowser } from '../../../../runtime/environments/web/browser/browser.ts';
import type { WebContext } from '../../../../runtime/environments/web/browser/context.ts';
import { findBrowser } from '../../../../runtime/environments/web/browser/find-browser.ts';
import { thisMachine } from '../../../../runtime/environments/web/browser/machine.ts';
import type { CdpSession } from '../../../../runtime/environments/web/browser/session.ts';

const machine = thisMachine();
/** `CHROMIUM=/usr/bin/chromium` tests another one. */
export const found = findBrowser(process.env['CHROMIUM'], machine);

const HOW_TO =
  'No browser was found, so the tests with one are skipped. On Debian: apt-get install chromium.';

export function describeWithBrowser(name: string, tests: () => void): void {
  if (found === undefined) process.stderr.write(`${HOW_TO}\n`);
  describe.skipIf(found === undefined)(name, tests);
}

export function launch(temporaryFolder = machine.temporaryFolder): Promise<WebBrowser> {
  if (found === undefined) throw new Error(HOW_TO);
  return launchBrowser({ browser: found, clock: systemClock, machine: { ...machine, temporaryFolder } });
}

export const SMALL = { width: 320, height: 240 };

/** A page of its own host, with these files. */
export async function openSite(
  browser: WebBrowser,
  folder: string,
  allow: readonly string[] = [],
): Promise<WebContext> {
  const context = await browser.openContext({
    size: SMALL,
    allow,
    folders: new Map([['site.test', folder]]),
  });
  await context.open('http://site.test/');
  return context;
}

/** The JSON value of an expression in the page. Rejects if it throws. */
export async function valueIn(session: CdpSession, expression: string): Promise<unknown> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    ...{ expression, returnByValue: true, awaitPromise: true, userGesture: true },
  });
  if (exceptionDetails !== undefined)
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}
