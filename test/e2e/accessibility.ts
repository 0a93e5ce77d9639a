// Finds violations of accessibility rules on a page, in the four default themes of VS Code.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { dress, THEMES } from '../webview/panels/themes.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules whose result depends on the theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Each with its theme and its element. The first theme is checked with all rules, the others with the rules about colours. */
export async function violations(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  // No colour is in transition.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  for (const [at, [name, theme]] of Object.entries(THEMES).entries()) {
    await page.evaluate(dress, theme);
    // The component library applies the colours in animation frames.
    await page.evaluate(
      'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))',
    );
    const options = { resultTypes: ['violations'], ...(at > 0 && { runOnly: COLOUR_RULES }) };
    const broken = await page.evaluate<readonly string[]>(
      `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => id + ' at ' + target.join(' ') + ': ' + failureSummary.split('\\n')[1])))`,
    );
    found.push(...broken.map(each => `${name}: ${each}`));
  }
  return found;
}
