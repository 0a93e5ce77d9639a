// The panels for those who do not see them, see little, or have no mouse: rules of accessibility in VS Code's four default themes, in
// every state that a panel can be in; and the keyboard alone.

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Library } from '../webview/panels/library.ts';
import { StandIn } from '../webview/panels/stand-in.ts';
import { violations } from './accessibility.ts';
import { HOW_TO, hasChromium, launch } from './chromium.ts';

const COUNT = 400;
const ONE = 't-000394';
const SOON = { timeout: 30_000 };

describe.skipIf(!hasChromium)('the panels are accessible', () => {
  let browser: Browser;
  let daemon: StandIn;
  let page: Page;

  const opened = async (hash: string, library = new Library(COUNT)): Promise<void> => {
    daemon = new StandIn(library);
    await daemon.open();
    await shown(hash);
  };
  const shown = async (hash: string): Promise<void> => {
    await page.goto(daemon.address);
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.evaluate(place => location.replace(place), hash);
  };

  beforeAll(async () => {
    if (!hasChromium) process.stderr.write(`${HOW_TO}\n`);
    browser = await launch();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1280, height: 820 }, reducedMotion: 'reduce' });
  });
  afterEach(async () => {
    await page.close();
    await daemon.close();
  });

  describe('in all default themes', () => {
    test.each([
      ['Training', '#/training', '#rows tr >> nth=0'],
      ['Trajectories', '#/trajectories', '.row[data-empty="false"] >> nth=0'],
      ['one trajectory', `#/trajectories?trajectory=${ONE}&step=1`, '.frame[data-waiting="false"] >> nth=0'],
      ['High-Entropy Steps', '#/uncertain', '.card >> nth=0'],
      ['Annotate', '#/annotate', '.frame[data-waiting="false"] >> nth=0'],
    ])('%s', async (_, hash, there) => {
      await opened(hash);
      await page.locator(there).waitFor({ state: 'attached' });
      expect(await violations(page)).toEqual([]);
    });

    test.each(['#/trajectories', '#/uncertain', '#/annotate'])('%s with nothing in it', async hash => {
      await opened(hash, new Library(0));
      await page.locator('.nothing:visible h2').first().waitFor();
      expect(await violations(page)).toEqual([]);
    });

    test.each([
      ['#/trajectories', 'trajectories.list'],
      [`#/trajectories?trajectory=${ONE}`, 'trajectory.get'],
      ['#/uncertain', 'steps.uncertain'],
      ['#/annotate', 'annotation.queue'],
    ] as const)('%s while %s waits, and when it fails', async (hash, method) => {
      await opened(hash);
      daemon.silences.add(method);
      await page.reload();
      await page.locator('.waiting:visible').first().waitFor();
      expect(await violations(page)).toEqual([]);
      daemon.silences.clear();
      daemon.refusals.set(method, 'The index is being rebuilt.');
      await page.reload();
      await page.getByRole('alert').getByText('The index is being rebuilt.').waitFor();
      expect(await violations(page)).toEqual([]);
    });

    test('without a connection', async () => {
      await opened('#/trajectories');
      await page.locator('.row[data-empty="false"]').first().waitFor();
      await daemon.close();
      await page.getByText('Connection lost.').waitFor();
      expect(await violations(page)).toEqual([]);
    });
  });

  describe('with the keyboard alone', () => {
    /** What has the keyboard, as it is called. */
    const focused = (): Promise<string> =>
      page.evaluate(() => {
        const { activeElement: at } = document;
        return at?.getAttribute('aria-label') ?? at?.textContent?.trim() ?? '';
      });
    /** Tab by Tab from the first panel's name on until it comes round; all that had the keyboard. */
    const walked = async (): Promise<readonly string[]> => {
      await page.getByRole('link', { name: 'Training' }).focus();
      const stops = [await focused()];
      for (let press = 0; press < 80; press++) {
        await page.keyboard.press('Tab');
        if (await page.evaluate(() => document.activeElement === document.body)) break;
        // Whoever has it is seen to have it: the focus is drawn by the control, or by what is inside it.
        expect(
          await page.evaluate(() => {
            const { activeElement: at } = document;
            return [at, at?.shadowRoot?.activeElement].some(each => each?.matches(':focus-visible') ?? false);
          }),
          await focused(),
        ).toBe(true);
        stops.push(await focused());
      }
      return stops;
    };

    test('Tab reaches the panels, the filters, the list and then the trajectory, in this order', async () => {
      await opened(`#/trajectories?trajectory=${ONE}`);
      await page.locator('.frame[data-waiting="false"]').first().waitFor();
      const stops = await walked();
      const places = ['Training', 'Annotate', 'Outcome', 'Trajectories', 'Steps', 'Step on'].map(name =>
        stops.lastIndexOf(name),
      );
      expect(places).not.toContain(-1);
      expect(places).toEqual([...places].sort((a, b) => a - b));
    });

    test('the film strip goes with the arrow keys, and says where it is', async () => {
      await opened(`#/trajectories?trajectory=${ONE}`);
      const strip = page.getByRole('listbox', { name: 'Steps' });
      await strip.focus();
      await page.keyboard.press('ArrowRight');
      await strip.locator('[aria-posinset="2"][aria-selected="true"]').waitFor();
      expect(await strip.getAttribute('aria-activedescendant')).toBe(
        await strip.locator('[aria-selected="true"]').getAttribute('id'),
      );
    });

    test('the list goes as far as its keys are pressed, however fast', async () => {
      await opened('#/trajectories');
      await page.locator('.row[data-empty="false"]').first().waitFor();
      const list = page.getByRole('listbox', { name: 'Trajectories' });
      await list.evaluate(element => {
        for (let press = 0; press < 5; press++)
          element.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
      });
      await list.locator('[aria-posinset="5"][aria-selected="true"]').waitFor();
    });

    test('a gallery is left through a card and come back to at that card', async () => {
      await opened('#/uncertain');
      const card = page.locator('.card').nth(3);
      const name = (await card.textContent())?.trim();
      await card.press('Enter');
      await page.locator('.decisions h3').waitFor();
      await page.goBack();
      await expect.poll(focused, SOON).toBe(name);
    });

    test('the queue of what waits goes with the arrow keys', async () => {
      await opened('#/annotate');
      await page.locator('.annotating .inspector h2').waitFor();
      await page.keyboard.press('ArrowDown');
      await page.locator('.queue li:nth-child(2) [aria-current="true"]').waitFor();
    });
  });

  test('nothing moves by itself for those who asked for that', async () => {
    await opened('#/training');
    await page.locator('.share .fill').first().waitFor({ state: 'attached' });
    const moving = await page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .filter(each => {
          const { transitionDuration, animationName } = getComputedStyle(each);
          return (
            transitionDuration.split(', ').some(time => Number.parseFloat(time) > 0) ||
            animationName !== 'none'
          );
        })
        .map(({ className, tagName }) => `${tagName} ${className}`),
    );
    expect(moving).toEqual([]);
  });

  test('what is drawn has a name, and its numbers stand in a table', async () => {
    await opened('#/training');
    await page.getByRole('img', { name: /^Tasks solved; after .* Test worlds: \d+ %/ }).waitFor();
    await page.getByText('As a table').press('Enter');
    await page.getByRole('table').getByRole('columnheader', { name: 'Steps' }).waitFor();
  });
});
