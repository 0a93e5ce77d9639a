// Accessibility of the panels: axe rules in the four default themes of VS Code, in every state of a panel; and use by keyboard alone.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PATIENCE } from '../patience.ts';
import { modelRunState } from '../server/model-run-state.ts';
import { playedState } from '../server/played-state.ts';
import { FakeDaemon } from '../webview/panels/fake-daemon.ts';
import { TrajectoryLibrary } from '../webview/panels/library.ts';
import { findReply } from '../webview/panels/model-steps.ts';
import { violations } from './accessibility.ts';
import { HOW_TO, hasChromium, launch } from './chromium.ts';

const COUNT = 400;
const ONE = 't-000394';

describe.skipIf(!hasChromium)('the panels are accessible', () => {
  let browser: Awaited<ReturnType<typeof launch>>;
  let daemon: FakeDaemon;
  let page: Page;

  const opened = async (
    hash: string,
    library = new TrajectoryLibrary(COUNT),
    state = playedState(600),
  ): Promise<void> => {
    daemon = new FakeDaemon(library);
    daemon.state = state;
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

    test('Annotate, while a model pre-sorts the queue and with its suggestion', async () => {
      await opened('#/annotate');
      daemon.presorters.push('ui-tars', 'qwen3-vl');
      await page.reload();
      await page.getByRole('button', { name: 'Pre-sort with a model…' }).click();
      expect(await violations(page)).toEqual([]);
      daemon.unanswered.add('presort.follow');
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.getByRole('button', { name: 'Cancel' }).waitFor();
      expect(await violations(page)).toEqual([]);
      daemon.unanswered.clear();
      await page.reload();
      await page.getByText('ui-tars: done').waitFor();
      await page.getByRole('button', { name: 'Show these first' }).click();
      await page.mouse.move(0, 0);
      // The list is loaded in another order meanwhile, and a key before its first entry opens shows nothing.
      const reason = page.getByText('The window was never closed.');
      const isShown = () =>
        reason.waitFor({ timeout: 2000 }).then(
          () => true,
          () => false,
        );
      await expect.poll(() => page.keyboard.press('s').then(isShown), PATIENCE).toBe(true);
      expect(await violations(page)).toEqual([]);
    });

    describe('with language models', () => {
      const agents = new TrajectoryLibrary(COUNT, ['ui-tars', 'qwen3-vl']);

      test.each(['running', 'ended'] as const)('Training, with a learner and servers: %s', async status => {
        const state = modelRunState(600, { status });
        const problem = 'the trainer: The learner did not answer.';
        await opened('#/training', agents, {
          ...state,
          learner: state.learner && { ...state.learner, problem },
        });
        await page.getByRole('table', { name: 'Servers' }).waitFor();
        expect(await violations(page)).toEqual([]);
      });

      test.each(['plain', 'malformed', 'no log-probabilities', 'defects and retries'] as const)(
        'a step with a reply: %s',
        async kind => {
          const { id, step } = findReply(agents, kind);
          await opened(`#/trajectories?trajectory=${id}&step=${step}`, agents);
          await page.locator('.frame[data-waiting="false"]').first().waitFor();
          // The tooltip is checked too.
          if (kind === 'no log-probabilities') await page.locator('.raw').waitFor();
          else await page.getByRole('listbox', { name: 'Tokens of the reply' }).focus();
          expect(await violations(page)).toEqual([]);
        },
      );

      test('two agents compared, with an open task', async () => {
        await opened('#/trajectories?agent=compact&against=ui-tars', agents);
        await page.locator('.compared-task summary').first().click();
        await page.locator('.instances button').first().waitFor();
        expect(await violations(page)).toEqual([]);
      });

      test.each(['#/trajectories', '#/uncertain'])('%s of several agents', async hash => {
        await opened(hash, agents);
        await page.getByRole('combobox', { name: 'Agent' }).waitFor();
        await page.locator('.row[data-empty="false"], .card').first().waitFor();
        expect(await violations(page)).toEqual([]);
      });
    });

    test.each(['#/trajectories', '#/uncertain', '#/annotate'])('%s without content', async hash => {
      await opened(hash, new TrajectoryLibrary(0));
      await page.locator('.nothing:visible h2').first().waitFor();
      expect(await violations(page)).toEqual([]);
    });

    test.each([
      ['#/trajectories', 'trajectories.list'],
      [`#/trajectories?trajectory=${ONE}`, 'trajectory.get'],
      ['#/uncertain', 'steps.uncertain'],
      ['#/annotate', 'annotation.queue'],
    ] as const)('%s while %s loads, and after it fails', async (hash, method) => {
      await opened(hash);
      daemon.unanswered.add(method);
      await page.reload();
      await page.locator('.waiting:visible').first().waitFor();
      expect(await violations(page)).toEqual([]);
      daemon.unanswered.clear();
      daemon.rejections.set(method, 'The index is being rebuilt.');
      await page.reload();
      await page.getByRole('alert').getByText('The index is being rebuilt.').waitFor();
      expect(await violations(page)).toEqual([]);
    });

    test('without a connection', async () => {
      await opened('#/trajectories');
      await page.locator('.row[data-empty="false"]').first().waitFor();
      await daemon.crash();
      await page.getByText('Connection lost.').waitFor();
      expect(await violations(page)).toEqual([]);
    });
  });

  describe('with the keyboard alone', () => {
    /** The label of the focused element. */
    const focused = (): Promise<string> =>
      page.evaluate(() => {
        const { activeElement: at } = document;
        return at?.getAttribute('aria-label') ?? at?.textContent?.trim() ?? '';
      });
    /** Presses Tab from the first tab until the focus leaves the page; returns the labels of all stops. */
    const walked = async (): Promise<readonly string[]> => {
      await page.getByRole('link', { name: 'Training' }).focus();
      const stops = [await focused()];
      for (let press = 0; press < 80; press++) {
        await page.keyboard.press('Tab');
        if (await page.evaluate(() => document.activeElement === document.body)) break;
        // The focus must be visible, on the control or on an element inside it.
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
      const places = ['Training', 'Annotate', 'Outcome', 'Trajectories', 'Steps', 'Next step'].map(name =>
        stops.lastIndexOf(name),
      );
      expect(places).not.toContain(-1);
      expect(places).toEqual([...places].sort((a, b) => a - b));
    });

    test('Shift on a select chooses nothing: the trajectory stays open', async () => {
      await opened(`#/trajectories?trajectory=${ONE}`);
      await page.locator('.frame[data-waiting="false"]').first().waitFor();
      const before = await page.evaluate('location.hash');
      await page.getByRole('combobox', { name: 'Run', exact: true }).focus();
      await page.keyboard.press('Shift');
      expect(await page.evaluate('location.hash')).toBe(before);
    });

    test('the arrow keys move through the film strip, which announces its position', async () => {
      await opened(`#/trajectories?trajectory=${ONE}`);
      const strip = page.getByRole('listbox', { name: 'Steps' });
      await strip.focus();
      await page.keyboard.press('ArrowRight');
      await strip.locator('[aria-posinset="2"][aria-selected="true"]').waitFor();
      expect(await strip.getAttribute('aria-activedescendant')).toBe(
        await strip.locator('[aria-selected="true"]').getAttribute('id'),
      );
    });

    test('the list counts every key press, however fast', async () => {
      await opened('#/trajectories');
      await page.locator('.row[data-empty="false"]').first().waitFor();
      const list = page.getByRole('listbox', { name: 'Trajectories' });
      await list.evaluate(element => {
        for (let press = 0; press < 5; press++)
          element.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
      });
      await list.locator('[aria-posinset="5"][aria-selected="true"]').waitFor();
    });

    test('back from a trajectory, the focus is on the card that opened it', async () => {
      await opened('#/uncertain');
      const card = page.locator('.card').nth(3);
      const name = (await card.textContent())?.trim();
      await card.press('Enter');
      await page.locator('.decisions h3').waitFor();
      await page.goBack();
      await expect.poll(focused).toBe(name);
    });

    test('the arrow keys move through the queue', async () => {
      await opened('#/annotate');
      await page.locator('.annotating .inspector h2').waitFor();
      await page.keyboard.press('ArrowDown');
      await page.locator('.queue li:nth-child(2) [aria-current="true"]').waitFor();
    });
  });

  test.each(['the system', 'VS Code'])('nothing is animated with reduced motion of %s', async where => {
    await opened('#/training');
    await page.locator('.share .fill').first().waitFor({ state: 'attached' });
    if (where === 'VS Code') {
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
    }
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

  test('the chart has a label, and a table with its numbers', async () => {
    await opened('#/training');
    await page.getByRole('img', { name: /^Tasks solved; after .* Test worlds: \d+ %/ }).waitFor();
    await page.getByText('Show as a table').press('Enter');
    await page.getByRole('table').getByRole('columnheader', { name: 'Steps' }).waitFor();
  });
});
