// The panel Annotate in Chromium: decisions by key, undo, trims, drafts, errors.

import { beforeEach, expect, test } from 'vitest';
import { playedState } from '../server/played-state.ts';
import { RUN, TrajectoryLibrary } from '../webview/panels/library.ts';
import { openInEditor } from './editor-page.ts';
import { describePanels } from './panels-fixture.ts';

describePanels('the panel Annotate', fixture => {
  const said = () =>
    fixture.daemon
      .requestsOf('annotate')
      .map(({ params: { trajectory, remark } }) => ({ trajectory, remark }));
  const here = () => fixture.page.url().match(/trajectory=(t-\d+)/)?.[1] ?? '';

  const seen = () => fixture.page.locator('.annotating .form[aria-busy="false"]').waitFor();

  beforeEach(async () => {
    await fixture.open('#/annotate');
    await fixture.page.locator('.annotating .inspector h2').waitFor();
    await seen();
  });

  test('single keys accept, reject and undo, and the next entry opens', async () => {
    const first = here();
    await fixture.page.keyboard.press('a');
    await fixture.page.getByText('1 of 12 decided').waitFor();
    await expect.poll(here).not.toBe(first);
    const second = here();
    // A key decides only a visible trajectory.
    await seen();
    await fixture.page.keyboard.press('r');
    await fixture.page.getByText('2 of 12 decided').waitFor();
    await fixture.page.keyboard.press('u');
    await fixture.page.getByText('1 of 12 decided').waitFor();
    await expect.poll(here).toBe(second);
    expect(said()).toEqual([
      { trajectory: first, remark: { kind: 'pool', isMember: true } },
      { trajectory: second, remark: { kind: 'pool', isMember: false } },
      { trajectory: second, remark: { kind: 'pool', isMember: null } },
    ]);
    expect(fixture.daemon.marksOf(first)).toMatchObject({ isInPool: true });
  });

  test.each([
    { key: 'A', code: 'KeyA' },
    { key: 'ф', code: 'KeyA' },
  ])('accepts with %o: Caps Lock, or a layout without Latin letters', async pressed => {
    await fixture.page.locator('body').dispatchEvent('keydown', pressed);
    await fixture.page.getByText('1 of 12 decided').waitFor();
    expect(said().map(({ remark }) => remark)).toEqual([{ kind: 'pool', isMember: true }]);
  });

  test('a held or repeated key decides once', async () => {
    const first = here();
    await fixture.page.keyboard.down('a');
    await fixture.page.keyboard.down('a');
    await fixture.page.keyboard.up('a');
    await fixture.page.getByText('1 of 12 decided').waitFor();
    await expect.poll(here).not.toBe(first);
    await seen();
    const second = here();
    // Both come before the reply to the first.
    await fixture.page.evaluate(() => {
      for (let times = 0; times < 2; times++)
        document.body.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'r', bubbles: true, cancelable: true }),
        );
    });
    await fixture.page.getByText('2 of 12 decided').waitFor();
    await expect.poll(here).not.toBe(second);
    await seen();
    expect(said()).toEqual([
      { trajectory: first, remark: { kind: 'pool', isMember: true } },
      { trajectory: second, remark: { kind: 'pool', isMember: false } },
    ]);
  });

  test('a reload keeps the trajectory and the step', async () => {
    await fixture.page.keyboard.press('ArrowDown');
    await fixture.page.locator('.queue li:nth-child(2) [aria-current="true"]').waitFor();
    await seen();
    await fixture.page.keyboard.press('ArrowRight');
    await expect.poll(() => fixture.page.url()).toMatch(/step=1$/);
    const before = fixture.page.url();
    await fixture.page.reload();
    await fixture.page.locator('.queue li:nth-child(2) [aria-current="true"]').waitFor();
    await expect.poll(() => fixture.page.url()).toBe(before);
  });

  test('marks key steps and trims at the selected step', async () => {
    await fixture.page.keyboard.press('ArrowRight');
    await fixture.page.keyboard.press('k');
    await fixture.page.getByText('key steps 2').waitFor();
    await fixture.page.locator('.shot[data-key="true"]').waitFor();
    await fixture.page.keyboard.press('[');
    await fixture.page.locator('.marks-said').getByText('trimmed to step').waitFor();
    await fixture.page.locator('.shot[data-cut="true"]').first().waitFor();
    await fixture.page.keyboard.press('u');
    await fixture.page.locator('.marks-said').getByText('trimmed to step').waitFor({ state: 'hidden' });
    expect(fixture.daemon.marksOf(here())).toEqual({ keySteps: [1] });
  });

  test.each([{ altKey: true }, { altKey: true, ctrlKey: true }])(
    'trims with a character that the layout types with %o',
    async modifiers => {
      await fixture.page.keyboard.press('ArrowRight');
      await fixture.page.locator('body').dispatchEvent('keydown', { key: '[', ...modifiers });
      await fixture.page.locator('.marks-said').getByText('trimmed to step').waitFor();
    },
  );

  test('edits the instruction, and typed letters trigger no shortcut', async () => {
    await fixture.page.keyboard.press('i');
    await fixture.page.keyboard.press('Control+A');
    await fixture.page.keyboard.type('take a nap');
    await fixture.page.keyboard.press('Escape');
    await fixture.page.getByRole('heading', { name: 'take a nap' }).waitFor();
    expect(said().map(({ remark }) => remark)).toEqual([{ kind: 'instruction', text: 'take a nap' }]);
  });

  test('shows when the queue is finished, and ignores further decisions', async () => {
    for (let decided = 1; decided <= 12; decided++) {
      await seen();
      await fixture.page.keyboard.press('a');
      if (decided < 12) await fixture.page.getByText(`${decided} of 12 decided`).waitFor();
    }
    await fixture.page.getByRole('heading', { name: 'Queue finished' }).waitFor();
    // Without a visible trajectory, only undo works.
    const last = said().at(-1);
    for (const key of ['r', 'k', 'ArrowUp', 'a']) await fixture.page.keyboard.press(key);
    await fixture.page.keyboard.press('u');
    await fixture.page.getByText('11 of 12 decided').waitFor();
    expect(said()).toHaveLength(13);
    expect(said().at(-1)).toMatchObject({ trajectory: last?.trajectory, remark: { isMember: null } });
  });

  test('an empty queue fills during a training', async () => {
    const { daemon, library, page } = fixture;
    daemon.library = new TrajectoryLibrary(0);
    await page.reload();
    await page.getByRole('heading', { name: 'The queue is empty' }).waitFor();
    daemon.library = library;
    daemon.show(playedState(610));
    await page.locator('.annotating .inspector h2').waitFor();
  });

  test('undo works across a reload, and returns the trajectory to the queue', async () => {
    const first = here();
    await fixture.page.keyboard.press('a');
    await fixture.page.getByText('1 of 12 decided').waitFor();
    await expect.poll(here).not.toBe(first);
    await seen();
    await fixture.page.reload();
    await fixture.page.getByText('0 of 12 decided').waitFor();
    await seen();
    expect(here()).not.toBe(first);
    await fixture.page.keyboard.press('u');
    await expect.poll(here).toBe(first);
    expect(fixture.daemon.marksOf(first)).toEqual({ keySteps: [] });
  });

  test('a second person votes without seeing the first vote, and then sees both', async () => {
    const first = here();
    await fixture.page.keyboard.press('a');
    await fixture.page.getByText('1 of 12 decided').waitFor();
    const name = fixture.page.getByRole('textbox', { name: 'Your name' });
    await name.fill('Bob');
    await fixture.page.getByRole('combobox', { name: 'Queue' }).click();
    await fixture.page.getByRole('option', { name: 'Second opinions' }).click();
    await fixture.page.getByText('0 of 1 decided').waitFor();
    await expect.poll(here).toBe(first);
    await seen();
    await fixture.page.getByText('group disagrees').waitFor();
    // The announcement of the first person's vote is of the earlier queue.
    const votes = () => fixture.page.locator('.queue .votes, .marks-said').allTextContents();
    expect((await votes()).join('')).toBe('');
    await fixture.page.keyboard.press('r');
    await fixture.page.getByRole('heading', { name: 'Queue finished' }).waitFor();
    expect(fixture.daemon.marksOf(first)).toMatchObject({ isInPool: false });
    await fixture.page.keyboard.press('u');
    await expect.poll(here).toBe(first);
    expect(fixture.daemon.marksOf(first)).toMatchObject({ isInPool: true });
    await seen();
    expect((await votes()).join('')).toBe('');
    await fixture.page.keyboard.press('r');
    await fixture.page.getByRole('button', { name: 'Refresh' }).click();
    await fixture.page.getByRole('heading', { name: 'No second opinions are needed' }).waitFor();
  });

  test('two people vote on one trajectory, and undo takes back the vote of its author', async () => {
    const first = here();
    const voters = () => fixture.daemon.marksOf(first).votes?.map(({ who }) => who);
    const name = fixture.page.getByRole('textbox', { name: 'Your name' });
    await name.fill('Ada');
    await fixture.page.locator('.form').click({ position: { x: 1, y: 1 } });
    await fixture.page.keyboard.press('a');
    await expect.poll(here).not.toBe(first);
    await name.fill('Bob');
    await fixture.page.locator('.queue li:first-child button').click();
    await expect.poll(here).toBe(first);
    await seen();
    await fixture.page.keyboard.press('a');
    await expect.poll(voters).toEqual(['Ada', 'Bob']);
    await name.fill('Carol');
    await fixture.page.locator('.queue li:first-child button').click();
    await fixture.page.keyboard.press('u');
    await expect.poll(voters).toEqual(['Ada']);
    await fixture.page.keyboard.press('u');
    await expect.poll(voters).toBeUndefined();
  });

  test('an empty queue shows the name field, which keeps the focus when a queue appears', async () => {
    const first = here();
    await fixture.page.keyboard.press('a');
    await fixture.page.getByText('1 of 12 decided').waitFor();
    await fixture.page.getByRole('combobox', { name: 'Queue' }).click();
    await fixture.page.getByRole('option', { name: 'Second opinions' }).click();
    await fixture.page.getByRole('heading', { name: 'No second opinions are needed' }).waitFor();
    const name = fixture.page.getByRole('textbox', { name: 'Your name' });
    await name.click();
    await fixture.page.keyboard.press('Control+A');
    await fixture.page.keyboard.type('Bob');
    await fixture.page.keyboard.press('Enter');
    await fixture.page.getByText('0 of 1 decided').waitFor();
    await fixture.page.keyboard.press('End');
    await fixture.page.keyboard.type('by');
    await expect.poll(() => name.inputValue()).toBe('Bobby');
    await seen();
    expect(here()).toBe(first);
  });

  test('in an editor, the panel takes the name of the other panels, and tells the editor a new one', async () => {
    const { page } = fixture;
    // A name that this panel alone kept.
    const kept = { who: 'Eve' };
    const { host, sent } = await openInEditor(page, fixture.daemon.address, 'annotate', kept);
    await host({ kind: 'signed', who: 'Ada' });
    await host({ kind: 'connected', methods: ['annotation.queue', 'annotation.agreement', 'annotate'] });
    const queue = { total: 0, waiting: [] };
    type Asked = { readonly request: { readonly id: number; readonly method: string } };
    const asked = async () =>
      (await sent<Asked>('request')).find(({ request }) => request.method === 'annotation.queue');
    await expect.poll(asked).toBeDefined();
    await host({ kind: 'message', message: { id: (await asked())?.request.id, result: queue } });
    const name = page.getByRole('textbox', { name: 'Your name' });
    await expect.poll(() => name.inputValue()).toBe('Ada');
    await name.fill('Bob');
    await expect.poll(() => sent('sign')).toEqual([{ kind: 'sign', who: 'Bob' }]);
    await host({ kind: 'signed', who: 'Carol' });
    await expect.poll(() => name.inputValue()).toBe('Carol');
  });

  test('a model pre-sorts the queue, and its suggestions are hidden until the vote or until they are asked for', async () => {
    fixture.daemon.presorters.push('tars');
    await fixture.page.reload();
    await seen();
    await fixture.page.getByRole('button', { name: 'Pre-sort with tars…' }).click();
    await fixture.page.getByRole('textbox', { name: 'Number of trajectories' }).fill('2');
    await fixture.page.getByRole('button', { name: 'Start', exact: true }).click();
    await fixture.page.getByText('tars: done · 2 suggestions').waitFor();
    await fixture.page.getByRole('button', { name: 'Show these first' }).click();
    await fixture.page.locator('.queue li:first-child [aria-current="true"]').waitFor();
    await expect.poll(() => fixture.daemon.suggestions.has(here())).toBe(true);
    await fixture.page.locator('.queue-side vscode-dropdown[current-value="suggested"]').waitFor();
    await seen();
    const first = here();
    const suggestions = () => fixture.page.locator('.suggested, .suggestion p').allTextContents();
    expect((await suggestions()).join('')).toBe('');
    await fixture.page.keyboard.press('s');
    await fixture.page.getByText('tars: likely failure, 80 % sure. The window was never closed.').waitFor();
    await fixture.page.keyboard.press('a');
    await fixture.page.getByText('1 of 12 decided').waitFor();
    await fixture.page.locator('.queue li:first-child .suggested').getByText('likely failure').waitFor();
    await fixture.page.getByText('tars agrees with you on 0 of 1').waitFor();
    await expect.poll(here).not.toBe(first);
    await seen();
    // The next one has a suggestion too, and no vote.
    expect(fixture.daemon.suggestions.has(here())).toBe(true);
    await expect.poll(() => fixture.page.locator('.suggestion p').textContent()).toBe('');
    expect(fixture.daemon.marksOf(first).votes).toHaveLength(1);
    expect(said()).toHaveLength(1);
    // Another person has not voted yet, and has not asked for the suggestion.
    await fixture.page.keyboard.press('s');
    const shown = fixture.page.locator('.suggestion p');
    await expect.poll(() => shown.textContent()).not.toBe('');
    await fixture.page.getByRole('textbox', { name: 'Your name' }).fill('Bob');
    await fixture.page.keyboard.press('Tab');
    await fixture.page.getByText('tars agrees with you').waitFor({ state: 'hidden' });
    await expect.poll(() => shown.textContent()).toBe('');
  });

  test('a note that is typed before the trajectory is loaded stays with it', async () => {
    const { daemon, page } = fixture;
    daemon.unanswered.add('trajectory.get');
    await page.keyboard.press('a');
    await page.getByText('1 of 12 decided').waitFor();
    const next = here();
    await page.keyboard.press('n');
    await page.keyboard.type('odd colours');
    daemon.unanswered.clear();
    await page.reload();
    await seen();
    expect(here()).toBe(next);
    expect(await page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('odd colours');
  });

  test('the failure of an earlier request leaves the queue that came meanwhile', async () => {
    const { daemon } = fixture;
    const before = daemon.requestsOf('annotation.queue').length;
    daemon.unanswered.add('annotation.queue');
    await fixture.openWithClock('#/annotate');
    await expect.poll(() => daemon.requestsOf('annotation.queue').length).toBe(before + 1);
    daemon.unanswered.clear();
    const { page } = fixture;
    await page.evaluate(run => {
      location.hash = `#/annotate?run=${run}`;
    }, RUN);
    await page.locator('.annotating .inspector h2').waitFor();
    // Beyond the deadline of the first request.
    await page.clock.fastForward(31_000);
    await page.keyboard.press('ArrowDown');
    await page.locator('.queue li:nth-child(2) [aria-current="true"]').waitFor();
    expect(await page.getByText('The queue could not be loaded').count()).toBe(0);
  });

  test.each([
    ['ended', 'tars: done · 2 suggestions'],
    ['forgotten', 'Pre-sort with tars…'],
  ])('after a lost connection, a pre-sort that is %s meanwhile runs no longer', async (fate, shown) => {
    const { daemon, page } = fixture;
    daemon.presorters.push('tars');
    daemon.unanswered.add('presort.follow');
    await page.reload();
    await seen();
    await page.getByRole('button', { name: 'Pre-sort with tars…' }).click();
    await page.getByRole('textbox', { name: 'Number of trajectories' }).fill('2');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('tars: 0 of 2').waitFor();
    const { port, presort } = daemon;
    await daemon.close();
    daemon.presort =
      presort && fate === 'ended' ? { ...presort, change: 2, status: 'ended', suggested: 2 } : undefined;
    await daemon.open(port);
    await page.getByText('tars: 0 of 2').waitFor({ state: 'hidden' });
    await page.getByText(shown).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'hidden' });
  });

  test('shows why a remark was rejected', async () => {
    fixture.daemon.rejections.set('annotate', 'The disk is full.');
    await fixture.page.keyboard.press('a');
    await fixture.page.getByRole('alert').getByText('The disk is full.').waitFor();
    await fixture.page.getByText('0 of 12 decided').waitFor();
  });

  test('keeps a rejected note, and sends it when the field loses focus again', async () => {
    fixture.daemon.rejections.set('annotate', 'The disk is full.');
    await fixture.page.keyboard.press('n');
    await fixture.page.keyboard.type('odd colours');
    await fixture.page.keyboard.press('Escape');
    await fixture.page.getByRole('alert').getByText('The disk is full.').waitFor();
    fixture.daemon.rejections.clear();
    await fixture.page.keyboard.press('k');
    await fixture.page.locator('.marks-said').getByText('key step').waitFor();
    await expect
      .poll(() => fixture.page.getByRole('textbox', { name: 'Note' }).inputValue())
      .toBe('odd colours');
    await fixture.page.keyboard.press('n');
    await fixture.page.keyboard.press('Escape');
    await expect.poll(() => said().at(-1)?.remark).toEqual({ kind: 'note', text: 'odd colours' });
    expect(fixture.daemon.marksOf(here())).toMatchObject({ keySteps: [0], note: 'odd colours' });
  });

  test('sends a typed note before the next entry opens, also after a reload', async () => {
    const first = here();
    await fixture.page.keyboard.press('n');
    await fixture.page.keyboard.type('odd colours');
    await fixture.page.reload();
    await seen();
    expect(here()).toBe(first);
    const note = fixture.page.getByRole('textbox', { name: 'Note' });
    await expect.poll(() => note.inputValue()).toBe('odd colours');
    await fixture.page.keyboard.press('a');
    await fixture.page.getByText('1 of 12 decided').waitFor();
    await expect.poll(here).not.toBe(first);
    await seen();
    await expect.poll(() => note.inputValue()).toBe('');
    expect(said()).toEqual([
      { trajectory: first, remark: { kind: 'note', text: 'odd colours' } },
      { trajectory: first, remark: { kind: 'pool', isMember: true } },
    ]);
  });
});
