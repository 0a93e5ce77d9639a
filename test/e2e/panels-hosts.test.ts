// The hosts of a run over several machines in Chromium: the table in the panel Training, the groups in the panel Desktops, draining and joining.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { desktopId, runId } from '../../runtime/core/ids.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import type { View } from '../../runtime/core/view.ts';
import { lookAt } from '../../runtime/server/desktops/desktops.ts';
import { startServer } from '../../runtime/server/server.ts';
import { hostsAfter, hostsState } from '../server/hosts-state.ts';
import { playedState } from '../server/played-state.ts';
import { ScriptedRuns } from '../server/scripted-runs.ts';
import { violations } from './accessibility.ts';
import { HOW_TO, hasChromium, launch } from './chromium.ts';

const PAGES = new URL('../../dist/webview/', import.meta.url);
const { run: RUN } = playedState(0);
/** A desktop of each host, and two of the daemon's machine. */
const DESKTOPS = ['d0', 'd1', 'tower-d0', 'tower-d1', 'laptop-2-d0', 'basement-d0'];

if (!hasChromium) process.stderr.write(`${HOW_TO}\n`);

describe.skipIf(!hasChromium)('the hosts of a run', () => {
  let browser: Awaited<ReturnType<typeof launch>>;

  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  async function opened({ state = hostsState(600), width = 1280, readOnly = false } = {}) {
    const runs = new ScriptedRuns(state);
    const views = DESKTOPS.map(
      (desktop): View => ({
        ...{ desktop: desktopId(desktop), size: 'small', at: 1, use: 'playing' },
      }),
    );
    const source = {
      run: runId(RUN),
      look: async () => ({ after: 1, views }),
      hosts: () => runs.state(runId(RUN))?.hosts,
    };
    runs.desktops = { ...runs.desktops, look: look => lookAt(source, look) };
    const server = await startServer({
      ...{ pages: PAGES, port: 0, token: 'a-token', runs, clock: systemClock, keepTraining: false, readOnly },
      parseConfig: () => {
        throw new Error('No run is started here.');
      },
    });
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await browser.newPage({ viewport: { width, height: 900 }, permissions });
    const pageErrors: string[] = [];
    page.on('pageerror', error => pageErrors.push(error.message));
    page.on('console', message => message.type() === 'error' && pageErrors.push(message.text()));
    onTestFinished(async () => {
      await page.close();
      await server.close();
      expect(pageErrors).toEqual([]);
    });
    await page.goto(server.address);
    await page.getByText('Connected', { exact: true }).waitFor();
    return { page, runs };
  }

  const table = (page: Page) => page.getByRole('table', { name: 'Hosts' });
  const row = (page: Page, name: string) => table(page).getByRole('row', { name });
  const drain = (page: Page, name: string) => page.getByRole('button', { name: `Drain… ${name}` });
  const overflows = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll('#hosts, #hosts table, #hosts td, #hosts th, .host-head')].flatMap(
        each => {
          const { right } = each.getBoundingClientRect();
          const room = each.closest('.panel, .cards') ?? document.body;
          const edge =
            room.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(room).paddingRight);
          const isCut = each.scrollWidth > each.clientWidth + 1 || (each !== room && right > edge + 1);
          return isCut ? [each.textContent] : [];
        },
      ),
    );

  describe('in the panel Training', () => {
    test('each host has a row with its state, desktops, rate, share, latency and clock', async () => {
      const { page } = await opened();
      await row(page, 'tower').waitFor();
      const cells = await table(page)
        .locator('tbody tr')
        .evaluateAll(rows =>
          rows.map(each => [...each.children].slice(0, 7).map(cell => cell.textContent?.trim())),
        );
      expect(cells.map(([, ...others]) => others)).toEqual([
        ['Playing', '8 of 8', '2', '15.3 33 %', '–', '–'],
        ['Playing', '15 of 16', '3', '29.1 63 %', '0.8 ms', '+12 ms'],
        ['Draining', '1 of 4', '1', '1.5 3 %', '24 ms', '−1.5 s'],
        ['Lost', '–', '–', '–', '–', '–'],
      ]);
      await row(page, 'local').getByText("The daemon's machine").waitFor();
      await row(page, 'laptop-2').getByText('Dartboard 0.9.1, but the daemon has 0.9.2').waitFor();
      await page.getByText('3 hosts, 24 of 28 desktops play').waitFor();
      await page.getByRole('status').getByText('basement has not answered since').waitFor();
    });

    test('a host is drained after confirmation, and then the focus is not lost', async () => {
      const { page, runs } = await opened();
      await drain(page, 'tower').press('Enter');
      await page.keyboard.press('Escape');
      await expect
        .poll(() => drain(page, 'tower').evaluate(each => each === document.activeElement))
        .toBe(true);
      expect(runs.asked).toEqual([]);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Drain the host' }).press('Enter');
      await expect.poll(() => runs.asked).toEqual([`drain ${RUN} tower`]);
      const hosts = hostsAfter(600).map(host =>
        host.name === 'tower' ? { ...host, status: 'draining' as const } : host,
      );
      runs.show(hostsState(600, { hosts }));
      await row(page, 'tower').getByText('Draining').waitFor();
      expect(await drain(page, 'tower').isVisible()).toBe(false);
      expect(await page.evaluate('document.activeElement.id')).toBe('hosts-title');
    });

    test('only a joined host that plays has the button', async () => {
      const { page } = await opened();
      await drain(page, 'tower').waitFor();
      expect(await page.getByRole('button', { name: /^Drain…/ }).count()).toBe(1);
    });

    test('a failure to drain is shown', async () => {
      const { page, runs } = await opened();
      const drainFails = () =>
        Promise.reject(new RangeError('The host tower has left. Nothing is to be done.'));
      runs.hosts = { ...runs.hosts, drain: drainFails };
      await drain(page, 'tower').click();
      await page.getByRole('button', { name: 'Drain the host' }).click();
      await page.getByRole('alert').getByText('The host tower has left.').waitFor();
    });

    test('the command for joining is fetched on demand, copied and replaced', async () => {
      const { page } = await opened();
      await page.getByRole('button', { name: 'Add a host…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a host' });
      const command = dialog.getByRole('textbox', { name: 'Command that joins the run' });
      const first = 'npx dartboard join "http://127.0.0.1:7422#token-1"';
      await expect.poll(() => command.textContent()).toBe(first);
      await dialog.getByText("set 'fabric.listen' in dartboard.json").waitFor();
      await dialog.getByRole('button', { name: 'Copy' }).click();
      await dialog.getByText('Copied.').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(first);
      await dialog.getByRole('button', { name: 'New token' }).click();
      await expect.poll(() => command.textContent()).toContain('#token-2');
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await expect.poll(() => page.evaluate('document.body.textContent.includes("token-2")')).toBe(false);
    });

    test('a new command that arrives after the dialog was closed stays out of the page', async () => {
      const { page, runs } = await opened();
      const { hosts } = runs;
      let answer: () => void = () => undefined;
      const gate = new Promise<void>(resolve => {
        answer = resolve;
      });
      let requests = 0;
      runs.hosts = {
        ...hosts,
        renewAddress: async run => {
          requests += 1;
          await gate;
          return hosts.renewAddress(run);
        },
        drain: () => Promise.reject(new RangeError('The host tower has left. Nothing is to be done.')),
      };
      await page.getByRole('button', { name: 'Add a host…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a host' });
      await dialog.getByRole('button', { name: 'New token' }).click();
      await expect.poll(() => requests).toBe(1);
      await dialog.getByRole('button', { name: 'Close' }).click();
      answer();
      // The reply to this request arrives after the new command.
      await drain(page, 'tower').click();
      await page.getByRole('button', { name: 'Drain the host' }).click();
      await page.getByRole('alert').getByText('The host tower has left.').waitFor();
      expect(await page.evaluate('document.body.textContent.includes("token-2")')).toBe(false);
    });

    test('a read-only daemon shows hosts, but lets no host join or leave', async () => {
      const { page } = await opened({ readOnly: true });
      await row(page, 'tower').waitFor();
      expect(await drain(page, 'tower').isVisible()).toBe(false);
      expect(await page.getByRole('button', { name: 'Add a host…' }).isVisible()).toBe(false);
    });

    test('a run that is over has the hosts as they were reported last', async () => {
      const { page } = await opened({ state: hostsState(600, { status: 'ended' }) });
      await row(page, 'tower').waitFor();
      await page.locator('#hosts').getByText('as last reported').waitFor();
      expect(await drain(page, 'tower').isVisible()).toBe(false);
      expect(await page.getByRole('button', { name: 'Add a host…' }).isVisible()).toBe(false);
    });

    test('a run on one machine has no table', async () => {
      const { page } = await opened({ state: playedState(600) });
      await page.getByRole('heading', { name: 'Trainer' }).waitFor();
      expect(await page.locator('#hosts').isVisible()).toBe(false);
    });

    test.each([360, 600, 720, 1000, 1280])('nothing is cut in a window of %i pixels', async width => {
      const { page } = await opened({ width });
      await row(page, 'tower').waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await overflows(page)).toEqual([]);
    });

    test('it is accessible in all default themes', async () => {
      const { page } = await opened();
      await row(page, 'tower').waitFor();
      expect(await violations(page)).toEqual([]);
      await drain(page, 'tower').click();
      await page.getByRole('dialog', { name: 'Drain the host tower?' }).waitFor();
      expect(await violations(page)).toEqual([]);
    });
  });

  describe('in the panel Desktops', () => {
    const watched = async (options: Parameters<typeof opened>[0] = {}) => {
      const { page, runs } = await opened(options);
      await page.getByRole('link', { name: 'Desktops' }).click();
      await page.locator('.tile').first().waitFor();
      return { page, runs };
    };
    const wall = (page: Page) =>
      page
        .locator('.cards')
        .evaluate(each => [...each.children].map(child => child.querySelector('h2, strong')?.textContent));

    test('each host has a heading with what it does, above its desktops', async () => {
      const { page } = await watched();
      expect(await wall(page)).toEqual([
        ...['local', 'Desktop 1', 'Desktop 2'],
        ...['tower', 'Desktop 1 of tower', 'Desktop 2 of tower'],
        ...['laptop-2', 'Desktop 1 of laptop-2'],
        ...['basement', 'Desktop 1 of basement'],
      ]);
      await page.getByText('15 of 16 desktops play, 3 workers, 29.1 steps/s, latency 0.8 ms').waitFor();
      await page.getByText('Dartboard 0.9.1, but the daemon has 0.9.2').waitFor();
      expect(await violations(page)).toEqual([]);
    });

    test('a host is drained from there, and its desktops vanish when it has left', async () => {
      const { page, runs } = await watched();
      await drain(page, 'tower').click();
      await page.getByRole('button', { name: 'Drain the host' }).click();
      await expect.poll(() => runs.asked).toEqual([`drain ${RUN} tower`]);
      runs.show(hostsState(600, { hosts: hostsAfter(600).filter(({ name }) => name !== 'tower') }));
      await page.getByRole('heading', { name: 'tower' }).waitFor({ state: 'detached' });
      expect(await wall(page)).not.toContain('Desktop 1 of tower');
    });

    test('desktops of a host that joins appear, and the focus stays', async () => {
      const hosts = hostsAfter(600).filter(({ name }) => name !== 'tower');
      const { page, runs } = await watched({ state: hostsState(600, { hosts }) });
      const last = page.locator('.tile', { hasText: 'Desktop 1 of basement' });
      await last.focus();
      runs.show(hostsState(600));
      await page.getByRole('heading', { name: 'tower' }).waitFor();
      expect(await last.evaluate(each => each === document.activeElement)).toBe(true);
    });

    test('a desktop of another host names it, and can be taken over like those of this machine', async () => {
      const { page } = await watched();
      await page.locator('.tile', { hasText: 'Desktop 2 of tower' }).click();
      await page.getByRole('heading', { name: 'Desktop 2 of tower' }).waitFor();
      await page.getByRole('button', { name: 'Take over' }).waitFor();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      await page.getByRole('heading', { name: 'Desktop 2', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Take over' }).waitFor();
    });

    test.each([360, 600])('nothing is cut in a window of %i pixels', async width => {
      const { page } = await watched({ width });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await overflows(page)).toEqual([]);
    });
  });
});
