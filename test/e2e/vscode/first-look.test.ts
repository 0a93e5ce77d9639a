// The first actions of a new user in a real VS Code: open and delete the sample run, and collect successes of
// scripted solutions. The sample run leaves nothing in the open folder.

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CodeWindow } from '../../../runtime/bench/vscode/window.ts';
import { processes } from '../training.ts';
import { canLaunch, launchExtension, type PackagedExtension, SCREENSHOTS } from './packaged-extension.ts';

/** Each wait within a test has a timeout of its own. */
const LIMIT = { timeout: 900_000 };
const CONFIG = { suite: { tasks: ['settings-theme', 'mail-star'] } };

describe.skipIf(!canLaunch)('before the first training', () => {
  let extension: PackagedExtension | undefined;
  let window: CodeWindow;
  let workspace: string;

  beforeAll(async () => {
    extension = await launchExtension();
    ({ window, workspace } = extension);
  }, LIMIT.timeout);
  afterAll(() => extension?.remove(), LIMIT.timeout);

  const tab = (title: string) => window.page.getByRole('tab', { name: title, exact: true });
  const notification = (text: string | RegExp) => window.notification(text);

  test('the sample run opens in every panel, read-only, and can be deleted', LIMIT, async () => {
    await window.command('Dartboard: Open Sample Run');
    await window.sees('the training of the sample', tab('Sample: Training'));
    const training = await window.panel('training');
    await window.sees('an ended run', training.getByText('Ended', { exact: true }));
    await window.page.screenshot({ path: join(SCREENSHOTS, 'sample-training.png') });
    await window.press(notification('This is a recorded run'), 'Trajectories');
    await window.sees('the trajectories of the sample', tab('Sample: Trajectories'));
    const list = await window.panel('trajectories');
    await list.getByRole('option').first().click();
    await window.sees('a step', list.locator('.count').filter({ hasText: 'Step 1 of' }).first());
    // A read-only run offers no action that its daemon would refuse.
    expect(await list.getByRole('button', { name: 'Set the verdict to success' }).count()).toBe(0);
    expect(await training.getByRole('checkbox', { name: 'Keep training' }).count()).toBe(0);
    await window.page.screenshot({ path: join(SCREENSHOTS, 'sample-trajectories.png') });
    expect(readdirSync(workspace)).toEqual([]);

    const daemons = () => processes().filter(({ command }) => command.includes('serve --read-only'));
    expect(daemons()).toHaveLength(1);
    await window.command('Dartboard: Delete Sample Run');
    await window.until('no panel of the sample', async () => (await tab('Sample: Training').count()) === 0);
    await window.until('no daemon of the sample', async () => daemons().length === 0);
    await window.until('no command to delete the sample', async () => {
      const offered = await window.offered('Dartboard: Delete', 'Dartboard: Delete Run');
      return !offered.includes('Dartboard: Delete Sample Run');
    });
  });

  test('the pages of the documentation open in a preview', LIMIT, async () => {
    await window.command('Dartboard: Open Documentation');
    await window.choose('Documentation of Dartboard', 'Recipes of related systems');
    await window.sees('the preview', tab('Preview recipes.md'));
    const preview = window.page.frameLocator('iframe.webview').frameLocator('iframe');
    await window.sees('the page', preview.getByRole('heading', { name: 'Recipes of related systems' }));
    await window.page.screenshot({ path: join(SCREENSHOTS, 'documentation.png') });
    await window.command('View: Close All Editors');
  });

  test('commands that need a run explain it, and others are hidden', LIMIT, async () => {
    const errors = [
      ['Dartboard: Resume Run', 'No run can resume.'],
      ['Dartboard: Delete Run', 'No run can be deleted.'],
    ] as const;
    for (const [command, error] of errors) {
      await window.command(command);
      await window.sees(`the error of '${command}'`, notification(error));
      await window.command('Notifications: Clear All Notifications');
      await window.until('no notification', async () => !(await notification(error).isVisible()));
    }
    const offered = await window.offered('Dartboard: St', 'Dartboard: Start Training');
    expect(offered).not.toContain('Dartboard: Stop Training');
    expect(await window.offered('Dartboard: P', 'Dartboard: Focus on Success Pool View')).not.toContain(
      'Dartboard: Pause Training',
    );
  });

  test('shortcuts open the panels', LIMIT, async () => {
    for (const [letter, title] of [
      ['T', 'Training'],
      ['D', 'Desktops'],
      ['A', 'Annotate'],
    ] as const)
      await window.shortcut(letter, tab(title));
  });

  test('the status bar shows a recording, until its desktop is given back', LIMIT, async () => {
    await window.command('Dartboard: Record Demonstration');
    const panel = await window.panel('record');
    await panel.getByRole('textbox', { name: 'Search tasks' }).fill('notes-write');
    await panel.getByRole('button', { name: 'Record notes-write', exact: true }).click();
    await window.person(/Recording/);
    await panel.locator('.record-status[data-phase="acting"]').waitFor();
    await panel.getByRole('button', { name: 'Discard', exact: true }).click();
    const item = window.page.locator('[id="dartboard.dartboard.dartboard.person"]');
    await window.until('no recording', async () => !(await item.isVisible()));
  });

  test('the built-in agent tries an instruction with the base weights', LIMIT, async () => {
    await window.command('Dartboard: Run an Instruction');
    await window.enter('Instruction for the agent', 'Turn night light on.');
    const panel = await window.panel('record');
    await window.sees('the weights', panel.getByText('the weights of base').first());
    await window.sees('a step of the agent', panel.locator('.record-by').first());
    await window.page.screenshot({ path: join(SCREENSHOTS, 'base-weights.png') });
    await panel.getByRole('button', { name: 'Discard', exact: true }).click();
    await window.sees('the tasks', panel.getByRole('heading', { name: 'Record a demonstration' }));
  });

  test('the walkthrough about the work with an agent has its steps', LIMIT, async () => {
    await window.command('Welcome: Open Walkthrough...');
    const choice = window.page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ hasText: 'Work together' });
    await window.sees('the walkthrough', choice.first());
    await choice.first().click();
    for (const step of [
      'Correct an agent live',
      'Take over a desktop',
      'Evaluate tasks as tests',
      'Compare runs',
    ])
      await window.sees(step, window.page.locator('.getting-started-step').filter({ hasText: step }).first());
    await window.page.screenshot({ path: join(SCREENSHOTS, 'walkthrough-people.png') });
    await window.command('View: Close All Editors');
  });

  test('scripted solutions are collected into the success pool', LIMIT, async () => {
    writeFileSync(join(workspace, 'dartboard.json'), JSON.stringify(CONFIG));
    await window.command('Dartboard: Collect Successes');
    await window.answer('Collect Successes (1 of 1)');
    const result = notification('16 of 16 episodes succeeded. They are in the success pool.');
    await window.sees('the result', result);
    await window.page.screenshot({ path: join(SCREENSHOTS, 'collected.png') });
    await window.press(result, 'Annotate');
    await window.panel('annotate');
    await window.command('Dartboard: Focus on Success Pool View');
    const members = window.page.getByRole('treeitem', { name: /^mail-star, 8, 8 successes/ });
    await window.sees('the task in the view Success Pool', members);
  });

  test('a window without a folder offers the sample run and no training', LIMIT, async () => {
    const { origin } = new URL(window.page.url());
    await window.open(`${origin}/?ew=true`);
    const offered = await window.offered('Dartboard: ', 'Dartboard: Open Sample Run');
    expect(offered).not.toContain('Dartboard: Start Training');
    await window.command('Dartboard: Open Sample Run');
    const training = await window.panel('training');
    await window.sees('an ended run', training.getByText('Ended', { exact: true }));
    await window.command('Dartboard: Delete Sample Run');
    await window.until('no panel of the sample', async () => (await tab('Sample: Training').count()) === 0);
  });
});
