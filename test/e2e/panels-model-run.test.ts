// The panel Training for a run with a model agent: its learner, its servers and its cost.

import { expect, test } from 'vitest';
import { modelRunState } from '../server/model-run-state.ts';
import { playedState } from '../server/played-state.ts';
import { describePanels } from './panels-fixture.ts';

describePanels('a run with a model agent', fixture => {
  const section = () => fixture.page.getByRole('region', { name: 'Learner, servers and cost' });

  test('shows its learner, a row for each server, and its cost', async () => {
    fixture.daemon.state = modelRunState(600);
    await fixture.open('#/training');
    await section().getByText('Tinker server at http://gpu-0.example:8000').waitFor();
    const rows = section().getByRole('table', { name: 'Servers' }).getByRole('row');
    const cells = await rows
      .filter({ visible: true })
      .evaluateAll(all => all.map(row => [...row.children].map(cell => cell.firstChild?.textContent)));
    expect(cells).toEqual([
      ['Server', 'State', 'Version', 'In flight', 'Latency', 'Replies'],
      ['tars.1', 'Serving', '118', '14', '512 ms', '20,412'],
      ['tars.2', 'Draining', '117', '3', '533 ms', '19,870'],
      ['tars.3', 'Updating', '117', '0', '498 ms', '21,004'],
      ['tars.4', 'Failed', '–', '1', '1.8 s', '312'],
      [expect.stringContaining('did not answer within 120 s')],
      ['tars.5', 'Out', '–', '0', '–', '0'],
      [expect.stringContaining('reports version 12')],
    ]);
    await expect.poll(() => rows.filter({ hasText: 'tars.1' }).getByText('tars-v118').isVisible()).toBe(true);
    await section().getByText('12.3M of prompts, 810K of replies').waitFor();
    await fixture.page.getByText('agent tars · ').waitFor();
  });

  test('announces a problem of the learner, and that it ended', async () => {
    const state = modelRunState(600);
    const problem = 'the trainer: The server at http://gpu-0.example:8000 did not answer.';
    fixture.daemon.state = { ...state, learner: state.learner && { ...state.learner, problem } };
    await fixture.open('#/training');
    await section().getByRole('status').getByText(problem).waitFor();
    fixture.daemon.state = state;
    await fixture.page.reload();
    await section().getByText('Last step').waitFor();
    expect(await section().getByRole('status').isVisible()).toBe(false);
  });

  test('that is over has the servers as they were reported last', async () => {
    fixture.daemon.state = modelRunState(600, { status: 'ended' });
    await fixture.open('#/training');
    await section().getByText('as last reported').waitFor();
  });

  test('has no more width than a phone', async () => {
    fixture.daemon.state = modelRunState(600);
    await fixture.open('#/training', 360);
    await section().getByRole('table').waitFor();
    const { width, shown } = await fixture.page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      shown: document.documentElement.clientWidth,
    }));
    expect(width).toBe(shown);
    const cut = await section().evaluate(each =>
      [...each.querySelectorAll('article, td, th, dd')].flatMap(cell =>
        cell.scrollWidth > cell.clientWidth + 1 ? [cell.textContent] : [],
      ),
    );
    expect(cut).toEqual([]);
  });

  test('is not shown for the built-in policy', async () => {
    fixture.daemon.state = playedState(600);
    await fixture.open('#/training');
    await fixture.page.getByRole('heading', { name: 'Trainer' }).waitFor();
    expect(await fixture.page.locator('#model-run').isVisible()).toBe(false);
  });
});
