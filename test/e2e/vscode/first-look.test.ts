// What somebody does in a real VS Code who has trained nothing yet: looks at the sample run and deletes it, and collects successes by the
// scripts. Nothing of the sample gets into the folder that is open.

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { processes } from '../training.ts';
import { canOpen, type Opened, openPackaged, SCREENS } from './packaged-extension.ts';
import type { Window } from './window.ts';

const LIMIT = { timeout: 240_000 };
const CONFIG = { suite: { tasks: ['settings-theme', 'mail-star'] } };

describe.skipIf(!canOpen)('before anything is trained', () => {
  let opened: Opened | undefined;
  let window: Window;
  let workspace: string;

  beforeAll(async () => {
    opened = await openPackaged();
    ({ window, workspace } = opened);
  }, 240_000);
  afterAll(() => opened?.remove(), 60_000);

  const tab = (title: string) => window.page.getByRole('tab', { name: title, exact: true });
  const told = (text: string | RegExp) =>
    window.page.locator('.notification-list-item').filter({ hasText: text }).first();

  test('the sample run is opened, looked at in every panel, and deleted', LIMIT, async () => {
    await window.command('Dartboard: Open Sample Run');
    await window.sees('its training', tab('Sample: Training'));
    const training = await window.panel('training');
    await window.sees('a run that has ended', training.getByText('Ended', { exact: true }));
    await window.page.screenshot({ path: join(SCREENS, 'sample-training.png') });
    await told('This is a recorded run').getByRole('button', { name: 'Trajectories' }).click();
    await window.sees('its trajectories', tab('Sample: Trajectories'));
    const list = await window.panel('trajectories');
    await list.getByRole('option').first().click();
    await window.sees('a step', list.locator('.count').filter({ hasText: 'Step 1 of' }).first());
    // Nothing is offered that a run that is only looked at refuses.
    expect(await list.getByRole('button', { name: 'by your verdict' }).count()).toBe(0);
    expect(await training.getByRole('checkbox', { name: 'Go on training' }).count()).toBe(0);
    await window.page.screenshot({ path: join(SCREENS, 'sample-trajectories.png') });
    expect(readdirSync(workspace)).toEqual([]);

    const serving = () => processes().filter(({ command }) => command.includes('serve --read-only'));
    expect(serving()).toHaveLength(1);
    await window.command('Dartboard: Delete Sample Run');
    await window.until('no panel of it', async () => (await tab('Sample: Training').count()) === 0);
    await window.until('no daemon of it', async () => serving().length === 0);
    const offered = await window.offered('Dartboard: Delete', 'Dartboard: Delete Run');
    expect(offered).not.toContain('Dartboard: Delete Sample Run');
  });

  test(
    'in a folder without runs, what needs one says so, and what cannot be done is not offered',
    LIMIT,
    async () => {
      const needs = [
        ['Dartboard: Evaluate', 'This folder has no trained weights.'],
        ['Dartboard: Run an Instruction', 'This folder has no trained weights.'],
        ['Dartboard: Resume Run', 'No run can resume.'],
        ['Dartboard: Delete Run', 'No run can be deleted.'],
      ] as const;
      for (const [command, says] of needs) {
        await window.command(command);
        await window.sees(`what '${command}' says`, told(says));
        await window.command('Notifications: Clear All Notifications');
        await window.until('nothing said any more', async () => !(await told(says).isVisible()));
      }
      const beginnings = await window.offered('Dartboard: St', 'Dartboard: Start Training');
      expect(beginnings).not.toContain('Dartboard: Stop Training');
      expect(await window.offered('Dartboard: P', 'Dartboard: Play')).not.toContain('Dartboard: Pause');
    },
  );

  test('successes are collected by the scripts, and are in the pool', LIMIT, async () => {
    writeFileSync(join(workspace, 'dartboard.json'), JSON.stringify(CONFIG));
    await window.command('Dartboard: Collect Successes');
    await window.answer('Collect Successes (1 of 1)');
    const end = told('16 of 16 episodes succeeded. They are in the success pool.');
    await window.sees('what it came to', end);
    await window.page.screenshot({ path: join(SCREENS, 'collected.png') });
    await end.getByRole('button', { name: 'Annotate' }).click();
    await window.panel('annotate');
    await window.command('Dartboard: Focus on Success Pool View');
    const members = window.page.getByRole('treeitem', { name: /^mail-star, 8, 8 successes/ });
    await window.sees('its task in the tree of the pool', members);
  });

  test(
    'in a window without a folder the sample run is there, and no training is offered',
    LIMIT,
    async () => {
      const { origin } = new URL(window.page.url());
      await window.page.goto(`${origin}/?ew=true`, { waitUntil: 'domcontentloaded', timeout: 60_000 });
      await window.ready();
      const offered = await window.offered('Dartboard: ', 'Dartboard: Open Sample Run');
      expect(offered).not.toContain('Dartboard: Start Training');
      await window.command('Dartboard: Open Sample Run');
      const training = await window.panel('training');
      await window.sees('a run that has ended', training.getByText('Ended', { exact: true }));
      await window.command('Dartboard: Delete Sample Run');
      await window.until('no panel of it', async () => (await tab('Sample: Training').count()) === 0);
    },
  );
});
