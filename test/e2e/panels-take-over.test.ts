// A real training in Chromium: a person watches one of its desktops, takes it over with the mouse, gives it back, and the run goes on.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parseConfig } from '../../runtime/config/config.ts';
import type { RunId } from '../../runtime/core/ids.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { Recording } from '../../runtime/person/recording.ts';
import { startServer } from '../../runtime/server/server.ts';
import { WorkspaceRuns } from '../../runtime/server/workspace-runs.ts';
import { PATIENCE } from '../patience.ts';
import { temporaryFolder } from '../temporary.ts';
import { violations } from './accessibility.ts';
import { HOW_TO, hasChromium, launch } from './chromium.ts';

const DIST = new URL('../../dist/', import.meta.url);
const PAGES = new URL('webview/', DIST);
const DESKTOPS = 3;
const CONFIG = {
  ...{ minutes: 60, demonstrations: 0, preset: 'scratch' },
  environments: { desktops: DESKTOPS },
  exploring: { firstSeconds: 0 },
  evaluation: { everySeconds: 3600, instances: 1, lastInstances: 1, desktops: 1 },
};

const bundle = (name: string): URL => new URL(`${name}.js`, DIST);

if (!hasChromium) process.stderr.write(`${HOW_TO}\n`);

describe.skipIf(!hasChromium)('a desktop of a run that trains', () => {
  let browser: Awaited<ReturnType<typeof launch>>;
  let runs: WorkspaceRuns;
  let run: RunId;
  let server: Awaited<ReturnType<typeof startServer>>;

  beforeAll(async () => {
    browser = await launch();
    runs = await WorkspaceRuns.open({
      root: temporaryFolder('take-over'),
      entries: {
        ...{ host: bundle('host'), worker: bundle('worker'), trainer: bundle('trainer') },
        ...{ engine: bundle('engine'), index: bundle('index'), frames: bundle('frames') },
      },
      ...{ clock: systemClock, notice: () => undefined },
    });
    server = await startServer({
      ...{ pages: PAGES, port: 0, token: 'a-token', runs, parseConfig, clock: systemClock },
      keepTraining: false,
    });
    run = await runs.start(parseConfig(CONFIG));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await runs?.close();
  });

  async function entered(): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const pageErrors: string[] = [];
    page.on('pageerror', error => pageErrors.push(error.message));
    page.on('console', message => message.type() === 'error' && pageErrors.push(message.text()));
    onTestFinished(async () => {
      await page.close();
      expect(pageErrors).toEqual([]);
    });
    await page.goto(server.address);
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Desktops' }).click();
    await expect.poll(() => page.locator('.tile').count(), PATIENCE).toBe(DESKTOPS);
    return page;
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const ofAgent = () => runs.recordings.now().recording?.steps.filter(({ by }) => by === 'agent') ?? [];
  const episodes = () => runs.state(run)?.rollout.episodes ?? 0;

  async function takeOver(page: Page, number: number): Promise<void> {
    await page.locator('.tile').nth(number).press('Enter');
    await page.getByRole('heading', { name: `Desktop ${number + 1}` }).waitFor();
    await page.locator('.close-up .use[data-use="playing"]').waitFor();
    await button(page, 'Take over').click();
    await page.locator('.record-status[data-phase="acting"]').waitFor();
  }

  test('is taken over, used with the mouse and given back; others see who holds it, and training goes on', async () => {
    const page = await entered();
    await takeOver(page, 1);
    const { recording } = runs.recordings.now();
    expect(recording).toMatchObject({ desktop: 'd1', hasSolution: false, kind: 'pocket' });
    const before = ofAgent().length;
    const glass = page.locator('.glass');
    await glass.click();
    await expect.poll(() => runs.recordings.now().recording?.steps.length, PATIENCE).toBe(before + 1);
    expect(ofAgent()).toHaveLength(before);

    const other = await entered();
    await other.locator('.tile').nth(1).getByText('Held by a person', { exact: true }).waitFor();
    await other.locator('.tile').nth(1).press('Enter');
    await other.locator('.close-up .use[data-use="held"]').waitFor();
    expect(await button(other, 'Take over').isDisabled()).toBe(true);
    expect(await violations(other)).toEqual([]);

    await button(page, 'Give back').click();
    await page.locator('.tile').nth(1).getByText('Playing', { exact: true }).waitFor();
    expect(runs.recordings.now()).toEqual({});
    const played = episodes();
    await expect.poll(episodes, PATIENCE).toBeGreaterThan(played + 5);
  });

  test('a person who has opened another panel stays there when the desktop is back', async () => {
    let go: () => void = () => undefined;
    const gate = new Promise<void>(resolve => {
      go = resolve;
    });
    const { discard } = Recording.prototype;
    const slow = vi.spyOn(Recording.prototype, 'discard').mockImplementation(async function (
      this: Recording,
    ) {
      await gate;
      return discard.call(this);
    });
    const tasks = vi.spyOn(runs.recordings, 'tasks');
    onTestFinished(() => {
      slow.mockRestore();
      tasks.mockRestore();
    });
    const page = await entered();
    await takeOver(page, 2);
    await button(page, 'Give back').click();
    await page.getByRole('link', { name: 'Training', exact: true }).click();
    await page.getByRole('heading', { name: run, exact: true }).waitFor();
    const before = tasks.mock.calls.length;
    go();
    // The panel Record has received the reply when it asks for its tasks.
    await expect.poll(() => tasks.mock.calls.length, PATIENCE).toBeGreaterThan(before);
    expect(page.url()).toMatch(/#\/training/);
  });
});
