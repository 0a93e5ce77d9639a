// Finds violations of accessibility rules on a page, in the four default themes of VS Code.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { dress, THEMES } from '../webview/panels/themes.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Each with its theme and its element. */
export async function violations(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  for (const [name, theme] of Object.entries(THEMES)) {
    await page.evaluate(dress, theme);
    // The component library applies the colours asynchronously.
    await page.waitForTimeout(300);
    const broken = await page.evaluate<readonly string[]>(
      `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => id + ' at ' + target.join(' ') + ': ' + failureSummary.split('\\n')[1])))`,
    );
    found.push(...broken.map(each => `${name}: ${each}`));
  }
  return found;
}
