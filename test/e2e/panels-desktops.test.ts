// The panel Desktops in Chromium, with real pocket desktops, and with web desktops in a browser of their own.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../runtime/config/config.ts';
import type { Desktop } from '../../runtime/core/desktop.ts';
import { type DesktopId, desktopId, runId } from '../../runtime/core/ids.ts';
import { ProcessorTime } from '../../runtime/core/processor-time.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { DesktopViewers, type LookRequest } from '../../runtime/run/desktop-viewers.ts';
import { openKind } from '../../runtime/run/host/host-kinds.ts';
import { lookAt } from '../../runtime/server/desktops/desktops.ts';
import { startServer } from '../../runtime/server/server.ts';
import { missingBrowser } from '../environments/web/missing-browser.ts';
import { at, watchedDesktops } from '../run/host/watched-desktops.ts';
import { playedState } from '../server/played-state.ts';
import { ScriptedRuns } from '../server/scripted-runs.ts';
import { violations } from './accessibility.ts';
import { HOW_TO, hasChromium, launch } from './chromium.ts';

const unknownDesktop = (id: DesktopId): never => {
  throw new RangeError(`No desktop ${id} was made.`);
};

const PAGES = new URL('../../dist/webview/', import.meta.url);
const COUNT = 8;

if (!hasChromium) process.stderr.write(`${HOW_TO}\n`);

describe.skipIf(!hasChromium)('the panel Desktops', () => {
  let browser: Awaited<ReturnType<typeof launch>>;

  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  async function opened(
    isTraining = true,
    count = COUNT,
    options: Parameters<typeof watchedDesktops>[2] = {},
  ) {
    const played = watchedDesktops(count, systemClock, options);
    const audience = new DesktopViewers({ ...played.fabric, clock: systemClock });
    const runs = new ScriptedRuns(playedState(600));
    const gone = new Set<DesktopId>();
    const looking = {
      run: runId(playedState(600).run),
      look: async (look: LookRequest) => {
        const { after, views } = await audience.look(look);
        return { after, views: views.filter(({ desktop }) => !gone.has(desktop)) };
      },
      hosts: () => undefined,
    };
    runs.desktops = {
      look: look => lookAt(isTraining ? looking : undefined, look),
      kinds: async () => [{ kind: 'pocket', is: 'here' }],
    };
    const server = await startServer({
      ...{ pages: PAGES, port: 0, token: 'a-token', runs, clock: systemClock, keepTraining: false },
      parseConfig: () => {
        throw new Error('No run is started here.');
      },
    });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const pageErrors: string[] = [];
    page.on('pageerror', error => pageErrors.push(error.message));
    page.on('console', message => message.type() === 'error' && pageErrors.push(message.text()));
    onTestFinished(async () => {
      await page.close();
      await audience.close();
      await server.close();
      expect(pageErrors).toEqual([]);
    });
    await Promise.all(Array.from({ length: count }, (_, index) => played.begin(index)));
    await page.goto(server.address);
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Desktops' }).click();
    /** Another run trains, without some of the desktops. */
    const follow = (run: string, without: readonly DesktopId[]) => {
      looking.run = runId(run);
      for (const id of without) gone.add(id);
    };
    return { ...played, page, follow };
  }

  /** Whether anything was drawn there. */
  const drawn = (page: Page, canvas: string): Promise<boolean> =>
    page.evaluate(
      `(() => { const c = document.querySelector(${JSON.stringify(canvas)}); if (c === null || c.width === 0) return false;
        return new Set(c.getContext('2d').getImageData(0, 0, c.width, c.height).data).size > 8; })()`,
    );
  const until = async (is: () => Promise<boolean>): Promise<void> => {
    await expect.poll(is, { interval: 100 }).toBe(true);
  };

  test('shows all desktops live, with their use and step', async () => {
    const { page, click, uses, ids } = await opened();
    await expect.poll(() => page.locator('.tile').count()).toBe(COUNT);
    for (let number = 1; number <= COUNT; number++)
      await until(() => drawn(page, `.tile:nth-child(${number}) canvas`));
    await click(2, 60);
    await page.locator('.tile').nth(2).getByText('step 1 of max.').waitFor();
    uses.set(at(ids, 5), 'broken');
    await page.locator('.tile').nth(5).getByText('Broken', { exact: true }).waitFor();
    await page.getByText(`${COUNT - 1} playing · 1 broken`).waitFor();
  });

  test('one desktop in full size shows its last action; keys move to the next and back', async () => {
    const { page, click } = await opened();
    await page.locator('.tile').nth(1).press('Enter');
    await page.getByRole('heading', { name: 'Desktop 2' }).waitFor();
    await until(() => drawn(page, '.close-up .picture'));
    await click(1, 160);
    await page.getByText('Last action: click here').waitFor();
    await until(() => drawn(page, '.close-up .marks'));
    expect(page.url()).toMatch(/#\/desktops\?desktop=d1$/);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: 'Desktop 3' }).waitFor();
    await until(() => drawn(page, '.close-up .picture'));
    // A page that begins with one desktop learns of the others too.
    await page.reload();
    await until(() => drawn(page, '.close-up .picture'));
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('heading', { name: 'Desktop 2' }).waitFor();
    // These are keys of the browser.
    for (const held of ['Alt', 'Control', 'Meta']) await page.keyboard.press(`${held}+ArrowRight`);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: 'Desktop 3' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.tile').nth(2).waitFor();
    const has = await page.evaluate('document.activeElement.textContent');
    expect(has).toContain('Desktop 3');
  });

  test('a note replaces the use of a desktop that has left the run', async () => {
    const { page, ids, follow } = await opened();
    await page.locator('.tile').nth(7).press('Enter');
    await page.locator('.close-up').getByText('Playing', { exact: true }).waitFor();
    follow('next', [at(ids, 7)]);
    await page.getByRole('heading', { name: 'This desktop has left the run' }).waitFor();
    expect(await page.locator('.close-up').getByText('Playing', { exact: true }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.tile').count()).toBe(COUNT - 1);
  });

  test('a run that began while the panel was hidden shows all of its desktops', async () => {
    const { page, uses, ids, follow } = await opened();
    uses.set(at(ids, 5), 'broken');
    await page.locator('.tile').nth(5).getByText('Broken', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Trajectories' }).click();
    follow('next', []);
    await page.getByRole('link', { name: 'Desktops' }).click();
    await page.getByText(/^next · /).waitFor();
    await page.locator('.tile').nth(5).getByText('Broken', { exact: true }).waitFor();
  });

  test('a hidden panel receives no pictures', async () => {
    const { page, views, click, fabric } = await opened();
    await until(async () => views.length >= COUNT);
    await page.getByRole('link', { name: 'Trajectories' }).click();
    await expect.poll(async () => (await fabric.watched.get())?.wall).toBe(false);
    const before = views.length;
    for (let x = 0; x < 10; x++) await click(0, 10 * x);
    await systemClock.sleep(600);
    expect(views.length).toBe(before);
  });

  test.skipIf(missingBrowser !== undefined)(
    'web desktops are shown live, with their instruction',
    async () => {
      const health = () => undefined;
      const config = parseConfig({ environments: { kind: 'web' } });
      const kind = await openKind({ run: 'panels', config, health, clock: systemClock });
      onTestFinished(() => kind.close());
      const time = new ProcessorTime();
      const made = await Promise.all(
        ['d0', 'd1'].map(name => kind.make(desktopId(name), time).then(desktop => [name, desktop] as const)),
      );
      const make = (id: DesktopId) => new Map<string, Desktop>(made).get(id) ?? unknownDesktop(id);
      const { page, desktops } = await opened(true, made.length, { make, suite: kind.suite });
      await expect.poll(() => page.locator('.tile').count()).toBe(made.length);
      for (const number of [1, 2]) await until(() => drawn(page, `.tile:nth-child(${number}) canvas`));
      await at(desktops, 1).act({ kind: 'click', at: { x: 5, y: 5 } });
      await page.locator('.tile').nth(1).getByText('step 1 of max.').waitFor();
      const [task = ''] = kind.suite.tasks('train', 1);
      const { instruction } = kind.suite.task(task, kind.suite.seed('train', 0));
      await page.locator('.tile').nth(0).getByText(instruction).waitFor();
      await page.locator('.tile').nth(1).press('Enter');
      await until(() => drawn(page, '.close-up .picture'));
      for (const [, desktop] of made) await desktop.close();
    },
  );

  test('it is accessible in all default themes', async () => {
    const { page, click, uses, ids } = await opened();
    uses.set(at(ids, 5), 'broken');
    uses.set(at(ids, 6), 'idle');
    await page.locator('.tile').nth(5).getByText('Broken', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.locator('.tile').nth(1).click();
    await click(1, 160);
    await page.getByText('Last action: click here').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test('without a training run it says so, and fits a narrow window', async () => {
    const { page } = await opened(false);
    await page.getByRole('heading', { name: 'No run is training' }).waitFor();
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await page.evaluate('document.querySelector("#stage").scrollWidth')).toBeLessThanOrEqual(360);
  });
});
