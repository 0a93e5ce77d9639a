// Web desktops in a real VS Code: Start Training offers them, the run trains on them, and the panel Desktops shows them live.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { missingBrowser } from '../../environments/web/missing-browser.ts';
import { canLaunch, launchExtension, type PackagedExtension, SCREENSHOTS } from './packaged-extension.ts';

/** Each wait within a test has a timeout of its own. */
const LIMIT = { timeout: 900_000 };

describe.skipIf(!canLaunch || missingBrowser !== undefined)('web desktops in VS Code', () => {
  let extension: PackagedExtension;

  beforeAll(async () => {
    extension = await launchExtension({ config: { minutes: 60, environments: { desktops: 2 } } });
  }, LIMIT.timeout);
  afterAll(() => extension?.remove(), LIMIT.timeout);

  test('a training on web desktops starts, and its desktops are watched', LIMIT, async () => {
    const { window } = extension;
    await window.command('Dartboard: Start Training');
    await window.choose('Start Training (1 of 2)', 'Web desktops');
    await window.choose('Start Training (2 of 2)', 'Random weights');
    const training = await window.panel('training');
    await window.sees('the kind of desktops', training.getByText(/^Web desktops · 5 tasks of tier 1/));
    await window.command('Dartboard: Open Desktops');
    const desktops = await window.panel('desktops');
    await window.until('two desktops', async () => (await desktops.locator('.tile').count()) === 2);
    await window.sees(
      'a desktop at a step',
      desktops
        .locator('.tile')
        .getByText(/^step \d+ of max\. \d+/)
        .first(),
    );
    await window.page.screenshot({ path: join(SCREENSHOTS, 'web-desktops.png') });
    await window.command('Dartboard: Stop Training');
    await window.status(/^\s*Dartboard\s*$/);
  });
});
