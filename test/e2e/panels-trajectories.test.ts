// The list of the panel Trajectories in Chromium: virtual rows, filters, position, errors.

import { beforeEach, expect, test } from 'vitest';
import { openInEditor } from './editor-page.ts';
import { COUNT, describePanels } from './panels-fixture.ts';

describePanels('the panel Trajectories', fixture => {
  beforeEach(async () => {
    await fixture.open('#/trajectories');
    await fixture.page.getByText('10,000 trajectories').waitFor();
  });

  test('lists thousands with few rows in the page, and fetches the pages that the user scrolls to', async () => {
    const list = fixture.page.getByRole('listbox', { name: 'Trajectories' });
    expect(await list.getByRole('option').count()).toBeLessThan(60);
    await list.focus();
    await fixture.page.keyboard.press('End');
    await list.locator('[aria-posinset="10000"][aria-selected="true"]').waitFor();
    await list.locator('[aria-posinset="10000"]').getByText('0', { exact: false }).first().waitFor();
    expect(await list.getByRole('option').count()).toBeLessThan(60);
    const offsets = fixture.daemon.requestsOf('trajectories.list').map(({ params }) => params.offset);
    expect(offsets).toContain(9800);
    // All pages belong to the list of the first one.
    const [first, ...others] = fixture.daemon
      .requestsOf('trajectories.list')
      .map(({ params }) => params.upTo);
    expect(first).toBeUndefined();
    expect(new Set(others)).toEqual(new Set([COUNT]));
    expect(offsets.length).toBeLessThan(5);
  });

  const drag = () =>
    fixture.page.getByRole('listbox', { name: 'Trajectories' }).evaluate(async list => {
      for (let step = 0; step <= 50; step++) {
        list.scrollTop = (step / 50) * list.scrollHeight;
        await new Promise(resolve => requestAnimationFrame(resolve));
      }
    });

  test('a drag of the scroll bar requests no page while another one is under way', async () => {
    const { daemon } = fixture;
    const offsets = () => new Set(daemon.requestsOf('trajectories.list').map(({ params }) => params.offset));
    await expect.poll(() => offsets().size).toBe(1);
    daemon.unanswered.add('trajectories.list');
    await drag();
    await expect.poll(() => offsets().size).toBeGreaterThan(1);
    // The visible rows may belong to two pages.
    expect(offsets().size).toBeLessThanOrEqual(3);
  });

  test('the rows where a drag of the scroll bar ends are shown', async () => {
    await drag();
    await fixture.page.locator('[aria-posinset="10000"][data-empty="false"]').waitFor();
  });

  test('the daemon filters the list, and a reload keeps the filter', async () => {
    await fixture.page.getByRole('combobox', { name: 'Outcome' }).click();
    await fixture.page.getByRole('option', { name: 'Broken' }).click();
    await fixture.page.getByText('10,000 trajectories').waitFor({ state: 'hidden' });
    expect(fixture.daemon.requestsOf('trajectories.list').at(-1)?.params.filter).toEqual({
      outcomes: ['broken'],
    });
    await fixture.page.reload();
    await fixture.page.locator('.row .sign.broken').first().waitFor();
    expect(fixture.daemon.requestsOf('trajectories.list').at(-1)?.params.filter).toEqual({
      outcomes: ['broken'],
    });
  });

  test('a reload and a visit to another panel keep the position in the list', async () => {
    const list = fixture.page.getByRole('listbox', { name: 'Trajectories' });
    await list.focus();
    await fixture.page.keyboard.press('End');
    await fixture.page.keyboard.press('PageUp');
    const row = list.locator('[aria-selected="true"]:not([aria-posinset="10000"])[data-empty="false"]');
    await row.waitFor();
    const at = await row.getAttribute('aria-posinset');
    const same = list.locator(`[aria-posinset="${at}"][aria-selected="true"][data-empty="false"]`);
    const nav = fixture.page.getByRole('navigation', { name: 'Panels' });
    await nav.getByRole('link', { name: 'Training' }).click();
    await fixture.page.getByText('10:00 of 20:00 trained').waitFor();
    await nav.getByRole('link', { name: 'Trajectories' }).click();
    await same.waitFor();
    await expect
      .poll(() => fixture.page.evaluate('sessionStorage["dartboard-trajectories-at"]'))
      .toContain(`"at":${Number(at) - 1}`);
    await fixture.page.reload();
    await same.waitFor();
  });

  test('an empty result names the filters', async () => {
    await fixture.page
      .getByRole('search')
      .getByRole('textbox', { name: 'Search instructions' })
      .fill('no such words anywhere');
    await fixture.page.getByRole('heading', { name: 'No trajectory matches' }).waitFor();
  });

  test('shows why the list could not be loaded, and tries again', async () => {
    fixture.daemon.rejections.set('trajectories.list', 'The index is being rebuilt.');
    await fixture.page.getByRole('button', { name: 'Refresh' }).click();
    await fixture.page.getByRole('alert').getByText('The index is being rebuilt.').waitFor();
    fixture.daemon.rejections.clear();
    await fixture.page.getByRole('button', { name: 'Try again' }).click();
    await fixture.page.getByText('10,000 trajectories').waitFor();
    await fixture.page
      .getByRole('alert')
      .getByText('The index is being rebuilt.')
      .waitFor({ state: 'hidden' });
  });

  test('the run selector shows a deleted run, and removes it', async () => {
    fixture.daemon.hasRun = false;
    await fixture.open('#/trajectories?run=gone');
    const { page } = fixture;
    await page.getByRole('heading', { name: 'No trajectories yet' }).waitFor();
    await page.getByRole('combobox', { name: 'Run', exact: true }).click();
    await page.getByRole('option', { name: 'gone (deleted)' }).waitFor();
    await page.getByRole('option', { name: 'All runs' }).click();
    await page.getByText('10,000 trajectories').waitFor();
  });

  test('can be scrolled after the daemon has stopped, and is complete once the daemon is back', async () => {
    const { daemon, page, pageErrors } = fixture;
    const list = page.getByRole('listbox', { name: 'Trajectories' });
    const row = (number: number, isEmpty: boolean) =>
      list.locator(`[aria-posinset="${number}"][data-empty="${isEmpty}"]`);
    await row(1, false).waitFor();
    const { port } = daemon;
    await daemon.close();
    await page.getByText('The daemon is not running.').waitFor();
    await list.focus();
    await page.keyboard.press('End');
    await row(COUNT, true).waitFor();
    await page.keyboard.press('Home');
    await row(1, false).waitFor();
    expect(await page.getByText('The list could not be loaded.').count()).toBe(0);
    await daemon.open(port);
    await page.getByText('Connected', { exact: true }).waitFor();
    // The list takes its earlier position once more when it arrives.
    const isComplete = async () => {
      await list.press('End');
      return row(COUNT, false).isVisible();
    };
    await expect.poll(isComplete).toBe(true);
    // The browser logs an error for each failed attempt to connect.
    pageErrors.splice(0);
  });

  test('a filter that is chosen after the daemon has stopped hides the earlier rows until the daemon is back', async () => {
    const { daemon, page, pageErrors } = fixture;
    const { port } = daemon;
    await daemon.close();
    await page.getByText('The daemon is not running.').waitFor();
    await page.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: 'Broken' }).click();
    await page.getByText('The list could not be loaded.').waitFor();
    expect(await page.getByRole('listbox', { name: 'Trajectories' }).isVisible()).toBe(false);
    await daemon.open(port);
    await page.locator('.row .sign.broken').first().waitFor();
    // The browser logs an error for each failed attempt to connect.
    pageErrors.splice(0);
  });

  test('in an editor, buttons ask it to import and to export what is shown; a read-only daemon offers none', async () => {
    const { page } = fixture;
    const { host, sent } = await openInEditor(page, fixture.daemon.address, 'trajectories');
    const [bring, save] = ['Import…', 'Export…'].map(name => page.getByRole('button', { name }));
    const reading = ['trajectories.list', 'agents.list', 'trajectory.get'];
    await host({ kind: 'connected', methods: reading });
    await page.getByRole('button', { name: 'Refresh' }).waitFor();
    expect(await bring?.isVisible()).toBe(false);
    await host({ kind: 'connected', methods: [...reading, 'trajectories.import', 'trajectories.export'] });
    await bring?.click();
    await page.getByRole('button', { name: 'Show new trajectories' }).waitFor();
    await host({ kind: 'show', place: { panel: 'trajectories', run: 'run-1' } });
    await save?.click();
    await expect
      .poll(() => sent('exchange'))
      .toEqual([
        { kind: 'exchange', what: 'import' },
        { kind: 'exchange', what: 'export', run: 'run-1' },
      ]);
  });
});
