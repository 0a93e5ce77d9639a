// The panel Record in Chromium while an agent acts: a person approves, rejects and corrects its actions.

import { describe, expect, test } from 'vitest';
import { trajectoryId } from '../../runtime/core/ids.ts';
import { violations } from './accessibility.ts';
import { hasChromium } from './chromium.ts';
import { LIVE_TASK, MISSING, recordPanel, scripted } from './record-panel.ts';

describe.skipIf(!hasChromium)('the panel Record', () => {
  const { shown, button, acting, perform, solve } = recordPanel();

  test('an agent acts live: the person approves its actions, corrects one with the mouse, and keeps the correction', async () => {
    const script = scripted();
    const { page, store, accepted } = await shown('#/record?run=run-1', false, script);
    await page.getByRole('textbox', { name: 'Your name' }).fill('Ada');
    await page.getByRole('combobox', { name: 'Who acts' }).click();
    await page.getByRole('option', { name: 'Agent compact' }).click();
    await page.getByRole('textbox', { name: 'Search tasks' }).fill(LIVE_TASK);
    await button(page, `Run ${LIVE_TASK}`).click();
    await acting(page);
    await button(page, 'Approve each step').click();
    await expect.poll(() => script.state()?.pilot?.mode).toBe('approve');
    script.go();
    const proposal = page.locator('.record-proposal');
    const steps = page.locator('.record-steps li');
    for (let step = 0; step < MISSING; step++) {
      await proposal.getByText('Proposed:').waitFor();
      expect(await steps.count()).toBe(step);
      if (step === 0) {
        await page.getByRole('img', { name: 'The agent proposes' }).waitFor();
        await page.getByRole('heading', { name: 'Pointer target' }).waitFor();
        expect(await violations(page)).toEqual([]);
        // A held key approves nothing.
        await page.locator('body').dispatchEvent('keydown', { key: 'y', repeat: true });
        await page.locator('body').press('y');
      } else await button(page, 'Approve').click();
      await expect.poll(() => steps.count()).toBe(step + 1);
    }
    await proposal.getByText('Proposed:').waitFor();
    const correction = script.actionsOf()[MISSING];
    if (correction !== undefined) await perform(page, correction);
    await expect.poll(() => steps.count()).toBe(MISSING + 1);
    expect(script.state()?.pilot).toMatchObject({ mode: 'pause' });
    expect(await page.locator('.record-by').count()).toBe(MISSING);
    await button(page, 'Run').click();
    await page.locator('.record-status').getByText('Solved').waitFor();
    await button(page, 'Save').click();
    await page.locator('.record-status').getByText('Saved').waitFor();
    const [id = ''] = accepted;
    expect(await store.index.row(trajectoryId(id))).toMatchObject({
      ...{ provenance: 'human', trim: { from: MISSING, to: 6 } },
    });
    // With the same weights: the user chose no run.
    await button(page, 'Another instance').click();
    await expect.poll(() => script.asked).toEqual([{ agent: 'compact' }, { agent: 'compact' }]);
  });

  test('an address starts an agent, and a rejected action is not performed', async () => {
    const script = scripted();
    const { page } = await shown(`#/record?agent=compact&task=${LIVE_TASK}`, false, script);
    await acting(page);
    await button(page, 'Step').waitFor();
    await button(page, 'Approve each step').click();
    await expect.poll(() => script.state()?.pilot?.mode).toBe('approve');
    script.go();
    await button(page, 'Reject').click();
    await expect.poll(() => script.state()?.pilot?.mode).toBe('pause');
    expect(script.state()).toMatchObject({ phase: 'acting', steps: [] });
    await button(page, 'Discard').click();
    await page.getByRole('heading', { name: 'Record a demonstration' }).waitFor();
  });

  test('another instance uses the weights of the first one, also after a reload', async () => {
    const script = scripted();
    const place = `#/record?agent=compact&task=${LIVE_TASK}&run=run-1`;
    const { page, recordings } = await shown(place, false, script);
    await acting(page);
    await solve(page, LIVE_TASK, recordings);
    await button(page, 'Finish').click();
    await page.locator('.record-status').getByText('Solved').waitFor();
    await page.reload();
    await button(page, 'Save').click();
    await page.locator('.record-status').getByText('Saved').waitFor();
    await button(page, 'Another instance').click();
    const first = { agent: 'compact', from: 'run-1' };
    await expect.poll(() => script.asked).toEqual([first, first]);
  });

  test('the explanation of a step is fetched again when the connection was lost before its reply', async () => {
    const script = scripted();
    const { page } = await shown(`#/record?agent=compact&task=${LIVE_TASK}`, false, script);
    await acting(page);
    const steps = page.locator('.record-steps').getByRole('button');
    const mode = () => script.state()?.pilot?.mode;
    await button(page, 'Step').click();
    await expect.poll(mode).toBe('step');
    script.go();
    await expect.poll(() => steps.count()).toBe(1);
    await expect.poll(mode).toBe('pause');
    await button(page, 'Step').click();
    await expect.poll(() => steps.count()).toBe(2);
    await expect.poll(mode).toBe('pause');
    await steps.first().click();
    await page.evaluate(() => {
      const { send } = WebSocket.prototype;
      WebSocket.prototype.send = function (data) {
        if (String(data).includes('"record.decision"')) {
          WebSocket.prototype.send = send;
          this.close();
        } else send.call(this, data);
      };
    });
    await steps.last().click();
    await page.getByRole('status').getByText('Reconnected at').waitFor();
    await page.getByRole('heading', { name: 'Pointer target' }).waitFor();
  });
});
