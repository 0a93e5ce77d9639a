// The packaged extension in a real VS Code, driven by a real browser: a training is started, what it did is looked at, one of its
// successes is accepted and learned from; all of it survives a reload of the window and a crash of the daemon, and in the end no process
// is left. Pictures of every panel, light and dark, are written to out/screens/.

import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { processes } from '../training.ts';
import { canOpen, type Opened, openPackaged, SCREENS } from './packaged-extension.ts';
import type { Window } from './window.ts';

/** Every wait within a test has a limit of its own, which says what was there instead. */
const LIMIT = { timeout: 240_000 };

/** So few and so easy that its curve rises within half a minute, on a machine that is busy with other things. */
const CONFIG = {
  suite: { tasks: ['settings-theme', 'settings-night-light'] },
  environments: { desktops: 8 },
  exploring: { firstSeconds: 10 },
  evaluation: { everySeconds: 5 },
};

describe.skipIf(!canOpen)('the extension in VS Code', () => {
  let opened: Opened | undefined;
  let window: Window;
  let workspace: string;

  beforeAll(async () => {
    opened = await openPackaged({ config: CONFIG, settings: { 'window.autoDetectColorScheme': true } });
    ({ window, workspace } = opened);
  }, 240_000);
  afterAll(() => opened?.remove(), 60_000);

  const shots = async (name: string): Promise<void> => {
    for (const scheme of ['dark', 'light'] as const) {
      await window.scheme(scheme);
      // A webview is told of it a moment later.
      await setTimeout(400);
      await window.page.screenshot({ path: join(SCREENS, `${name}-${scheme}.png`) });
    }
  };
  const daemon = () => {
    if (opened === undefined) throw new Error('VS Code did not start.');
    return opened.daemon();
  };
  const training = /\d+ % \d+:\d\d\/5:00/;

  test('a training is started from the palette, and its curve rises', LIMIT, async () => {
    const offered = await window.offered('Dartboard: St', 'Dartboard: Start Training');
    expect(offered).not.toContain('Dartboard: Stop Training');
    await window.command('Dartboard: Start Training');
    await window.answer('Start Training (1 of 1)');
    await window.status(training);
    const panel = await window.panel('training');
    await window.sees('a run that runs', panel.getByText('Running', { exact: true }));
    await panel.getByText('As a table').click();
    const cells = panel.locator('#rows tr', { hasText: 'Test' }).locator('td', { hasText: /^(< )?\d+ %$/ });
    // The newest come first.
    const solved = async () =>
      (await cells.allTextContents()).map(text => Number(/\d+/.exec(text)?.[0])).reverse();
    await window.until('a curve that rises', async () => {
      const [first = 0, ...later] = await solved();
      return Math.max(0, ...later) > first + 10;
    });
    await shots('training');
  });

  test('a trajectory is opened, and the step that the agent was least sure of', LIMIT, async () => {
    await window.command('Dartboard: Open Trajectories');
    const list = await window.panel('trajectories');
    await list.getByRole('option').first().click();
    const count = list.locator('.count').first();
    await window.sees('the first step of a trajectory', count.filter({ hasText: 'Step 1 of' }));
    await shots('trajectories');
    await window.command('Dartboard: Open High-Entropy Steps');
    const gallery = await window.panel('uncertain');
    const card = gallery.locator('.card').first();
    await window.sees('an uncertain step', card);
    const step = /step (\d+)/.exec((await card.textContent()) ?? '')?.[1];
    await shots('uncertain');
    await card.click();
    // The panel that was there already shows it.
    const closely = await window.panel('trajectories');
    await window.sees(`step ${step}`, closely.getByText(new RegExp(`^Step ${step} of \\d+`)));
    expect(await window.page.getByRole('tab', { name: 'Trajectories', exact: true }).count()).toBe(1);
  });

  test('a success that is accepted is in the pool, and the trainer imitates it', LIMIT, async () => {
    await window.command('Dartboard: Annotate Trajectories');
    const panel = await window.panel('annotate');
    const asked = panel.locator('.inspector h2').first();
    // What has only just succeeded is not on its way yet.
    await window.until('a success that waits', async () => {
      const more = panel.getByRole('button', { name: 'Look for more' });
      if (await more.isVisible()) await more.click();
      return await asked.isVisible();
    });
    // A person would look at it first.
    await asked.click();
    await window.page.keyboard.press('a');
    await window.sees('an accepted one', panel.locator('[data-decided="accepted"]').first());
    await shots('annotate');
    await window.command('Dartboard: Focus on Success Pool View');
    const members = window.page.getByRole('treeitem', { name: /^settings-\S+, 1, 1 success in the pool/ });
    await window.sees('its task in the tree of the pool', members);
    await shots('pool');
    await window.turnTo('Training');
    const training = await window.panel('training');
    await training.getByText('Metrics', { exact: true }).click();
    const imitated = training
      .locator('.metrics dl > div', { hasText: 'imitated/demonstrations' })
      .locator('dd');
    await window.until(
      'imitated demonstrations',
      async () => Number.parseFloat((await imitated.textContent()) ?? '') > 0,
    );
  });

  test('a reload of the window keeps the daemon, the training and the panels', LIMIT, async () => {
    const { pid } = daemon();
    const began = Date.now();
    await window.reload('annotate');
    await window.status(training);
    // So long it waits for its last window. Where that takes longer, another one goes on with the run.
    if (Date.now() - began < 30_000) expect(daemon().pid).toBe(pid);
    for (const [title, panel] of [
      ['Training', 'training'],
      ['High-Entropy Steps', 'uncertain'],
      ['Annotate', 'annotate'],
      ['Trajectories', 'trajectories'],
    ] as const) {
      await window.turnTo(title);
      await window.panel(panel);
    }
    const shown = await window.panel('trajectories');
    await window.sees('the trajectory of before', shown.locator('.count').first());
  });

  test('when the daemon is killed, another one goes on with the run', LIMIT, async () => {
    const { pid } = daemon();
    process.kill(pid, 'SIGKILL');
    await window.status(/^\s*Dartboard/);
    await window.status(training);
    await window.panel('trajectories');
    expect(daemon().pid).not.toBe(pid);
  });

  test('it is stopped from the palette, and can be resumed', LIMIT, async () => {
    await window.command('Dartboard: Stop Training');
    await window.status(/^\s*Dartboard\s*$/);
    await window.command('Dartboard: Resume Run');
    await window.status(training);
    const panel = await window.panel('training');
    await window.sees('a run that runs', panel.getByText('Running', { exact: true }));
    // The one that was there before the reload is not opened twice.
    expect(await window.page.getByRole('tab', { name: 'Training', exact: true }).count()).toBe(1);
    await shots('resumed');
  });

  test('half a minute after the window is closed no process is left', LIMIT, async () => {
    const { pid } = daemon();
    await opened?.leave();
    const left = () => processes().filter(each => each.pid === pid || each.command.includes(workspace));
    for (let seconds = 0; left().length > 0 && seconds < 60; seconds += 1) await setTimeout(1000);
    expect(left()).toEqual([]);
  });
});
