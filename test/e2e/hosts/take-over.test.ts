// A person takes over a desktop of a host that has joined, in the pages of the daemon, and gives it back. With a real broker, a process of
// `dartboard join` and Chromium. Needs the bundles that `npm test` builds first.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../../runtime/config/config.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { startServer } from '../../../runtime/server/server.ts';
import { WorkspaceRuns } from '../../../runtime/server/workspace-runs.ts';
import { type NatsServer, startNatsServer } from '../../nats-server.ts';
import { PATIENCE } from '../../patience.ts';
import { temporaryFolder } from '../../temporary.ts';
import { HOW_TO, hasChromium, launch } from '../chromium.ts';
import { CommandLine } from '../command-line.ts';

const DIST = new URL('../../../dist/', import.meta.url);
const bundle = (name: string): URL => new URL(`${name}.js`, DIST);

if (!hasChromium) process.stderr.write(`${HOW_TO}\n`);

describe.skipIf(!hasChromium)('a desktop of a joined host', () => {
  let broker: NatsServer;
  let browser: Awaited<ReturnType<typeof launch>>;
  beforeAll(async () => {
    broker = await startNatsServer();
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await broker?.stop();
  });

  test('is taken over from the pages of the daemon, used, given back, and plays on', async () => {
    const runs = await WorkspaceRuns.open({
      root: temporaryFolder('take-over'),
      entries: {
        ...{ host: bundle('host'), worker: bundle('worker'), trainer: bundle('trainer') },
        ...{ engine: bundle('engine'), index: bundle('index'), frames: bundle('frames') },
      },
      ...{ clock: systemClock, notice: () => undefined },
    });
    onTestFinished(() => runs.close());
    const server = await startServer({
      ...{ pages: new URL('webview/', DIST), port: 0, token: 'a-token', runs, parseConfig },
      ...{ clock: systemClock, keepTraining: false },
    });
    onTestFinished(() => server.close());
    const run = await runs.start(
      parseConfig({
        ...{ minutes: 60, demonstrations: 0, preset: 'scratch', exploring: { firstSeconds: 0 } },
        environments: { desktops: 1 },
        // Desktops that wait for a slow trainer play nothing, and cannot be taken over.
        data: { ahead: 16, trajectoriesPerBatch: 16, trajectoriesAhead: 10_000 },
        evaluation: { everySeconds: 3600, instances: 1, lastInstances: 1, desktops: 1 },
        fabric: { kind: 'nats', servers: [broker.url] },
      }),
    );
    const { address } = runs.hosts.address(run);
    const joining = new CommandLine(temporaryFolder('tower'));
    const { program, ended } = joining.begin('join', address, '--desktops', '2', '--name', 'tower');
    onTestFinished(() => void program.kill('SIGKILL'));

    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    onTestFinished(() => page.close());
    await page.goto(server.address);
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Desktops' }).click();
    await expect.poll(() => page.locator('.tile').count(), PATIENCE).toBe(3);
    await page.locator('.tile').nth(2).press('Enter');
    await page.getByRole('heading', { name: 'Desktop 2 of tower' }).waitFor();
    const takeOver = page.getByRole('button', { name: 'Take over', exact: true });
    const acting = page.locator('.record-status[data-phase="acting"]');
    // Between two episodes it cannot be taken over.
    await expect
      .poll(async () => {
        if ((await takeOver.isVisible()) && (await takeOver.isEnabled())) await takeOver.click();
        return acting.isVisible();
      }, PATIENCE)
      .toBe(true);
    expect(runs.recordings.now().recording).toMatchObject({ desktop: 'tower-d1', kind: 'pocket' });

    const steps = () => runs.recordings.now().recording?.steps.length ?? 0;
    const before = steps();
    await page.locator('.glass').click();
    await expect.poll(steps, PATIENCE).toBe(before + 1);

    await page.getByRole('button', { name: 'Give back', exact: true }).click();
    await page.locator('.tile').nth(2).getByText('Playing', { exact: true }).waitFor();
    expect(runs.recordings.now()).toEqual({});

    program.kill('SIGTERM');
    expect(await ended).toMatchObject({ status: 0, stderr: '' });
  });
});
