// The panel Record in Chromium, with real pocket desktops: mouse and keyboard solve a task, and the demonstration enters the success pool.

import { describe, expect, test } from 'vitest';
import { trajectoryId } from '../../runtime/core/ids.ts';
import { violations } from './accessibility.ts';
import { hasChromium } from './chromium.ts';
import { GLASS, LIVE_TASK, recordPanel, scripted } from './record-panel.ts';

describe.skipIf(!hasChromium)('the panel Record', () => {
  const { shown, button, acting, solve } = recordPanel();

  test('a person chooses a task, solves it with mouse and keyboard, drops a step and saves it', async () => {
    const { page, store, accepted, recordings } = await shown();
    await page.getByRole('textbox', { name: 'Your name' }).fill('Ada');
    await page.getByRole('textbox', { name: 'Search tasks' }).fill('notes-write');
    await button(page, 'Record notes-write').click();
    await acting(page);
    await solve(page, 'notes-write', recordings);
    await page.keyboard.press('F2');
    await page.locator('.record-steps li').getByText('Press F2').waitFor();
    await button(page, 'Finish').click();
    await page.locator('.record-status').getByText('Solved').waitFor();
    const superfluous = page.getByRole('checkbox', { name: 'Press F2' });
    await superfluous.click();
    await button(page, 'Save').click();
    await page.locator('.record-status').getByText('Saved').waitFor();
    await page.getByText('The built-in policy learns from it.').waitFor();
    const [id = ''] = accepted;
    const { provenance, steps } = await store.read(trajectoryId(id));
    expect(provenance).toEqual({ kind: 'human', who: 'Ada' });
    expect(JSON.stringify(steps.map(({ action }) => action))).not.toContain('f2');
  });

  test('the tasks are those of the kind that was chosen last, in any order of the replies', async () => {
    let answer: () => void = () => undefined;
    const gate = new Promise<void>(resolve => {
      answer = resolve;
    });
    const { page, recordings, lists } = await shown('#/record', false, undefined, {
      kinds: ['pocket', 'web'],
      before: async kind => (kind === 'web' ? await gate : undefined),
    });
    await button(page, 'Record notes-write').waitFor();
    const kinds = page.getByRole('combobox', { name: 'Kind of desktops' });
    await kinds.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await button(page, 'Record notes-write').waitFor();
    answer();
    await expect.poll(lists).toBe(3);
    await button(page, 'Record notes-write').click();
    await acting(page);
    expect(recordings.now().recording?.task).toBe('notes-write');
  });

  test('the chosen kind of desktops survives a reload, although the address names another one', async () => {
    const { page } = await shown('#/record?kind=web', false, undefined, { kinds: ['pocket', 'web'] });
    await page.locator('vscode-dropdown[current-value="web"]').waitFor();
    await page.getByRole('combobox', { name: 'Kind of desktops' }).focus();
    await page.keyboard.press('ArrowDown');
    await button(page, 'Record notes-write').waitFor();
    await page.reload();
    await button(page, 'Record notes-write').waitFor();
    expect(page.url()).not.toContain('kind=');
  });

  test('an address starts a task; the page that is opened again continues it', async () => {
    const { page, recordings } = await shown('#/record?task=settings-night-light');
    await acting(page);
    await solve(page, 'settings-night-light', recordings);
    const steps = recordings.now().recording?.steps.length;
    await page.reload();
    await acting(page);
    expect(await page.locator('.record-steps li').count()).toBe(steps);
    await button(page, 'Discard').click();
    await page.getByRole('heading', { name: 'Record a demonstration' }).waitFor();
    expect(recordings.now()).toEqual({});
  });

  test('choices and dropped steps survive a reload, as of a tab that was hidden', async () => {
    const { page, recordings } = await shown('#/record');
    const own = () => page.getByRole('textbox', { name: 'Your own instruction' });
    const search = () => page.getByRole('textbox', { name: 'Search tasks' });
    await own().fill('Make the screen warm.');
    await search().fill('settings-night-light');
    await page.reload();
    await button(page, 'Record settings-night-light').waitFor();
    expect([await own().inputValue(), await search().inputValue()]).toEqual([
      ...['Make the screen warm.', 'settings-night-light'],
    ]);
    await own().fill('');
    await button(page, 'Record settings-night-light').click();
    await acting(page);
    await solve(page, 'settings-night-light', recordings);
    await button(page, 'Finish').click();
    const boxes = () => page.locator('.record-steps').getByRole('checkbox');
    await boxes().first().click();
    await page.reload();
    await boxes().first().waitFor();
    expect(await boxes().first().isChecked()).toBe(false);
  });

  test.each([
    ['a task', '#/record?task=settings-night-light'],
    ['an agent', `#/record?agent=compact&task=${LIVE_TASK}`],
  ])('an address starts %s once, and not again when the panel is opened again', async (_, place) => {
    const { page, recordings } = await shown(place, false, scripted());
    await acting(page);
    // It ends as after a long time without its page.
    await recordings.close();
    await page.reload();
    await page.getByRole('heading', { name: 'Record a demonstration' }).waitFor();
    await page.getByRole('link', { name: 'Training', exact: true }).click();
    await page.getByRole('link', { name: 'Record', exact: true }).click();
    await page.getByRole('heading', { name: 'Record a demonstration' }).waitFor();
    expect(recordings.now()).toEqual({});
  });

  test('a solution is shown, and then the person does it', async () => {
    const { page } = await shown('#/record?task=settings-night-light');
    await acting(page);
    await button(page, 'Show a solution').click();
    await page.getByText('The solution is over').waitFor();
    await button(page, 'Start over').click();
    await acting(page);
    expect(await page.locator('.record-steps li').count()).toBe(0);
  });

  test('the screen leaves room for the buttons when the window becomes narrower', async () => {
    const { page } = await shown('#/record?task=settings-night-light');
    await acting(page);
    const overlap = () =>
      page.evaluate(() => {
        const edge = (name: string) => document.querySelector(name)?.getBoundingClientRect();
        return (edge('.stage-frame')?.right ?? 0) - (edge('.record-side')?.left ?? 0);
      });
    for (const width of [1280, 925, 800]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(overlap).toBeLessThanOrEqual(0);
    }
  });

  test('a hidden panel asks for no pictures', async () => {
    const { page, looks } = await shown('#/record?task=notes-write');
    await acting(page);
    await expect.poll(looks).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'Trajectories' }).click();
    await page
      .getByRole('link', { name: 'Trajectories' })
      .and(page.locator('[aria-current="page"]'))
      .waitFor();
    // The request that was under way ends; no other follows.
    await page.waitForFunction('!document.querySelector(".record")');
    const before = looks();
    await page.evaluate('new Promise(done => setTimeout(done, 2500))');
    expect(looks() - before).toBeLessThanOrEqual(1);
    await page.getByRole('link', { name: 'Record', exact: true }).click();
    await expect.poll(looks).toBeGreaterThan(before + 1);
  });

  test('an impossible start is an error with its reason', async () => {
    const { page } = await shown('#/record?task=no-such-task');
    await page.getByRole('alert').getByText("no task 'no-such-task'").waitFor();
  });

  test('read-only runs offer no recording', async () => {
    const { page } = await shown('#/record', true);
    await page.getByRole('heading', { name: 'Nothing can be recorded here' }).waitFor();
  });

  test('has no violations of accessibility rules in any theme', async () => {
    const { page } = await shown();
    await page.locator('.record-task').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Search tasks' }).fill('settings-night-light');
    await button(page, 'Record settings-night-light').click();
    await acting(page);
    await page.locator(GLASS).click();
    expect(await violations(page)).toEqual([]);
    await button(page, 'Finish').click();
    await page.locator('.record-status').getByText('Not solved').waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
