// Steps that a language model chose, in Chromium: tokens with their tooltips, malformed replies, turns of several actions.

import { expect, test } from 'vitest';
import { findReply } from '../webview/panels/model-steps.ts';
import type { ReplyKind } from '../webview/panels/replies.ts';
import { describePanels } from './panels-fixture.ts';

describePanels(
  'the reply of a language model',
  fixture => {
    /** Opens the step with the reply of this kind, in a trajectory of at least four steps. */
    const open = async (kind: ReplyKind, by = 0): Promise<string> => {
      const { id, step } = findReply(fixture.library, kind);
      await fixture.open(`#/trajectories?trajectory=${id}&step=${step + by}`, 1200);
      await fixture.page.locator('.decisions h3').waitFor();
      return id;
    };
    const tokens = () => fixture.page.getByRole('listbox', { name: 'Tokens of the reply' });
    const tip = () => fixture.page.getByRole('tooltip');
    const replyOf = (id: string) =>
      fixture.library.detail(id).each.flatMap(({ chosen }) => chosen?.reply ?? [])[1];

    test('shows its tokens, its numbers and who answered; the steps of the built-in agent are as before', async () => {
      const id = await open('long');
      const reply = replyOf(id);
      const texts = await tokens().getByRole('option').allTextContents();
      expect(texts.join('').replace('<|im_end|>', '')).toBe(reply?.raw);
      expect(texts.length).toBeGreaterThan(450);
      const facts = await fixture.page.locator('.reply .facts').first().textContent();
      expect(facts).toContain(`Reply${reply?.tokens.length} tokens`);
      expect(facts).toMatch(/Entropy0\.\d\d nats/);
      await fixture.page.getByText('Entropy: estimated from the likeliest tokens (top-k).').waitFor();
      await fixture.page.locator('.served').getByText('gpu-box/1').waitFor();
      await fixture.page.locator('.served').getByText('“step-120”').waitFor();
      const compact = fixture.library.ids.find(each => fixture.library.row(each).agent === undefined) ?? '';
      await fixture.open(`#/trajectories?trajectory=${compact}`);
      await fixture.page.locator('.decisions').getByText('Uncertainty').waitFor();
      expect(await fixture.page.locator('.reply').count()).toBe(0);
    });

    test('a token under the pointer shows its alternatives, which the pointer can reach', async () => {
      await open('plain');
      const token = tokens().getByRole('option').nth(6);
      await token.hover();
      await tip().waitFor();
      await expect.poll(() => tip().locator('li[data-chosen="true"]').count()).toBe(1);
      await expect.poll(() => tip().locator('li').count()).toBeGreaterThan(3);
      await tip().hover();
      await tip().getByText('probability').waitFor();
      await fixture.page.getByRole('heading', { level: 3 }).first().hover();
      await tip().waitFor({ state: 'hidden' });
    });

    test('the keyboard reaches every token: one tab stop, arrow keys, and Escape for the tooltip', async () => {
      const id = await open('plain');
      const names = await tokens()
        .getByRole('option')
        .evaluateAll(all => all.map(each => each.ariaLabel));
      await tokens().focus();
      await tip().waitFor();
      const active = () =>
        tokens().evaluate(list => {
          const item = document.getElementById(list.getAttribute('aria-activedescendant') ?? '');
          return item?.ariaLabel ?? '';
        });
      await expect.poll(() => active()).toBe(names[0]);
      await fixture.page.keyboard.press('ArrowRight');
      await fixture.page.keyboard.press('ArrowRight');
      await expect.poll(() => active()).toBe(names[2]);
      await fixture.page.keyboard.press('End');
      await expect.poll(() => active()).toMatch(/^special token <\|im_end\|>, probability/);
      await fixture.page.keyboard.press('ArrowUp');
      await fixture.page.keyboard.press('ArrowDown');
      await fixture.page.keyboard.press('Home');
      await fixture.page.keyboard.press('ArrowLeft');
      await expect.poll(() => active()).toBe(names[0]);
      // The panel did not use these keys: the same step is open.
      expect(fixture.page.url()).toContain(`trajectory=${id}&step=1`);
      await fixture.page.keyboard.press('Escape');
      await tip().waitFor({ state: 'hidden' });
      expect(fixture.page.url()).toContain(`trajectory=${id}`);
      await fixture.page.keyboard.press('Escape');
      await fixture.page.getByRole('heading', { name: 'Choose a trajectory' }).waitFor();
    });

    test('the tooltip stays inside the window, at every token', async () => {
      const { id, step } = findReply(fixture.library, 'long');
      await fixture.open(`#/trajectories?trajectory=${id}&step=${step}`, 400);
      await tokens().focus();
      for (const key of ['Home', 'End', 'ArrowUp', 'ArrowUp', 'ArrowLeft']) {
        await fixture.page.keyboard.press(key);
        const box = await tip().boundingBox();
        expect(box?.x).toBeGreaterThanOrEqual(0);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(400);
      }
      const isWider = 'document.documentElement.scrollWidth > innerWidth';
      expect(await fixture.page.evaluate(isWider)).toBe(false);
    });

    test('a character that is split over tokens is whole', async () => {
      const id = await open('split characters');
      const texts = await tokens().getByRole('option').allTextContents();
      expect(texts.join('').replace('<|im_end|>', '')).toBe(replyOf(id)?.raw);
      expect(texts.join('')).toContain('👍');
      await tokens().getByRole('option', { name: 'part of “👍”' }).first().waitFor();
    });

    test('a malformed reply is marked in the step and in the film strip', async () => {
      await open('malformed');
      await fixture.page
        .getByText('The reply has no action that can be performed: no action found: write at least one.')
        .waitFor();
      await expect.poll(() => fixture.page.locator('.shot[data-malformed="true"]').count()).toBe(1);
    });

    test('a cut reply names its limit, and defects and retries are in plain words', async () => {
      await open('cut');
      await fixture.page.getByText(/The server cut the reply at its limit of \d+ tokens\./).waitFor();
      await open('defects and retries');
      await fixture.page
        .getByText('The report of the server is wrong, so RL cannot use this step:')
        .waitFor();
      await fixture.page
        .getByText('Another model answered than the one that was requested, or weights of another version.')
        .waitFor();
      await fixture.page
        .getByText('3: server error (status 5xx) twice, no reply before the deadline')
        .waitFor();
    });

    test('without log-probabilities, the reply is plain text', async () => {
      const id = await open('no log-probabilities');
      await fixture.page.getByText('The server reports no log-probabilities, so the tokens').waitFor();
      await expect.poll(() => fixture.page.locator('.raw').textContent()).toBe(replyOf(id)?.raw);
      expect(await tokens().count()).toBe(0);
      await fixture.page
        .getByText('RL cannot use this step: the server reports no log-probabilities.')
        .waitFor();
    });

    test('the actions of one reply belong together', async () => {
      const id = await open('plain', 1);
      const { each } = fixture.library.detail(id);
      await fixture.page.getByText('One reply with 2 actions. This is action 2.').waitFor();
      await expect.poll(() => fixture.page.locator('.shot[data-continues="true"]').count()).toBe(1);
      await fixture.page.locator('.turn').getByRole('button').first().click();
      await fixture.page.getByText('One reply with 2 actions. This is action 1.').waitFor();
      await fixture.page
        .locator('.decisions')
        .getByRole('heading', { name: each[1]?.says ?? '', exact: true })
        .waitFor();
    });
  },
  ['ui-tars', 'qwen3-vl'],
);
