// A real training on two Docker desktops in Chromium: a person takes one over with mouse and keyboard, solves its task, saves it, and the
// run goes on. Needs the bundles that `npm test` builds first.

import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../../runtime/config/config.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { startServer } from '../../../runtime/server/server.ts';
import { WorkspaceRuns } from '../../../runtime/server/workspace-runs.ts';
import { describeUnless } from '../../environments/docker/engine.ts';
import { image, missingDesktops } from '../../environments/docker/real-desktops.ts';
import { PATIENCE } from '../../patience.ts';
import { temporaryFolder } from '../../temporary.ts';
import { HOW_TO, hasChromium, launch } from '../chromium.ts';
import { storedTrajectories } from '../stored-trajectories.ts';
import { containersOf, contradictions, GONE } from './run-files.ts';

const DIST = new URL('../../../dist/', import.meta.url);
const CONFIG = {
  ...{ minutes: 60, demonstrations: 0, preset: 'scratch', suite: { tasks: ['note-write'] } },
  environments: { kind: 'docker', desktops: 2, docker: { image, spares: 0 } },
  evaluation: { everySeconds: 3600, instances: 1, lastInstances: 1, desktops: 1 },
};

const bundle = (name: string): URL => new URL(`${name}.js`, DIST);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function training() {
  const root = temporaryFolder('docker-take-over');
  const runs = await WorkspaceRuns.open({
    root,
    entries: {
      ...{ host: bundle('host'), worker: bundle('worker'), trainer: bundle('trainer') },
      ...{ engine: bundle('engine'), index: bundle('index'), frames: bundle('frames') },
    },
    ...{ clock: systemClock, notice: () => undefined },
  });
  const server = await startServer({
    ...{ pages: new URL('webview/', DIST), port: 0, token: 'a-token', runs, parseConfig, clock: systemClock },
    keepTraining: false,
  });
  const browser = await launch();
  onTestFinished(async () => {
    await browser.close();
    await server.close();
    await runs.close();
  });
  const run = await runs.start(parseConfig(CONFIG));
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(server.address);
  await page.getByText('Connected', { exact: true }).waitFor();
  return { root, runs, run, page };
}

const missing = missingDesktops ?? (hasChromium ? undefined : HOW_TO);

describeUnless(missing, 'a Docker desktop of a run that trains', () => {
  test('is used with mouse and keyboard, its task is solved and saved, and training goes on', async () => {
    const { root, runs, run, page } = await training();
    await page.evaluate(() => location.replace('#/desktops?desktop=d0'));
    await page.locator('.close-up .use[data-use="playing"]').waitFor();
    await button(page, 'Take over').click();
    await page.locator('.record-status[data-phase="acting"]').waitFor();
    const recording = () => runs.recordings.now().recording;
    expect(recording()).toMatchObject({ desktop: 'd0', kind: 'docker', isDeterministic: false });
    // What the agent did may be anything.
    const before = recording()?.change ?? 0;
    await button(page, 'Start over').click();
    await expect.poll(() => recording()?.change, PATIENCE).toBeGreaterThan(before);
    expect(recording()?.steps).toEqual([]);

    const picture = () =>
      page.locator('canvas.picture').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
    const shown = await picture();
    const [, text = ''] = /"(.*)"/.exec(recording()?.instruction ?? '') ?? [];
    await page.keyboard.type(text);
    await expect.poll(() => recording()?.steps.at(-1)?.action, PATIENCE).toEqual({ kind: 'type', text });
    await expect.poll(picture, PATIENCE).not.toBe(shown);
    await page.keyboard.press('Control+s');
    await expect.poll(() => recording()?.steps.length, PATIENCE).toBe(2);
    await page.locator('.glass').click();
    await expect.poll(() => recording()?.steps.at(-1)?.action.kind, PATIENCE).toBe('click');
    await button(page, 'Finish').click();
    await page.locator('.record-status').getByText('Solved', { exact: true }).waitFor();
    await button(page, 'Save').click();
    await page.locator('.record-status').getByText('Saved', { exact: true }).waitFor();
    await button(page, 'Back to the desktops').click();
    await page.locator('.tile').first().getByText('Playing', { exact: true }).waitFor();
    const episodes = () => runs.state(run)?.rollout.episodes ?? 0;
    const played = episodes();
    await expect.poll(episodes, PATIENCE).toBeGreaterThan(played + 3);

    await runs.stop(run);
    const state = runs.state(run);
    if (state === undefined) throw new Error('The run has no state.');
    const { submitted, accepted, filtered, dropped, failed, running } = state.data.books;
    expect(submitted).toBe(accepted + filtered + dropped + failed + running);
    const kept = await storedTrajectories(root);
    expect(kept.filter(({ provenance }) => provenance.kind === 'human')).toMatchObject([
      { purpose: 'demonstrate', outcome: { ending: 'finished' } },
    ]);
    expect(kept.flatMap(contradictions)).toEqual([]);
    // No order is played twice.
    const orders = kept.flatMap(({ order }) => order ?? []);
    expect(new Set(orders).size).toBe(orders.length);
    await expect.poll(() => containersOf(run), GONE).toEqual([]);
  });
});
