// The panels that look at what was done, in a real browser: a library of 10,000 trajectories answers in the protocol's own messages.

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Library } from '../webview/panels/library.ts';
import { StandIn } from '../webview/panels/stand-in.ts';
import { HOW_TO, hasChromium, launch } from './chromium.ts';

if (!hasChromium) process.stderr.write(`${HOW_TO}\n`);

const COUNT = 10_000;
const ONE = 't-009994';
const OTHER = 't-009996';
const SOON = { timeout: 30_000 };

describe.skipIf(!hasChromium)('the panels', () => {
  const library = new Library(COUNT);
  const complaints: string[] = [];
  let browser: Browser;
  let daemon: StandIn;
  let page: Page;

  const opened = async (hash: string, width = 1200): Promise<Page> => {
    const made = await browser.newPage({ viewport: { width, height: 800 } });
    made.on('pageerror', error => complaints.push(error.message));
    made.on('console', message => message.type() === 'error' && complaints.push(message.text()));
    await made.goto(daemon.address);
    await made.getByText('Connected', { exact: true }).waitFor();
    await made.evaluate(place => location.replace(place), hash);
    return made;
  };
  const count = (text: string) => page.locator('.count').first().getByText(text, { exact: true });

  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    daemon = new StandIn(library);
    await daemon.open();
  });
  afterEach(async () => {
    await page.close();
    await daemon.close();
    // Among them would be every breach of the page's own security policy.
    expect(complaints.splice(0)).toEqual([]);
  });

  describe('Trajectories', () => {
    beforeEach(async () => {
      page = await opened('#/trajectories');
      await page.getByText('10,000 trajectories').waitFor();
    });

    test('lists thousands with few rows on the page, and fetches what one scrolls to', async () => {
      const list = page.getByRole('listbox', { name: 'Trajectories' });
      expect(await list.getByRole('option').count()).toBeLessThan(60);
      await list.focus();
      await page.keyboard.press('End');
      await list.locator('[aria-posinset="10000"][aria-selected="true"]').waitFor();
      await list.locator('[aria-posinset="10000"]').getByText('0', { exact: false }).first().waitFor();
      expect(await list.getByRole('option').count()).toBeLessThan(60);
      const offsets = daemon.askedFor('trajectories.list').map(({ params }) => params.offset);
      expect(offsets).toContain(9800);
      // All parts are of the list that the first one was of.
      const [first, ...others] = daemon.askedFor('trajectories.list').map(({ params }) => params.upTo);
      expect(first).toBeUndefined();
      expect(new Set(others)).toEqual(new Set([COUNT]));
      expect(offsets.length).toBeLessThan(5);
    });

    test('narrows and orders the list in the daemon, and still does so after a reload', async () => {
      await page.getByRole('combobox', { name: 'Outcome' }).click();
      await page.getByRole('option', { name: 'Broken' }).click();
      await page.getByText('10,000 trajectories').waitFor({ state: 'hidden' });
      expect(daemon.askedFor('trajectories.list').at(-1)?.params.filter).toEqual({ outcomes: ['broken'] });
      await page.reload();
      await page.locator('.row .sign.broken').first().waitFor();
      expect(daemon.askedFor('trajectories.list').at(-1)?.params.filter).toEqual({ outcomes: ['broken'] });
    });

    test('is where it was in the list, after a reload and after another panel', async () => {
      const list = page.getByRole('listbox', { name: 'Trajectories' });
      await list.focus();
      await page.keyboard.press('End');
      await page.keyboard.press('PageUp');
      const row = list.locator('[aria-selected="true"]:not([aria-posinset="10000"])[data-empty="false"]');
      await row.waitFor();
      const at = await row.getAttribute('aria-posinset');
      const same = list.locator(`[aria-posinset="${at}"][aria-selected="true"][data-empty="false"]`);
      const nav = page.getByRole('navigation', { name: 'Panels' });
      await nav.getByRole('link', { name: 'Training' }).click();
      await page.getByText('10:00 of 20:00 trained').waitFor();
      await nav.getByRole('link', { name: 'Trajectories' }).click();
      await same.waitFor();
      await expect
        .poll(() => page.evaluate('sessionStorage["dartboard-trajectories-at"]'), SOON)
        .toContain(`"at":${Number(at) - 1}`);
      await page.reload();
      await same.waitFor();
    });

    test('says when nothing is like that', async () => {
      await page.getByRole('search').getByRole('textbox', { name: 'Find in' }).fill('no such words anywhere');
      await page.getByRole('heading', { name: 'None is like that' }).waitFor();
    });

    test('says why the list cannot be shown, and tries again', async () => {
      daemon.refusals.set('trajectories.list', 'The index is being rebuilt.');
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByRole('alert').getByText('The index is being rebuilt.').waitFor();
      daemon.refusals.clear();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('10,000 trajectories').waitFor();
      await page.getByRole('alert').getByText('The index is being rebuilt.').waitFor({ state: 'hidden' });
    });
  });

  describe('one trajectory', () => {
    const whole = library.whole(ONE);

    beforeEach(async () => {
      page = await opened(`#/trajectories?trajectory=${ONE}`);
      await page.getByRole('heading', { name: whole.instruction }).waitFor();
    });

    test('is stepped through with the arrow keys, and is there again after a reload', async () => {
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await count(`Step 3 of ${whole.steps}`).waitFor();
      await page.reload();
      await count(`Step 3 of ${whole.steps}`).waitFor();
      await page.keyboard.press('End');
      await count(`After ${whole.steps} steps`).waitFor();
    });

    test('shows the picture of the step that one is at', async () => {
      const shown = () =>
        page.evaluate(() => {
          const canvas = document.querySelector<HTMLCanvasElement>('canvas.picture');
          return canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data.join() ?? '';
        });
      await page.locator('.frame[data-waiting="false"]').first().waitFor();
      const first = await shown();
      expect(first.length).toBeGreaterThan(320 * 240 * 4);
      await page.keyboard.press('End');
      await expect.poll(shown, SOON).not.toBe(first);
    });

    test('says how a step was decided', async () => {
      const [step] = whole.each;
      await page
        .locator('.decisions')
        .getByRole('heading', { name: step?.says ?? '' })
        .waitFor();
      await page.locator('.decisions [data-chosen="true"]').first().waitFor();
      await page.locator('.decisions').getByText('Uncertainty').waitFor();
    });

    test('shows elements only when they are asked for', async () => {
      expect(daemon.askedFor('trajectory.elements')).toEqual([]);
      await page.getByRole('button', { name: 'Elements' }).click();
      await expect.poll(() => daemon.askedFor('trajectory.elements').length, SOON).toBe(1);
      // They stay chosen.
      await page.reload();
      await expect.poll(() => daemon.askedFor('trajectory.elements').length, SOON).toBe(2);
    });

    test('plays to its end', async () => {
      await page.keyboard.press('End');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Space');
      await count(`After ${whole.steps} steps`).waitFor();
      await page.getByRole('button', { name: 'Play' }).waitFor();
    });

    test('goes beside another, and the arrow keys move both', async () => {
      await page.goto(`http://127.0.0.1:${daemon.port}/#/trajectories?trajectory=${ONE}&beside=${OTHER}`);
      await page.reload();
      await expect.poll(() => page.locator('.inspector h2').count(), SOON).toBe(2);
      await page.keyboard.press('ArrowRight');
      await expect
        .poll(() => page.locator('.count').allTextContents(), SOON)
        .toEqual([`Step 2 of ${whole.steps}`, `Step 2 of ${library.whole(OTHER).steps}`]);
      await page.getByRole('button', { name: 'Close the second' }).click();
      await expect.poll(() => page.locator('.inspector h2').count(), SOON).toBe(1);
    });

    test('takes a verdict by hand, also while its run trains, and takes it back', async () => {
      const success = page.getByRole('button', { name: 'Success, by your verdict' });
      const said = () => daemon.askedFor('annotate').map(({ params }) => params);
      const verdict = (given: boolean | null) => ({
        ...{ trajectory: ONE, who: 'somebody' },
        remark: { kind: 'verdict', success: given },
      });
      await success.click();
      await expect.poll(said, SOON).toEqual([verdict(true)]);
      await page.getByText('Judged by hand:').waitFor();
      await success.click();
      await expect.poll(said, SOON).toEqual([verdict(true), verdict(null)]);
    });

    test('goes into the success pool and out again, where it is a success', async () => {
      const isSuccess = (id: string) => library.whole(id).outcome === 'success';
      const ids = Array.from({ length: 50 }, (_, at) => `t-00${9999 - at}`);
      const [good = '', bad = ''] = [ids.find(isSuccess), ids.find(id => !isSuccess(id))];
      const open = async (id: string) => {
        await page.goto(`http://127.0.0.1:${daemon.port}/#/trajectories?trajectory=${id}`);
        await page.reload();
        await page.getByRole('heading', { name: library.whole(id).instruction }).waitFor();
      };
      await open(bad);
      const pool = page.getByRole('button', { name: 'Success pool' });
      expect(await pool.count()).toBe(0);
      await open(good);
      await pool.waitFor();
      await page.getByRole('button', { name: 'Success pool', pressed: false }).click();
      const star = page.locator('.row .star:visible');
      await star.waitFor();
      await page.getByRole('button', { name: 'Success pool', pressed: true }).click();
      await page.getByRole('button', { name: 'Success pool', pressed: false }).waitFor();
      await star.waitFor({ state: 'hidden' });
      const said = daemon.askedFor('annotate').map(({ params: { remark } }) => remark);
      expect(said.slice(-2)).toEqual([
        { kind: 'pool', isMember: true },
        { kind: 'pool', isMember: null },
      ]);
    });

    test('gives way to the list with Escape, and the browser goes back to it', async () => {
      await page.keyboard.press('Escape');
      await page.getByRole('heading', { name: 'Choose a trajectory' }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: whole.instruction }).waitFor();
    });

    test('says why it cannot be shown', async () => {
      daemon.refusals.set('trajectory.get', 'Its file is damaged.');
      await page.reload();
      await page.getByRole('alert').getByText('Its file is damaged.').waitFor();
      daemon.refusals.clear();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: whole.instruction }).waitFor();
    });
  });

  describe('High-Entropy Steps', () => {
    beforeEach(async () => {
      page = await opened('#/uncertain');
      await page.locator('.card').first().waitFor();
    });

    test('shows the least certain first, and each opens its trajectory there', async () => {
      const shares = (await page.locator('.card strong').allTextContents()).map(text =>
        Number.parseInt(text, 10),
      );
      expect(shares).toEqual([...shares].sort((a, b) => b - a));
      await page.locator('.card').first().press('Enter');
      await page.locator('.decisions h3').waitFor();
      expect(page.url()).toMatch(/#\/trajectories\?trajectory=t-\d+&step=\d+/);
      await page.goBack();
      await page.locator('.card').first().waitFor();
    });

    test('draws on each picture what was done', async () => {
      await page.locator('.card canvas[data-marked="true"]').first().waitFor();
      expect(daemon.askedFor('trajectory.get').length).toBeLessThan(30);
    });

    test('is scrolled to where it was, after a reload and after another panel', async () => {
      const stage = page.locator('#stage');
      const scrolled = () => stage.evaluate(element => element.scrollTop);
      await page.locator('.card').nth(30).scrollIntoViewIfNeeded();
      const top = await scrolled();
      expect(top).toBeGreaterThan(300);
      const nav = page.getByRole('navigation', { name: 'Panels' });
      await nav.getByRole('link', { name: 'Training' }).click();
      await page.getByText('10:00 of 20:00 trained').waitFor();
      await nav.getByRole('link', { name: 'High-Entropy Steps' }).click();
      await expect.poll(scrolled, SOON).toBe(top);
      await page.reload();
      await expect.poll(scrolled, SOON).toBe(top);
    });

    test('groups them, and fetches pictures only of what is in sight', async () => {
      expect(daemon.askedFor('trajectory.frame').length).toBeLessThan(30);
      await page.getByRole('combobox', { name: 'Group' }).click();
      await page.getByRole('option', { name: 'By outcome' }).click();
      await page.getByRole('heading', { name: 'Failure' }).waitFor();
      expect(daemon.askedFor('steps.uncertain').at(-1)?.params.by).toBe('outcome');
    });
  });

  describe('Annotate', () => {
    const said = () =>
      daemon.askedFor('annotate').map(({ params: { trajectory, remark } }) => ({ trajectory, remark }));
    const here = () => page.url().match(/trajectory=(t-\d+)/)?.[1] ?? '';

    const seen = () => page.locator('.annotating .form[aria-busy="false"]').waitFor();

    beforeEach(async () => {
      page = await opened('#/annotate');
      await page.locator('.annotating .inspector h2').waitFor();
      await seen();
    });

    test('accepts and rejects by single keys, goes on to the next, and takes it back', async () => {
      const first = here();
      await page.keyboard.press('a');
      await page.getByText('1 of 12 decided').waitFor();
      await expect.poll(here, SOON).not.toBe(first);
      const second = here();
      // Nothing can be said of what nobody could see yet.
      await seen();
      await page.keyboard.press('r');
      await page.getByText('2 of 12 decided').waitFor();
      await page.keyboard.press('u');
      await page.getByText('1 of 12 decided').waitFor();
      await expect.poll(here, SOON).toBe(second);
      expect(said()).toEqual([
        { trajectory: first, remark: { kind: 'pool', isMember: true } },
        { trajectory: second, remark: { kind: 'pool', isMember: false } },
        { trajectory: second, remark: { kind: 'pool', isMember: null } },
      ]);
      expect(daemon.marksOf(first)).toMatchObject({ isInPool: true });
    });

    test('decides once for who holds a key down, or presses it again too soon', async () => {
      const first = here();
      await page.keyboard.down('a');
      await page.keyboard.down('a');
      await page.keyboard.up('a');
      await page.getByText('1 of 12 decided').waitFor();
      await expect.poll(here, SOON).not.toBe(first);
      await seen();
      const second = here();
      // Both before the first is answered.
      await page.evaluate(() => {
        for (let times = 0; times < 2; times++)
          document.body.dispatchEvent(
            new KeyboardEvent('keydown', { key: 'r', bubbles: true, cancelable: true }),
          );
      });
      await page.getByText('2 of 12 decided').waitFor();
      await expect.poll(here, SOON).not.toBe(second);
      await seen();
      expect(said()).toEqual([
        { trajectory: first, remark: { kind: 'pool', isMember: true } },
        { trajectory: second, remark: { kind: 'pool', isMember: false } },
      ]);
    });

    test('is at the same trajectory and step after a reload', async () => {
      await page.keyboard.press('ArrowDown');
      await page.locator('.queue li:nth-child(2) [aria-current="true"]').waitFor();
      await seen();
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => page.url(), SOON).toMatch(/step=1$/);
      const before = page.url();
      await page.reload();
      await page.locator('.queue li:nth-child(2) [aria-current="true"]').waitFor();
      await expect.poll(() => page.url(), SOON).toBe(before);
    });

    test('marks key steps and trims at the step that one is at', async () => {
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('k');
      await page.getByText('key steps 2').waitFor();
      await page.locator('.shot[data-key="true"]').waitFor();
      await page.keyboard.press('[');
      await page.locator('.marks-said').getByText('trimmed to step').waitFor();
      await page.locator('.shot[data-cut="true"]').first().waitFor();
      await page.keyboard.press('u');
      await page.locator('.marks-said').getByText('trimmed to step').waitFor({ state: 'hidden' });
      expect(daemon.marksOf(here())).toEqual({ keySteps: [1] });
    });

    test('edits the instruction; letters that are typed are no commands', async () => {
      await page.keyboard.press('i');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('take a nap');
      await page.keyboard.press('Escape');
      await page.getByRole('heading', { name: 'take a nap' }).waitFor();
      expect(said().map(({ remark }) => remark)).toEqual([{ kind: 'instruction', text: 'take a nap' }]);
    });

    test('says when all are decided', async () => {
      for (let decided = 1; decided <= 12; decided++) {
        await seen();
        await page.keyboard.press('a');
        if (decided < 12) await page.getByText(`${decided} of 12 decided`).waitFor();
      }
      await page.getByRole('heading', { name: 'All decided' }).waitFor();
      // What nobody sees any more is not decided anew by a key too many.
      const last = said().at(-1);
      for (const key of ['r', 'k', 'ArrowUp', 'a']) await page.keyboard.press(key);
      await page.keyboard.press('u');
      await page.getByText('11 of 12 decided').waitFor();
      expect(said()).toHaveLength(13);
      expect(said().at(-1)).toMatchObject({ trajectory: last?.trajectory, remark: { isMember: null } });
    });

    test('takes back what was said before a reload, and brings it back into the queue', async () => {
      const first = here();
      await page.keyboard.press('a');
      await page.getByText('1 of 12 decided').waitFor();
      await expect.poll(here, SOON).not.toBe(first);
      await seen();
      await page.reload();
      await page.getByText('0 of 12 decided').waitFor();
      await seen();
      expect(here()).not.toBe(first);
      await page.keyboard.press('u');
      await expect.poll(here, SOON).toBe(first);
      expect(daemon.marksOf(first)).toEqual({ keySteps: [] });
    });

    test('says why something was not done', async () => {
      daemon.refusals.set('annotate', 'The disk is full.');
      await page.keyboard.press('a');
      await page.getByRole('alert').getByText('The disk is full.').waitFor();
      await page.getByText('0 of 12 decided').waitFor();
    });

    test('keeps what was typed and could not be said, and says it when the field is left again', async () => {
      daemon.refusals.set('annotate', 'The disk is full.');
      await page.keyboard.press('n');
      await page.keyboard.type('odd colours');
      await page.keyboard.press('Escape');
      await page.getByRole('alert').getByText('The disk is full.').waitFor();
      daemon.refusals.clear();
      await page.keyboard.press('k');
      await page.locator('.marks-said').getByText('key step').waitFor();
      expect(await page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('odd colours');
      await page.keyboard.press('n');
      await page.keyboard.press('Escape');
      await expect.poll(() => said().at(-1)?.remark, SOON).toEqual({ kind: 'note', text: 'odd colours' });
      expect(daemon.marksOf(here())).toMatchObject({ keySteps: [0], note: 'odd colours' });
    });

    test('says what was typed before it goes on, also what was typed before a reload', async () => {
      const first = here();
      await page.keyboard.press('n');
      await page.keyboard.type('odd colours');
      await page.reload();
      await seen();
      expect(here()).toBe(first);
      const note = page.getByRole('textbox', { name: 'Note' });
      await expect.poll(() => note.inputValue(), SOON).toBe('odd colours');
      await page.keyboard.press('a');
      await expect.poll(here, SOON).not.toBe(first);
      await seen();
      expect(await note.inputValue()).toBe('');
      expect(said()).toEqual([
        { trajectory: first, remark: { kind: 'note', text: 'odd colours' } },
        { trajectory: first, remark: { kind: 'pool', isMember: true } },
      ]);
    });
  });

  test('one goes from panel to panel and finds each as it was left', async () => {
    page = await opened(`#/trajectories?trajectory=${ONE}&step=2`);
    await count(`Step 3 of ${library.whole(ONE).steps}`).waitFor();
    const nav = page.getByRole('navigation', { name: 'Panels' });
    await nav.getByRole('link', { name: 'Training' }).click();
    await page.getByText('10:00 of 20:00 trained').waitFor();
    await nav.getByRole('link', { name: 'Trajectories' }).click();
    await count(`Step 3 of ${library.whole(ONE).steps}`).waitFor();
  });

  test('says when the connection is lost, and shows the same again once it is back', async () => {
    page = await opened(`#/trajectories?trajectory=${ONE}&step=1`);
    await count(`Step 2 of ${library.whole(ONE).steps}`).waitFor();
    const { port } = daemon;
    await daemon.close();
    await page.getByText('Connection lost.').waitFor();
    daemon = new StandIn(library);
    await daemon.open(port);
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByText('10,000 trajectories').waitFor();
    await count(`Step 2 of ${library.whole(ONE).steps}`).waitFor();
    await page.getByRole('status').getByText('Connected again at').waitFor();
    // While nobody listens the browser itself complains of each attempt.
    complaints.splice(0);
  });

  test.each(['#/trajectories', `#/trajectories?trajectory=${ONE}`, '#/uncertain', '#/annotate'])(
    'nothing of %s sticks out of a narrow page',
    async hash => {
      page = await opened(hash, 400);
      await page.locator('.row:visible, .strip, .card').first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400);
      expect(await page.evaluate('document.querySelector("#stage").scrollWidth')).toBeLessThanOrEqual(400);
    },
  );
});
