// A process that starts a browser with one context, prints the browser's process, and waits until it is killed.

import { argv } from 'node:process';
import { systemClock } from '../../../../runtime/core/system-clock.ts';
import { launchBrowser } from '../../../../runtime/environments/web/browser/browser.ts';
import { findBrowser } from '../../../../runtime/environments/web/browser/find-browser.ts';
import { thisMachine } from '../../../../runtime/environments/web/browser/machine.ts';

const machine = { ...thisMachine(), temporaryFolder: argv[2] ?? '' };
const found = findBrowser(process.env['CHROMIUM'], machine);
if (found === undefined) throw new Error('The test runs this process only where a browser is installed.');
const browser = await launchBrowser({ browser: found, clock: systemClock, machine });
await browser.openContext({ size: { width: 320, height: 240 }, allow: [], folders: new Map() });
process.stdout.write(`${browser.pid}\n`);
