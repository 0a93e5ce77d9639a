// Evaluations in the Testing view of a real VS Code, by a model behind an endpoint on this machine and by saved weights. Writes
// screenshots to out/screens/.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstWeights } from '../../../runtime/agents/compact/programs.ts';
import type { CodeWindow } from '../../../runtime/bench/vscode/window.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { encodePolicy } from '../../../runtime/run/folders/policy-file.ts';
import { EXAMPLE } from '../../environments/pocket/tasks/guide.ts';
import { type HeldEndpoint, holdableEndpoint } from './held-endpoint.ts';
import { MODEL, type ModelEndpoint, startModelEndpoint } from './model-endpoint.ts';
import { canLaunch, launchExtension, type PackagedExtension, SCREENSHOTS } from './packaged-extension.ts';

/** Each wait within a test has a timeout of its own. */
const LIMIT = { timeout: 900_000 };
const KEY = 'sk-test-0123456789abcdef';
const KEY_VARIABLE = 'DARTBOARD_TEST_READER_KEY';
const SETTINGS = { 'dartboard.testing.instances': 3 };
/** The model clicks the element that the task names, then finishes: this solves the first task, and not the second. */
const [SOLVED, UNSOLVED] = ['settings-night-light', 'calendar-move-today'];
/** The base weights solve it. */
const KNOWN = 'settings-mute';

describe.skipIf(!canLaunch)('the Testing view', () => {
  let extension: PackagedExtension | undefined;
  let endpoint: ModelEndpoint | undefined;
  let held: HeldEndpoint | undefined;
  let window: CodeWindow;
  let workspace: string;
  let agents: object;

  beforeAll(async () => {
    process.env[KEY_VARIABLE] = KEY;
    endpoint = await startModelEndpoint(KEY);
    held = await holdableEndpoint(endpoint.url);
    const { url } = held;
    agents = {
      reader: { profile: 'generic', mode: 'a11y_tree', model: MODEL, url, key: { env: KEY_VARIABLE } },
    };
    extension = await launchExtension({ config: { agents }, settings: SETTINGS });
    ({ window, workspace } = extension);
  }, LIMIT.timeout);
  afterAll(async () => {
    await extension?.remove();
    held?.close();
    endpoint?.close();
    delete process.env[KEY_VARIABLE];
  }, LIMIT.timeout);

  const write = (path: string, text: string): void => {
    const file = join(workspace, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  };
  const screenshot = async (name: string): Promise<void> => {
    // Widgets of VS Code fade in.
    await setTimeout(400);
    await window.page.screenshot({ path: join(SCREENSHOTS, `testing-${name}.png`) });
  };
  const item = (name: string, state = '') =>
    window.page.getByRole('treeitem', { name: new RegExp(`^${name} \\(${state}`) }).first();
  const open = async (name: string): Promise<void> => {
    await window.sees(`the test '${name}'`, item(name));
    const isOpen = async () => (await item(name).getAttribute('aria-expanded')) === 'true';
    // Tests that are loaded again between the click and the key take the focus away.
    await window.until(`the open test '${name}'`, async () => {
      if (await isOpen()) return true;
      await item(name).click();
      if (!(await isOpen())) await window.page.keyboard.press('ArrowRight');
      return isOpen();
    });
  };
  const choose = async (name: string, entry: string): Promise<void> => {
    const { page } = window;
    const action = page.locator('.monaco-menu .action-label', { hasText: entry }).first();
    await window.until(`'${entry}' in the menu of '${name}'`, async () => {
      await item(name).click({ button: 'right' });
      try {
        await action.hover({ timeout: 3000 });
        // A menu ignores clicks just after it opens.
        await setTimeout(500);
        await action.click({ timeout: 3000 });
        await action.waitFor({ state: 'hidden', timeout: 3000 });
        return true;
      } catch {
        // The click was ignored, or the tree changed: try again with a new menu.
        await page.keyboard.press('Escape');
        return false;
      }
    });
  };
  const evaluateWith = async (profile: string, name: string): Promise<void> => {
    await choose(name, 'Execute Using Profile');
    const row = window.page.locator('.quick-input-list .monaco-list-row', { hasText: profile }).first();
    await window.sees(`the profile '${profile}'`, row);
    await row.click();
  };

  test('lists the tasks by desktops and tiers, and evaluates nothing', LIMIT, async () => {
    await window.command('Testing: Focus on Test Explorer View');
    await open('Pocket desktop');
    await open('Tier 1: single steps');
    await window.sees('a task', item(SOLVED, 'Not yet run'));
    await window.sees('an unseen task', item('mail-unstar \\(never trained\\)', 'Not yet run'));
    await screenshot('tests');
  });

  test('before any training, the default profile evaluates the base weights', LIMIT, async () => {
    await choose(KNOWN, 'Run Test');
    await window.sees('the passed test', item(KNOWN, 'Passed'));
  });

  test('an agent passes a task if it solves all instances', LIMIT, async () => {
    await evaluateWith('Evaluate an Agent', SOLVED);
    await window.sees('the passed test', item(SOLVED, 'Passed'));
    await evaluateWith('Evaluate an Agent', UNSOLVED);
    await window.sees('the failed test', item(UNSOLVED, 'Failed'));
    await screenshot('results');
  });

  test('a message of a failed instance opens the Inspector at its last step', LIMIT, async () => {
    await window.command('Test Results: Focus on Test Results View');
    const summary = window.page.getByRole('treeitem', { name: /3 of 3 instances failed/ }).first();
    await window.sees('the number of failed instances', summary);
    const instance = window.page.getByRole('treeitem', { name: /^Instance 1000/ }).first();
    await window.sees('the message of an instance', instance);
    await instance.click();
    const link = window.page.locator('.test-output-peek-message-container a', { hasText: /^Open step \d+$/ });
    await window.sees('the link', link.first());
    await screenshot('message');
    const number = /\d+/.exec((await link.first().textContent()) ?? '')?.[0];
    await link.first().click();
    const panel = await window.panel('trajectories');
    const count = panel.locator('.count').filter({ hasText: `Step ${number} of` });
    await window.sees('the last step', count.first());
    expect(await count.first().textContent()).toMatch(new RegExp(`^Step ${number} of ${number}\\b`));
    await screenshot('inspector');
  });

  test('the latest weights are evaluated with a click on a test', LIMIT, async () => {
    const shape = { width: 8, blocks: 1, heads: 2, hidden: 8, letterWidth: 4, pixels: false };
    const random = seeded('weights');
    const weights = firstWeights(shape, () => random.next());
    const policy = encodePolicy({ shape, mode: 'a11y_tree', tasks: [SOLVED], seed: 's', weights });
    mkdirSync(join(workspace, '.dartboard/runs/made'), { recursive: true });
    writeFileSync(join(workspace, '.dartboard/runs/made/weights.safetensors'), policy);
    write('.dartboard/runs/latest', 'made');
    await window.command('Testing: Focus on Test Explorer View');
    await choose('mail-star', 'Run Test');
    await window.sees('the failed test', item('mail-star', 'Failed'));
  });

  test('a run that is cancelled ends', LIMIT, async () => {
    // Requests of episodes alone: those that ask what the server can do pass.
    held?.hold('Task: ');
    await evaluateWith('Evaluate an Agent', SOLVED);
    // VS Code updates the icon of a test that starts, and its name for screen readers later.
    const hasIcon = (icon: string) => async () =>
      (await item(SOLVED).locator(`.codicon-${icon}`).count()) > 0;
    await window.until('a running test', hasIcon('loading'));
    await screenshot('running');
    await window.command('Test: Cancel Test Run');
    await window.until('a test without a result', hasIcon('testing-skipped-icon'));
    await screenshot('cancelled');
  });

  test('the tests follow dartboard.json and the task files', LIMIT, async () => {
    const task = EXAMPLE.replace('"tier": 2', '"tier": 4');
    // This folder was missing when the tests were listed.
    write('.dartboard/tasks/pocket/first.json', task.replace('"quieter-alerts"', '"first-alerts"'));
    // The window shows as many tests as fit.
    await item('Tier 1: single steps').click();
    await window.page.keyboard.press('ArrowLeft');
    await open('Tier 4: several applications');
    await window.sees('the task of the first file', item('first-alerts'));
    write('tasks/quieter-alerts.json', task);
    write('dartboard.json', JSON.stringify({ agents, suite: { files: 'tasks' } }));
    await window.sees('the task of the folder', item('quieter-alerts'));
    await screenshot('own-task');
    write('tasks/quieter-alerts.json', task.replace('"quieter-alerts"', '"silent-alerts"'));
    await window.sees('the changed task', item('silent-alerts'));
    write('dartboard.json', '{');
    await window.sees(
      'the error in dartboard.json',
      window.page.getByText(/'dartboard.json' cannot be read/).first(),
    );
    await screenshot('error');
  });
});
