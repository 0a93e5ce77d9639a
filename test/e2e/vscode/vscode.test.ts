// The packaged extension in a real VS Code, driven by a real browser: start a training, inspect it, accept
// one of its successes, imitate it. All of it survives a reload of the window and a crash of the daemon, and
// no process is left in the end. Writes screenshots of every panel, light and dark, to out/screens/.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CodeWindow } from '../../../runtime/bench/vscode/window.ts';
import { processes } from '../training.ts';
import { canLaunch, launchExtension, type PackagedExtension, SCREENSHOTS } from './packaged-extension.ts';

/** Each wait within a test has a timeout of its own. */
const LIMIT = { timeout: 900_000 };

/**
 * Two easy tasks, so that the curve rises within half a minute; time enough for all tests on a slow machine.
 */
const CONFIG = {
  minutes: 60,
  suite: { tasks: ['settings-theme', 'settings-night-light'] },
  environments: { desktops: 8 },
  exploring: { firstSeconds: 10 },
  evaluation: { everySeconds: 5 },
};
const TRAINING = /\d+ % \d+:\d\d\/1:00:00/;

describe.skipIf(!canLaunch)('the extension in VS Code', () => {
  let extension: PackagedExtension;
  let window: CodeWindow;
  let workspace: string;

  beforeAll(async () => {
    extension = await launchExtension({ config: CONFIG, settings: { 'window.autoDetectColorScheme': true } });
    ({ window, workspace } = extension);
  }, LIMIT.timeout);
  afterAll(() => extension?.remove(), LIMIT.timeout);

  const screenshots = async (name: string): Promise<void> => {
    for (const scheme of ['dark', 'light'] as const) {
      await window.scheme(scheme);
      // A webview gets the theme a moment after the workbench.
      await setTimeout(400);
      await window.page.screenshot({ path: join(SCREENSHOTS, `${name}-${scheme}.png`) });
    }
  };

  test('a training starts from the palette, and its curve rises', LIMIT, async () => {
    const offered = await window.offered('Dartboard: St', 'Dartboard: Start Training');
    expect(offered).not.toContain('Dartboard: Stop Training');
    await window.command('Dartboard: Start Training');
    await window.answer('Start Training (1 of 1)');
    await window.status(TRAINING);
    const panel = await window.panel('training');
    await window.sees('a running run', panel.getByText('Running', { exact: true }));
    await panel.getByText('Show as a table').click();
    const cells = panel.locator('#rows tr', { hasText: 'Test' }).locator('td', { hasText: /^(< )?\d+ %$/ });
    // Newest first.
    const rates = async () =>
      (await cells.allTextContents()).map(text => Number(/\d+/.exec(text)?.[0])).reverse();
    await window.until('a rising curve', async () => {
      const [first = 0, ...later] = await rates();
      return Math.max(0, ...later) > first + 10;
    });
    await screenshots('training');
  });

  test('a trajectory opens, and so does its step with the highest entropy', LIMIT, async () => {
    await window.command('Dartboard: Open Trajectories');
    const list = await window.panel('trajectories');
    await list.getByRole('option').first().click();
    const position = list.locator('.count').first();
    await window.sees('the first step of a trajectory', position.filter({ hasText: 'Step 1 of' }));
    await screenshots('trajectories');
    await window.command('Dartboard: Open High-Entropy Steps');
    const gallery = await window.panel('uncertain');
    const card = gallery.locator('.card').first();
    await window.sees('a high-entropy step', card);
    const step = /step (\d+)/.exec((await card.textContent()) ?? '')?.[1];
    await screenshots('uncertain');
    await card.click();
    // The open panel shows it; there is no second one.
    const inspector = await window.panel('trajectories');
    await window.sees(`step ${step}`, inspector.getByText(new RegExp(`^Step ${step} of \\d+`)));
    expect(await window.page.getByRole('tab', { name: 'Trajectories', exact: true }).count()).toBe(1);
  });

  test('the trainer imitates a success that the user accepts', LIMIT, async () => {
    await window.command('Dartboard: Annotate Trajectories');
    const panel = await window.panel('annotate');
    const heading = panel.locator('.inspector h2').first();
    // The queue follows the training.
    await window.until('a success to review', () => heading.isVisible());
    await heading.click();
    await window.page.keyboard.press('a');
    await window.sees('an accepted success', panel.locator('[data-decided="accepted"]').first());
    await screenshots('annotate');
    await window.command('Dartboard: Focus on Success Pool View');
    const members = window.page.getByRole('treeitem', { name: /^settings-\S+, 1, 1 success in the pool/ });
    await window.sees('the task in the view Success Pool', members);
    await screenshots('pool');
    await window.selectTab('Training');
    const training = await window.panel('training');
    await training.getByText('All metrics', { exact: true }).click();
    const imitated = training
      .locator('.metrics dl > div', { hasText: 'imitated/demonstrations' })
      .locator('dd');
    await window.until(
      'imitated demonstrations',
      async () => Number.parseFloat((await imitated.textContent()) ?? '') > 0,
    );
  });

  test('the daemon, the training and the panels survive a reload of the window', LIMIT, async () => {
    const { pid } = extension.daemon();
    const before = Date.now();
    await window.reload('annotate');
    await window.status(TRAINING);
    // The daemon waits 30 s for a client. After a longer reload another daemon resumes the run.
    if (Date.now() - before < 30_000) expect(extension.daemon().pid).toBe(pid);
    for (const [title, panel] of [
      ['Training', 'training'],
      ['High-Entropy Steps', 'uncertain'],
      ['Annotate', 'annotate'],
      ['Trajectories', 'trajectories'],
    ] as const) {
      await window.selectTab(title);
      await window.panel(panel);
    }
    const trajectories = await window.panel('trajectories');
    await window.sees('the trajectory of before', trajectories.locator('.count').first());
  });

  test('the status bar reports a daemon that hangs, and the window reconnects to it', LIMIT, async () => {
    const { pid } = extension.daemon();
    process.kill(pid, 'SIGSTOP');
    try {
      await window.status(/^\s*Dartboard/);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await window.status(TRAINING);
    expect(extension.daemon().pid).toBe(pid);
  });

  test('another daemon resumes the run after a crash', LIMIT, async () => {
    const { pid } = extension.daemon();
    process.kill(pid, 'SIGKILL');
    await window.status(/^\s*Dartboard/);
    await window.status(TRAINING);
    await window.panel('trajectories');
    expect(extension.daemon().pid).not.toBe(pid);
  });

  test('a desktop is taken over, and goes back as soon as its panel is closed', LIMIT, async () => {
    await window.command('Dartboard: Take Over Desktop');
    const desktops = await window.panel('desktops');
    const tile = desktops.locator('.tile').first();
    await window.sees('a desktop of the training', tile);
    await tile.click();
    const held = window.page.locator('[id="dartboard.dartboard.dartboard.person"]', { hasText: 'Held' });
    const take = desktops.getByRole('button', { name: 'Take over' });
    await window.until('a desktop in the hands of a person', async () => {
      // It may play no episode at that moment.
      await take.click({ timeout: 3000 }).catch(() => undefined);
      return held.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
    });
    const record = await window.panel('record');
    await window.sees('the desktop', record.locator('.record-status[data-phase="acting"]'));
    await screenshots('taken-over');
    // The desktop has the keyboard, so there is no palette.
    await window.page.getByRole('tab', { name: 'Record', exact: true }).click({ button: 'middle' });
    const closed = Date.now();
    await window.until('the desktop in the training again', async () => !(await held.isVisible()));
    // Without the panel, the daemon would wait a minute for another page.
    expect(Date.now() - closed).toBeLessThan(60_000);
  });

  test('a training stops from the palette, and resumes', LIMIT, async () => {
    await window.command('Dartboard: Stop Training');
    await window.status(/^\s*Dartboard\s*$/);
    await window.command('Dartboard: Resume Run');
    await window.status(TRAINING);
    const panel = await window.panel('training');
    await window.sees('a running run', panel.getByText('Running', { exact: true }));
    // The panel that a reload restored does not open twice.
    expect(await window.page.getByRole('tab', { name: 'Training', exact: true }).count()).toBe(1);
    await screenshots('resumed');
  });

  test('a restart of the daemon resumes the training', LIMIT, async () => {
    const { pid } = extension.daemon();
    await window.command('Dartboard: Restart Daemon');
    await window.until('another daemon', async () => ![undefined, pid].includes(extension.pid()));
    await window.status(TRAINING);
  });

  test('a run with members of the success pool is deleted after a second question', LIMIT, async () => {
    await window.command('Dartboard: Stop Training');
    await window.status(/^\s*Dartboard\s*$/);
    await window.command('Dartboard: Delete Run');
    for (const name of ['Delete', 'Delete Them Too']) {
      const confirm = window.page.locator('.monaco-dialog-box').getByRole('button', { name, exact: true });
      await window.sees(`the button '${name}'`, confirm);
      await confirm.click();
    }
    const runs = join(workspace, '.dartboard/runs');
    await window.until('no folder of a run', async () =>
      readdirSync(runs).every(name => !name.startsWith('20')),
    );
  });

  test('no process is left after the last window closes', LIMIT, async () => {
    const { pid } = extension.daemon();
    await extension.close();
    const isLeft = () => processes().some(each => each.pid === pid || each.command.includes(workspace));
    while (isLeft()) await setTimeout(1000);
  });
});
