// The play page in Chromium: mouse and keyboard solve tasks on the canvas.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Action, pointerAfter } from '../../runtime/core/action.ts';
import { seed } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { SCREEN } from '../../runtime/environments/pocket/getters.ts';
import { POCKET, solutionOf } from '../../runtime/environments/pocket/tasks/suite.ts';
import { type PlayServer, startPlay } from '../../runtime/server/play/server.ts';
import { HOW_TO, hasChromium, launch } from './chromium.ts';

const PAGES = new URL('../../dist/webview/', import.meta.url);
const serve = (port = 0): Promise<PlayServer> =>
  startPlay({
    pages: PAGES,
    port,
    token: 'a-token',
    suite: POCKET,
    clock: systemClock,
    random: seeded('e2e'),
  });

if (!hasChromium) process.stderr.write(`${HOW_TO}\n`);

describe.skipIf(!hasChromium)('the play page', () => {
  let browser: Awaited<ReturnType<typeof launch>>;
  let server: PlayServer;
  let page: Page;
  const pageErrors: string[] = [];

  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    server = await serve();
    page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
    page.on('pageerror', error => pageErrors.push(error.message));
    page.on('console', message => message.type() === 'error' && pageErrors.push(message.text()));
    await page.goto(server.address);
    await page.getByText('Connected', { exact: true }).waitFor();
  });
  afterEach(async () => {
    await page.close();
    await server.close();
    expect(pageErrors.splice(0)).toEqual([]);
  });

  /** The position of a pixel of the desktop on the page. */
  async function place({ x, y }: { readonly x: number; readonly y: number }): Promise<[number, number]> {
    const box = await page.locator('#screen').boundingBox();
    if (box === null) throw new Error('There is no screen.');
    return [box.x + ((x + 0.5) * box.width) / SCREEN.width, box.y + ((y + 0.5) * box.height) / SCREEN.height];
  }

  async function byHand(action: Action): Promise<void> {
    if (action.kind === 'type') return page.keyboard.type(action.text);
    if (action.kind === 'hotkey') {
      const names = { ctrl: 'Control', enter: 'Enter', end: 'End' };
      return page.keyboard.press(
        action.keys.map(key => Object.entries(names).find(([name]) => name === key)?.[1] ?? key).join('+'),
      );
    }
    const at = pointerAfter(action);
    if (at === undefined) return;
    const [x, y] = await place(at);
    if (action.kind === 'click') await page.mouse.click(x, y);
    else if (action.kind === 'double_click') await page.mouse.dblclick(x, y);
    else throw new Error(`This hand does not ${action.kind}.`);
  }

  /** Picks a task, and returns its instance. */
  async function pick(task: string): Promise<number> {
    await page.locator(`button[data-task="${task}"]`).click();
    const about = page.getByText(/instance \d+/);
    await about.waitFor();
    return Number(/instance (\d+)/.exec((await about.textContent()) ?? '')?.[1]);
  }

  test('removes the token from the address, and a reload still has it', async () => {
    expect(page.url()).toBe(`http://127.0.0.1:${server.port}/`);
    await page.reload();
    await page.getByText('Connected', { exact: true }).waitFor();
  });

  test('scales the screen by a whole number', async () => {
    const box = await page.locator('#screen').boundingBox();
    expect(box).toMatchObject({ width: 2 * SCREEN.width, height: 2 * SCREEN.height });
  });

  test.each(['settings-night-light', 'settings-network', 'settings-device-name'])(
    '%s is solved with mouse and keyboard',
    async id => {
      const number = seed(await pick(id));
      const task = POCKET.task(id, number);
      await page.getByRole('heading', { name: task.instruction }).waitFor();
      const { actions } = solutionOf(POCKET, task, number);
      for (const action of actions) await byHand(action);
      await page.getByText(`${actions.length} of ${task.dartboard?.max_steps} steps used`).waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('heading', { name: 'Solved', exact: true }).waitFor();
      await page.getByText('Nothing else was changed.').waitFor();
      expect(await page.locator('#count').textContent()).toContain('1 solved');
    },
  );

  test('shows why a task is not solved, and restarts it', async () => {
    await pick('settings-night-light');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'Not solved' }).waitFor();
    await page.getByText(/Night light in Settings should be (on|off), and is (on|off)\./).waitFor();
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.getByText('0 of 6 steps used').waitFor();
  });

  test('two quick clicks on a checkbox are two clicks', async () => {
    const number = seed(await pick('settings-night-light'));
    const box = solutionOf(POCKET, POCKET.task('settings-night-light', number), number).actions.at(-1);
    if (box?.kind !== 'click') throw new Error('The check box is not clicked.');
    await page.getByRole('button', { name: 'Elements' }).click();
    await page.mouse.move(...(await place(box.at)));
    await page.getByText(/checkbox “Night light”/).waitFor();
    await page.mouse.dblclick(...(await place(box.at)));
    await page.getByText('2 of 6 steps used').waitFor();
  });

  test('plays the scripted solution', async () => {
    await pick('settings-theme');
    await page.getByLabel('Speed of the solution').selectOption('Fast');
    await page.getByRole('button', { name: 'Watch the solution' }).click();
    await page.getByRole('heading', { name: 'Solved', exact: true }).waitFor();
    await page.getByText('The scripted solution.', { exact: true }).waitFor();
  });

  test('shows the element under the mouse', async () => {
    await page.getByRole('button', { name: 'Elements' }).click();
    await page.mouse.move(...(await place({ x: 20, y: 232 })));
    await page.getByText('button “Apps”').waitFor();
  });

  test('F6 moves the focus out of the screen', async () => {
    await page.mouse.click(...(await place({ x: 150, y: 100 })));
    await page.keyboard.press('Tab');
    await page.getByText('Press Tab', { exact: true }).waitFor();
    await page.keyboard.press('F6');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Start the first task');
  });

  test('reconnects to the same task', async () => {
    const number = await pick('settings-theme');
    const { port } = server;
    await server.close();
    await page.getByRole('heading', { name: 'Disconnected' }).waitFor();
    server = await serve(port);
    await page.getByRole('button', { name: 'Reconnect' }).click();
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByText(`instance ${number}`).waitFor();
  });

  test('without a token the server rejects the page', async () => {
    const stranger = await browser.newPage();
    await stranger.goto(`http://127.0.0.1:${server.port}/`);
    await stranger.getByRole('heading', { name: 'The server rejected this page' }).waitFor();
    await stranger.close();
  });
});
