// Several agents in Chromium: the filter of the list, the gallery of one agent, and the comparison of two.

import { describe, expect, test } from 'vitest';
import { COUNT_OF_AGENTS, describePanels } from './panels-fixture.ts';

describePanels(
  'several agents',
  fixture => {
    const choose = async (name: string, option: RegExp) => {
      await fixture.page.getByRole('combobox', { name, exact: true }).click();
      await fixture.page.getByRole('option', { name: option }).click();
    };

    describe('in the list', () => {
      test('rows name their agent and its tokens, and a filter selects one', async () => {
        await fixture.open('#/trajectories');
        await fixture.page.getByText(`${COUNT_OF_AGENTS} trajectories`).waitFor();
        await fixture.page.locator('.row .line').getByText('compact ·').first().waitFor();
        await choose('Agent', /^ui-tars/);
        await fixture.page.getByText('133 trajectories').waitFor();
        const lines = await fixture.page.locator('.row[data-empty="false"] .line').allTextContents();
        expect(lines.every(line => /^ui-tars · .* · 21\.7K tokens, cost 0\.031$/.test(line))).toBe(true);
        expect(await fixture.page.locator('.row .meter:visible').count()).toBe(0);
        await fixture.page.reload();
        await fixture.page.getByText('133 trajectories').waitFor();
      });

      test('an order by uncertainty over several agents has a warning', async () => {
        await fixture.open('#/trajectories');
        const warning = fixture.page.getByText('The uncertainties of different agents are not comparable.');
        await fixture.page.getByText(`${COUNT_OF_AGENTS} trajectories`).waitFor();
        expect(await warning.isVisible()).toBe(false);
        await choose('Sort by', /highest uncertainty/);
        await warning.waitFor();
        await choose('Agent', /^qwen3-vl/);
        await warning.waitFor({ state: 'hidden' });
      });
    });

    test('the gallery shows one agent, and the estimator of its entropy', async () => {
      await fixture.open('#/uncertain');
      await fixture.page.locator('.card').first().waitFor();
      // compact has the most trajectories.
      await fixture.page.getByText('The steps at which the policy was least certain.').waitFor();
      expect(fixture.daemon.requestsOf('steps.uncertain').at(-1)?.params.filter.agents).toEqual(['compact']);
      await choose('Agent', /^ui-tars/);
      await fixture.page.getByText('estimated from the likeliest tokens (top-k)').waitFor();
      const shown = await fixture.page.locator('.card strong').allTextContents();
      expect(shown.every(text => /^\d\.\d\d nats$/.test(text))).toBe(true);
      const nats = shown.map(text => Number.parseFloat(text));
      expect(nats).toEqual([...nats].sort((a, b) => b - a));
    });

    test('an agent that only played evaluations is not the first in the gallery', async () => {
      fixture.daemon.evaluated.add('compact');
      await fixture.open('#/uncertain');
      await fixture.page.getByText('The steps at which qwen3-vl was least certain').waitFor();
      await choose('Agent', /^compact/);
      await fixture.page.getByText('evaluations are not searched').waitFor();
    });

    test('an earlier search for an agent with steps leaves the agent that was chosen meanwhile', async () => {
      const { daemon } = fixture;
      daemon.evaluated.add('compact');
      await fixture.open('#/uncertain');
      const { page } = fixture;
      await page.getByText('The steps at which qwen3-vl was least certain').waitFor();
      const searches = () => daemon.requestsOf('steps.uncertain');
      const before = searches().length;
      daemon.held = 'steps.uncertain';
      await page.getByRole('button', { name: 'Refresh' }).click();
      await expect.poll(() => searches().length).toBe(before + 1);
      daemon.held = undefined;
      await choose('Agent', /^ui-tars/);
      await page.getByText('The steps at which ui-tars was least certain').waitFor();
      daemon.release();
      // Once the page shows this state, it has received the earlier reply.
      daemon.show({ ...daemon.state, status: 'paused' });
      await page.locator('vscode-option', { hasText: '(paused)' }).waitFor({ state: 'attached' });
      // A select takes its value in the next frame.
      await page.evaluate(() => new Promise(resolve => requestAnimationFrame(resolve)));
      const agent = page.getByRole('combobox', { name: 'Agent', exact: true });
      expect(await agent.evaluate(each => (each as HTMLSelectElement).value)).toBe('ui-tars');
      expect(searches().at(-1)?.params.filter.agents).toEqual(['ui-tars']);
    });

    describe('in a comparison', () => {
      test('success, difference and tasks are shown, and an instance opens both trajectories', async () => {
        await fixture.open('#/trajectories');
        await fixture.page.getByRole('button', { name: 'Compare agents' }).click();
        await fixture.page.getByRole('heading', { name: 'Compare agents' }).waitFor();
        await fixture.page.getByText(/on 133 instances of \d+ tasks that both played/).waitFor();
        const table = fixture.page.getByRole('table');
        await table.getByRole('rowheader', { name: 'Difference' }).waitFor();
        await expect
          .poll(() => table.getByRole('columnheader').allTextContents())
          .toEqual(['compact', 'qwen3-vl']);
        await fixture.page.locator('.compared-task summary').first().click();
        const instance = fixture.page.locator('.instances button').first();
        await instance.click();
        await expect.poll(() => fixture.page.locator('.inspector h2').count()).toBe(2);
        await fixture.page.keyboard.press('Escape');
        await fixture.page.getByRole('heading', { name: 'Compare agents' }).waitFor();
        await fixture.page.keyboard.press('Escape');
        await fixture.page.getByRole('heading', { name: 'Choose a trajectory' }).waitFor();
      });

      test('the choice of the other agent swaps the two; the episodes can be narrowed', async () => {
        await fixture.open('#/trajectories?agent=compact&against=ui-tars');
        const heads = () => fixture.page.getByRole('table').getByRole('columnheader').allTextContents();
        await expect.poll(heads).toEqual(['compact', 'ui-tars']);
        await choose('First agent', /^ui-tars/);
        await expect.poll(heads).toEqual(['ui-tars', 'compact']);
        await choose('Episodes', /^Training/);
        await fixture.page.getByRole('heading', { name: 'No instance that both agents played' }).waitFor();
        await choose('Episodes', /^Evaluations/);
        await expect.poll(heads).toEqual(['ui-tars', 'compact']);
        expect(fixture.daemon.requestsOf('agents.compare').at(-1)?.params).toEqual({
          ...{ agents: ['ui-tars', 'compact'], purpose: 'evaluate' },
        });
      });

      test('is fetched again when it is opened after Refresh', async () => {
        await fixture.open('#/trajectories?agent=compact&against=ui-tars');
        const { page, daemon } = fixture;
        await page.getByRole('table').waitFor();
        const count = () => daemon.requestsOf('agents.compare').length;
        expect(count()).toBe(1);
        await page.keyboard.press('Escape');
        await page.getByRole('heading', { name: 'Choose a trajectory' }).waitFor();
        await page.getByRole('button', { name: 'Refresh' }).click();
        await page.goBack();
        await page.getByRole('table').waitFor();
        await expect.poll(count).toBe(2);
      });

      test('shows why it failed, and tries again', async () => {
        await fixture.open('#/trajectories?agent=compact&against=ui-tars');
        await fixture.page.getByRole('table').waitFor();
        fixture.daemon.rejections.set('agents.compare', 'The index is being rebuilt.');
        await fixture.page.reload();
        await fixture.page.getByRole('alert').getByText('The index is being rebuilt.').waitFor();
        fixture.daemon.rejections.clear();
        await fixture.page.getByRole('button', { name: 'Try again' }).click();
        await fixture.page.getByRole('table').waitFor();
      });
    });
  },
  ['ui-tars', 'qwen3-vl'],
);
