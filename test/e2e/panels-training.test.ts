// The panel Training in Chromium: live state, buttons, chart, comparison, reconnect.

import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { type DaemonServer, startServer } from '../../runtime/server/server.ts';
import { playedState } from '../server/played-state.ts';
import { ScriptedRuns } from '../server/scripted-runs.ts';
import { violations } from './accessibility.ts';
import { HOW_TO, hasChromium, launch } from './chromium.ts';

const PAGES = new URL('../../dist/webview/', import.meta.url);
const RUN = playedState(0).run;

if (!hasChromium) process.stderr.write(`${HOW_TO}\n`);

describe.skipIf(!hasChromium)('the panel Training', () => {
  let browser: Awaited<ReturnType<typeof launch>>;
  let runs: ScriptedRuns;
  let server: DaemonServer;
  let page: Page;
  const pageErrors: string[] = [];

  const serve = (port = 0): Promise<DaemonServer> =>
    startServer({
      pages: PAGES,
      port,
      token: 'a-token',
      runs,
      clock: systemClock,
      keepTraining: false,
      parseConfig: () => {
        throw new Error('No run is started here.');
      },
    });
  const opened = async (width = 1000): Promise<Page> => {
    const made = await browser.newPage({ viewport: { width, height: 800 } });
    made.on('pageerror', error => pageErrors.push(error.message));
    made.on('console', message => message.type() === 'error' && pageErrors.push(message.text()));
    await made.goto(server.address);
    await made.getByText('Connected', { exact: true }).waitFor();
    return made;
  };

  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    runs = new ScriptedRuns(playedState(600));
    server = await serve();
    page = await opened();
  });
  afterEach(async () => {
    await page.close();
    await server.close();
    expect(pageErrors.splice(0)).toEqual([]);
  });

  test('removes the token from the address, and a reload still has it', async () => {
    expect(page.url()).toBe(`http://127.0.0.1:${server.port}/#/training`);
    await page.reload();
    await page.getByRole('heading', { name: RUN }).waitFor();
  });

  test('shows the state of the run, and updates it', async () => {
    await page.getByText('10:00 of 20:00 trained').waitFor();
    await page.getByText('about 10 min left').waitFor();
    await page.getByText('4,440 submitted').waitFor();
    runs.show(playedState(1140));
    await page.getByText('19:00 of 20:00 trained').waitFor();
    await page.getByText('8,436 submitted').waitFor();
  });

  test('pauses and continues, and the focus stays on the button', async () => {
    await page.getByRole('button', { name: 'Pause' }).press('Enter');
    await page.getByText('Paused', { exact: true }).waitFor();
    const other = page.getByRole('button', { name: 'Continue' });
    await expect.poll(() => other.evaluate(each => each === each.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByText('Running', { exact: true }).waitFor();
    expect(runs.asked).toEqual([`pause ${RUN}`, `continue ${RUN}`]);
  });

  test('a held Enter presses one button once', async () => {
    await page.getByRole('button', { name: 'Pause' }).focus();
    await page.keyboard.down('Enter');
    await page.getByText('Paused', { exact: true }).waitFor();
    const other = page.getByRole('button', { name: 'Continue' });
    await expect.poll(() => other.evaluate(each => each === each.ownerDocument.activeElement)).toBe(true);
    // Playwright marks them as repeated.
    for (let repeat = 0; repeat < 3; repeat++) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.keyboard.press('Enter');
    await page.getByText('Running', { exact: true }).waitFor();
    expect(runs.asked).toEqual([`pause ${RUN}`, `continue ${RUN}`]);
  });

  test('stops only after confirmation', async () => {
    const stop = page.getByRole('button', { name: 'Stop…' });
    await stop.click();
    await page.keyboard.press('Escape');
    await stop.click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(runs.asked).toEqual([]);
    await stop.click();
    await page.getByRole('button', { name: 'Stop the run' }).click();
    await page.getByText('Ended', { exact: true }).waitFor();
    expect(runs.asked).toEqual([`stop ${RUN}`]);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Running', { exact: true }).waitFor();
  });

  test('the question whether to stop names its run, and is withdrawn when another run is shown', async () => {
    await page.getByRole('button', { name: 'Stop…' }).click();
    const question = page.getByRole('dialog', { name: `Stop the run '${RUN}'?` });
    await question.waitFor();
    const next = playedState(60, { run: 'another' });
    runs.show({ ...next, startedAt: next.startedAt + 1 });
    await page.getByRole('heading', { name: 'another' }).waitFor();
    await question.waitFor({ state: 'detached' });
    expect(runs.asked).toEqual([]);
  });

  test('shows why an action failed', async () => {
    runs.pause = () => Promise.reject(new Error('The run is about to end: let it.'));
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('alert').getByText('The run is about to end: let it.').waitFor();
  });

  test('the error of a run is not shown with another run', async () => {
    runs.pause = () => Promise.reject(new Error('The run is about to end: let it.'));
    runs.show(playedState(1200, { run: 'another', status: 'ended' }));
    await page.getByRole('button', { name: 'Pause' }).click();
    const error = page.getByRole('alert').getByText('The run is about to end: let it.');
    await error.waitFor();
    await page.getByRole('combobox', { name: 'Run' }).click();
    await page.getByRole('option', { name: 'another (ended)' }).click();
    await page.getByRole('heading', { name: 'another' }).waitFor();
    await error.waitFor({ state: 'hidden' });
  });

  test('an action that fails after another run was chosen is reported with the name of its run', async () => {
    let fail: (error: Error) => void = () => undefined;
    const paused = new Promise<void>((_, reject) => {
      fail = reject;
    });
    runs.pause = () => paused;
    runs.show(playedState(1200, { run: 'another', status: 'ended' }));
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('combobox', { name: 'Run' }).click();
    await page.getByRole('option', { name: 'another (ended)' }).click();
    await page.getByRole('heading', { name: 'another' }).waitFor();
    fail(new Error('The run is about to end: let it.'));
    const why = `The action for the run '${RUN}' failed: The run is about to end: let it.`;
    await page.getByRole('alert').getByText(why).waitFor();
    expect(await page.locator('#complaint').isVisible()).toBe(false);
  });

  test('an error that arrives before the first state of a run stays', async () => {
    runs.show(playedState(1200, { run: 'another', status: 'ended' }));
    await page.getByRole('checkbox', { name: 'another', exact: true }).click();
    await page.locator('.overlay canvas').waitFor();
    runs.state = run => (run === RUN ? playedState(600) : undefined);
    await page.reload();
    await page.getByRole('heading', { name: RUN }).waitFor();
    await page.getByRole('alert').getByText("Run 'another' does not exist.").waitFor();
  });

  test('a run whose state could not be read is shown once it has one', async () => {
    runs.state = () => undefined;
    await page.reload();
    await page.getByText(`The state of the run '${RUN}' cannot be shown.`).waitFor();
    runs.show(playedState(660));
    await page.getByText('11:00 of 20:00 trained').waitFor();
  });

  test('the keyboard reads the curve, and a table has all evaluations', async () => {
    // Before the curve is drawn, its keys do nothing.
    await page.locator('#rows tr').first().waitFor({ state: 'attached' });
    await page.locator('#plot').focus();
    await page.keyboard.press('Home');
    await page.getByText('After 0:00').waitFor();
    // These are keys of the browser.
    for (const held of ['Alt', 'Control', 'Meta']) await page.keyboard.press(`${held}+ArrowRight`);
    await page.keyboard.press('ArrowRight');
    await page.getByText('After 1:00').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('After 1:00').waitFor({ state: 'hidden' });
    await page.getByText('Show as a table').click();
    await expect.poll(() => page.getByRole('row').count()).toBe(1 + playedState(600).curve.length);
  });

  test('the curve has three axes, and a reload keeps the choice', async () => {
    await page.getByRole('combobox', { name: 'Axis of the curve' }).click();
    await page.getByRole('option', { name: 'Over steps' }).click();
    const read = async () => {
      await page.locator('#plot').focus();
      await page.keyboard.press('End');
      await page.getByText('After 30,000 steps').waitFor();
    };
    await read();
    await page.reload();
    await page.getByRole('heading', { name: RUN }).waitFor();
    await page.locator('#rows tr').first().waitFor({ state: 'attached' });
    await read();
  });

  test('tasks are sorted by success rate, lowest first', async () => {
    const numbersOf = page.locator('.tier').first().locator('li .number');
    // `allTextContents` does not wait.
    await numbersOf.nth(1).waitFor();
    const shown = await numbersOf.allTextContents();
    const numbers = shown.map(text => Number.parseInt(text, 10));
    expect(numbers.length).toBeGreaterThan(1);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });

  test('the run can be selected', async () => {
    runs.show(playedState(1200, { run: 'another', status: 'ended' }));
    await page.getByRole('combobox', { name: 'Run' }).click();
    await page.getByRole('option', { name: 'another (ended)' }).click();
    await page.getByRole('heading', { name: 'another' }).waitFor();
  });

  test('compares runs in a chart and a table of differences', async () => {
    const other = playedState(1200, { run: 'another', status: 'ended' });
    runs.show({ ...other, about: { ...other.about, preset: 'taught' } });
    for (const name of [RUN, 'another']) await page.getByRole('checkbox', { name, exact: true }).click();
    await page.locator('.overlay canvas').waitFor();
    const row = page.locator('.compare tr', { hasText: 'Preset' });
    await expect.poll(() => row.locator('td').allTextContents()).toEqual(['scratch', 'taught']);
    await expect.poll(() => row.getAttribute('data-differs')).toBe('true');
    await page.reload();
    await page.locator('.compare tr', { hasText: 'Preset' }).getByText('taught').waitFor();
    await page.getByRole('group', { name: 'Success curves of the chosen runs' }).locator('canvas').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test('saves a report about the chosen runs', async () => {
    runs.show(playedState(1200, { run: 'another', status: 'ended' }));
    const exportButton = page.getByRole('button', { name: 'Export…' });
    await page.getByRole('checkbox', { name: 'another', exact: true }).waitFor();
    expect(await exportButton.isVisible()).toBe(false);
    for (const name of [RUN, 'another']) await page.getByRole('checkbox', { name, exact: true }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), exportButton.click()]);
    expect(download.suggestedFilename()).toBe(`comparison-${RUN}-and-1-more.html`);
    expect(await readFile(await download.path(), 'utf8')).toContain(`<title>${RUN} against another</title>`);
    expect(runs.asked).toEqual([`compare ${RUN} another`]);
  });

  test('training can continue when no window is connected', async () => {
    await page.getByLabel('Keep training when no window is connected').check();
    await page.getByText(`continues to train '${RUN}' without clients`).waitFor();
    expect(server.life).toMatchObject({ keepTraining: true });
  });

  test('says how to go on after the daemon has stopped, can still be read, and reconnects if it returns', async () => {
    const { port } = server;
    await server.close();
    await page.getByText('Start it again and open the address that it prints.').waitFor();
    await page.getByText('Show as a table').click();
    await page.locator('#rows').waitFor();
    expect(await page.getByText('reconnects by itself').count()).toBe(0);
    // The browser logs an error for each failed attempt to connect.
    server = await serve(port);
    await page.getByText('Connected', { exact: true }).waitFor();
    runs.show(playedState(660));
    await page.getByText('11:00 of 20:00 trained').waitFor();
    pageErrors.splice(0);
  });

  test.each([360, 400, 900, 1400, 1600])('fits a window of %i pixels', async width => {
    const narrow = await opened(width);
    await narrow.getByText('10:00 of 20:00 trained').waitFor();
    expect(await narrow.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await narrow.evaluate('document.querySelector("#stage").scrollWidth')).toBeLessThanOrEqual(width);
    await narrow.close();
  });

  test('without a token the daemon rejects the page', async () => {
    const stranger = await browser.newPage();
    await stranger.goto(`http://127.0.0.1:${server.port}/`);
    await stranger.getByText('The daemon rejected this page.').waitFor();
    await stranger.close();
  });

  test('without a run it names the command that starts one', async () => {
    runs = new ScriptedRuns();
    const bare = await serve();
    const first = await browser.newPage();
    await first.goto(bare.address);
    await first.getByText('No runs yet.').waitFor();
    runs.show(playedState(0));
    await first.getByRole('heading', { name: RUN }).waitFor();
    await first.close();
    await bare.close();
  });
});
