// The runs of other workspaces in the same PostgreSQL index, in the panel Training in Chromium.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../runtime/core/system-clock.ts';
import type { FleetResult } from '../../runtime/protocol/daemon/fleet.ts';
import { startServer } from '../../runtime/server/server.ts';
import { playedState } from '../server/played-state.ts';
import { ScriptedRuns } from '../server/scripted-runs.ts';
import { NO_TRAJECTORIES } from '../server/trajectories/none.ts';
import { violations } from './accessibility.ts';
import { HOW_TO, hasChromium, launch } from './chromium.ts';

const PAGES = new URL('../../dist/webview/', import.meta.url);
const MINUTE_MS = 60_000;

if (!hasChromium) process.stderr.write(`${HOW_TO}\n`);

describe.skipIf(!hasChromium)('the runs of other workspaces', () => {
  let browser: Awaited<ReturnType<typeof launch>>;

  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  async function opened(fleet: () => Promise<FleetResult>, width = 1280, withClock = false) {
    const runs = new ScriptedRuns(playedState(600));
    runs.trajectories = { ...NO_TRAJECTORIES, fleet };
    const server = await startServer({
      ...{ pages: PAGES, port: 0, token: 'a-token', runs, clock: systemClock, keepTraining: false },
      parseConfig: () => {
        throw new Error('No run is started here.');
      },
    });
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    onTestFinished(async () => {
      await page.close();
      await server.close();
    });
    if (withClock) await page.clock.install();
    await page.goto(server.address);
    await page.getByText('Connected', { exact: true }).waitFor();
    return { page, section: page.locator('#fleet') };
  }

  const some = async (): Promise<FleetResult> => ({
    runs: [
      {
        ...{ machine: 'tower', folder: '/home/ada/agents/.dartboard', run: '2026-11-20-120000-notes' },
        ...{ trajectories: 12_345, evaluations: 60, successes: 42 },
        ...{ startedAt: Date.now() - 90 * MINUTE_MS, endedAt: Date.now() - 5 * MINUTE_MS },
      },
      {
        ...{ machine: 'laptop', folder: '/home/sam/web/.dartboard', run: '2026-11-19-080000' },
        ...{ trajectories: 1, evaluations: 0, successes: 0, startedAt: 0, endedAt: 1 },
      },
    ],
  });

  test.each([1280, 420])('have a row each, and nothing overflows at %i pixels', async width => {
    const { page, section } = await opened(some, width);
    await section.waitFor();
    const rows = section.locator('tbody tr');
    expect(await rows.first().locator('th, td').allTextContents()).toEqual([
      ...['2026-11-20-120000-notes', 'tower/home/ada/agents/.dartboard', '12,345', '70 % of 60', '5 min ago'],
    ]);
    expect(await rows.nth(1).locator('td').nth(2).textContent()).toBe('–');
    expect(await section.evaluate(each => each.scrollWidth <= each.clientWidth)).toBe(true);
    expect(await violations(page)).toEqual([]);
    await section.screenshot({ path: `out/screens/fleet-${width}.png` });
  });

  test('have the time since their end, also after a while', async () => {
    const { page, section } = await opened(some, 1280, true);
    await section.getByText('5 min ago').waitFor();
    await page.clock.fastForward('30:00');
    // A slow machine takes minutes for the test.
    await section.getByText(/^3[5-9] min ago$/).waitFor();
  });

  test('are not shown when the index is a file of this workspace', async () => {
    const { page, section } = await opened(async () => ({}));
    await page.getByRole('heading', { name: 'Tasks', exact: false }).first().waitFor();
    expect(await section.isVisible()).toBe(false);
  });

  test('a server that fails is shown with its reason, and asked again by the button', async () => {
    let isAway = false;
    const { section } = await opened(async () => {
      if (!isAway) return some();
      throw new Error('The index in PostgreSQL at 10.0.0.7/dartboard cannot be used. Start the server.');
    });
    await section.getByText('12,345').waitFor();
    isAway = true;
    const refresh = section.getByRole('button', { name: 'Refresh' });
    await refresh.click();
    await section.getByRole('alert').filter({ hasText: /\S/ }).waitFor();
    expect(await section.getByText('12,345').isVisible()).toBe(true);
    isAway = false;
    await refresh.click();
    await expect.poll(() => section.getByRole('alert').isVisible()).toBe(false);
  });

  test('a server that is away when the page opens is shown with its reason', async () => {
    let isAway = true;
    const { section } = await opened(async () => {
      if (!isAway) return some();
      throw new Error('The index in PostgreSQL at 10.0.0.7/dartboard cannot be used. Start the server.');
    });
    await section.getByRole('alert').filter({ hasText: 'Start the server.' }).waitFor();
    expect(await section.getByRole('table').isVisible()).toBe(false);
    isAway = false;
    await section.getByRole('button', { name: 'Refresh' }).click();
    await section.getByText('12,345').waitFor();
    expect(await section.getByRole('alert').isVisible()).toBe(false);
  });

  test('an index without other workspaces has a sentence instead of a table', async () => {
    const { section } = await opened(async () => ({ runs: [] }));
    await section.getByText('No other workspace has a run').waitFor();
    expect(await section.getByRole('table').isVisible()).toBe(false);
  });
});
