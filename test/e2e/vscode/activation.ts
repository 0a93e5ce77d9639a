// Says how long the packaged extension takes to wake in a real VS Code: loading its code and calling it, in milliseconds, as VS Code's own
// list of running extensions tells it. A program, not a test: what it measures depends on what else the machine does.
// `npm run package`, then `npx vite-node test/e2e/vscode/activation.ts dartboard-linux-x64-0.1.0.vsix`.

import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launch } from '../chromium.ts';
import { startVsCode } from './server.ts';
import { Window } from './window.ts';

/** Each in an extension host of its own. */
const TIMES = 5;
const PICTURES = fileURLToPath(new URL('../../../out/screens/', import.meta.url));

const [vsix] = process.argv.slice(2);
if (vsix === undefined) throw new RangeError('Say which package is measured: the name of a .vsix file.');
mkdirSync(PICTURES, { recursive: true });
const code = await startVsCode(resolve(vsix), { 'workbench.startupEditor': 'none' });
const browser = await launch();
try {
  // So high that the list shows all of them.
  const page = await browser.newPage({ viewport: { width: 1280, height: 3000 } });
  const each: number[] = [];
  for (let time = 0; time < TIMES; time++) each.push(await activation(page, code.address));
  const sorted = each.toSorted((a, b) => a - b);
  const figures = {
    activation_ms: sorted[Math.floor(TIMES / 2)],
    least: sorted[0],
    most: sorted.at(-1),
    each,
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
} finally {
  await browser.close();
  await code.close();
  code.remove();
}

async function activation(page: Page, address: string): Promise<number> {
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  const window = new Window(page, PICTURES);
  await window.ready();
  await window.command('Dartboard: Show Log');
  await window.command('Developer: Show Running Extensions');
  const extension = page.locator('.runtime-extensions-editor .extension', { hasText: 'Dartboard' });
  const time = extension.locator('.activation-time').filter({ hasText: /\d+ms/ });
  await window.sees('Dartboard among the running extensions', time);
  const milliseconds = Number(/\d+/.exec((await time.textContent()) ?? '')?.[0]);
  process.stderr.write(`${milliseconds} ms\n`);
  return milliseconds;
}
