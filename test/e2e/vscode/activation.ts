// Measures the activation time of the packaged extension in a real VS Code, in milliseconds.
// A program and not a test, because the result depends on the load of the machine.
// `npm run package`, then `npx vite-node test/e2e/vscode/activation.ts dartboard-linux-x64-0.1.0.vsix`.

import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { startVsCode } from '../../../runtime/bench/vscode/server.ts';
import { CodeWindow } from '../../../runtime/bench/vscode/window.ts';
import { launch } from '../chromium.ts';

/** Each in a new extension host. */
const MEASUREMENTS = 5;
const SCREENSHOTS = fileURLToPath(new URL('../../../out/screens/', import.meta.url));

const [vsix] = process.argv.slice(2);
if (vsix === undefined) throw new RangeError('No package given. Name a .vsix file as the first argument.');
mkdirSync(SCREENSHOTS, { recursive: true });
const code = await startVsCode(resolve(vsix), { 'workbench.startupEditor': 'none' });
const browser = await launch();
try {
  // High enough for the whole list of extensions.
  const page = await browser.newPage({ viewport: { width: 1280, height: 3000 } });
  const each: number[] = [];
  for (let count = 0; count < MEASUREMENTS; count++) each.push(await activationTime(page, code.address));
  const sorted = each.toSorted((a, b) => a - b);
  const result = {
    activation_ms: sorted[Math.floor(MEASUREMENTS / 2)],
    min: sorted[0],
    max: sorted.at(-1),
    each,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  await browser.close();
  await code.close();
  code.remove();
}

async function activationTime(page: Page, address: string): Promise<number> {
  const window = new CodeWindow(page, SCREENSHOTS);
  await window.open(address);
  await window.command('Dartboard: Show Log');
  await window.command('Developer: Show Running Extensions');
  const extension = page.locator('.runtime-extensions-editor .extension', { hasText: 'Dartboard' });
  const time = extension.locator('.activation-time').filter({ hasText: /\d+ms/ });
  await window.sees('Dartboard among the running extensions', time);
  const milliseconds = Number(/\d+/.exec((await time.textContent()) ?? '')?.[0]);
  process.stderr.write(`${milliseconds} ms\n`);
  return milliseconds;
}
