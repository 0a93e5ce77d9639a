// An agent behind an OpenAI-compatible endpoint in a real VS Code, against a model server on this machine that requires a key: configure it,
// check it, run an instruction, evaluate, look at the tokens of a step, accept a success, collect more into the pool. The key is in no file
// and no argument. Writes screenshots of every step to out/screens/.

import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CodeWindow } from '../../../runtime/bench/vscode/window.ts';
import { processes } from '../training.ts';
import { MODEL, type ModelEndpoint, startModelEndpoint } from './model-endpoint.ts';
import { canLaunch, launchExtension, type PackagedExtension, SCREENSHOTS } from './packaged-extension.ts';

/** Each wait within a test has a timeout of its own. */
const LIMIT = { timeout: 900_000 };
const KEY = 'sk-test-0123456789abcdef';
const OTHER_KEY = 'sk-test-fedcba9876543210';
const KEY_TEXT = /sk-test-[0-9a-f]{16}/;
/** With a formatting that no program writes. */
const CONFIG = `{
    "suite" : { "tasks": ["settings-theme", "settings-night-light"] },
    "minutes":5
}
`;
/** The model is configured under this name. */
const AGENT = 'reader';
const SETTINGS = { 'terminal.integrated.gpuAcceleration': 'off', 'files.autoSave': 'off' };

describe.skipIf(!canLaunch)('an agent behind an endpoint', () => {
  let extension: PackagedExtension | undefined;
  let endpoint: ModelEndpoint | undefined;
  let window: CodeWindow;
  let workspace: string;

  beforeAll(async () => {
    endpoint = await startModelEndpoint(KEY);
    extension = await launchExtension({ settings: SETTINGS });
    ({ window, workspace } = extension);
    writeFileSync(configFile(), CONFIG);
  }, LIMIT.timeout);
  afterAll(async () => {
    await extension?.remove();
    endpoint?.close();
  }, LIMIT.timeout);

  const configFile = () => join(workspace, 'dartboard.json');
  const screenshot = async (name: string): Promise<void> => {
    // Widgets of VS Code fade in.
    await setTimeout(400);
    await window.page.screenshot({ path: join(SCREENSHOTS, `agents-${name}.png`) });
  };

  /** A task in the view Success Pool with so many members. */
  const member = (count: number) =>
    window.page
      .getByRole('treeitem', { name: new RegExp(`^settings-\\S+, ${count}, ${count} success`) })
      .first();

  test('the questions add an entry to dartboard.json, with the name of the key alone', LIMIT, async () => {
    const { url = '' } = endpoint ?? {};
    await window.command('Dartboard: Configure Agent…');
    await window.choose('Configure Agent (1 of 6)', 'This folder');
    await window.enter('Configure Agent (2 of 6)', 'compact');
    await screenshot('configure-name');
    await window.enter('Configure Agent (2 of 6)', AGENT);
    await window.enter('Configure Agent (3 of 6)', url);
    await window.answers('Configure Agent (4 of 6)', 'Secret storage of VS Code');
    await screenshot('configure-key');
    await window.choose('Configure Agent (4 of 6)', 'Secret storage of VS Code');
    await window.enter('Configure Agent (4 of 6)', KEY);
    await window.answers('Configure Agent (5 of 6)', MODEL);
    await screenshot('configure-model');
    await window.choose('Configure Agent (5 of 6)', MODEL);
    await window.answers('Configure Agent (6 of 6)', 'suggested for');
    await screenshot('configure-profile');
    await window.choose('Configure Agent (6 of 6)', 'suggested for');
    await window.answers('Configure Agent (6 of 6)', 'Elements only');
    await screenshot('configure-mode');
    await window.choose('Configure Agent (6 of 6)', 'Elements only');
    await window.sees('the offer to check', window.notification(`The agent '${AGENT}' is configured.`));
    await screenshot('configured');
    const text = readFileSync(configFile(), 'utf8');
    expect(text.startsWith(CONFIG.slice(0, CONFIG.lastIndexOf('\n}')))).toBe(true);
    expect(JSON.parse(text).agents).toEqual({
      [AGENT]: { profile: 'generic', mode: 'a11y_tree', url, model: MODEL, key: { secret: 'READER' } },
    });
  });

  test('dartboard.json explains and completes the settings of an agent', LIMIT, async () => {
    const { page } = window;
    const key = page
      .locator('.view-line span')
      .filter({ hasText: /^"profile"$/ })
      .first();
    await window.sees('the entry in the editor', key);
    const hover = page.locator('.monaco-hover').filter({ hasText: 'The family of the model' });
    await window.until('an explanation of the profile', async () => {
      await page.mouse.move(5, 5);
      await key.hover();
      return hover.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
    });
    await screenshot('hover');
    await key.click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Space');
    const offered = page.locator('.suggest-widget .monaco-list-row');
    for (const setting of ['endpoints', 'sampling', 'limits', 'prices'])
      await window.sees(`the setting ${setting}`, offered.filter({ hasText: setting }).first());
    await screenshot('completion');
    await page.keyboard.press('Escape');
    await window.command('File: Revert File');
    await window.until(
      'the file without changes',
      async () => (await page.locator('.tab.dirty').count()) === 0,
    );
  });

  test('a check starts above the entry, and prints what the agent can be used for', LIMIT, async () => {
    await window.command('Notifications: Clear All Notifications');
    await window.page.locator('.codelens-decoration a', { hasText: 'Check Endpoint' }).click();
    await window.terminal(/Usable for/);
    await screenshot('check');
  });

  test('a run asks for the agent, and shows it live', LIMIT, async () => {
    await window.command('Dartboard: Run an Instruction');
    await window.answers('Run an Instruction', AGENT);
    await screenshot('run-agent');
    await window.choose('Run an Instruction', AGENT);
    await window.enter(`Instruction for ${AGENT}`, 'Use the dark theme.');
    const panel = await window.panel('record');
    await window.sees('the agent', panel.getByText(`Agent ${AGENT}`).first());
    await window.sees('a step of the agent', panel.locator('.record-by').first());
    await screenshot('run');
    await panel.getByRole('button', { name: 'Discard', exact: true }).click();
    await window.sees('the tasks', panel.getByRole('heading', { name: 'Record a demonstration' }));
  });

  test('an evaluation prints the success of each task', LIMIT, async () => {
    await window.command('Dartboard: Evaluate');
    await window.choose('Evaluate', AGENT);
    await window.terminal(/20\/20.*20\/20.*2.0 steps per episode/);
    await screenshot('evaluation');
    await window.command('View: Toggle Panel Visibility');
  });

  test('a step shows its tokens', LIMIT, async () => {
    await window.command('Dartboard: Open Trajectories');
    const panel = await window.panel('trajectories');
    await panel.getByRole('option').first().click();
    await window.sees('the first step', panel.locator('.count').filter({ hasText: 'Step 1 of' }).first());
    const tokens = panel.getByRole('listbox', { name: 'Tokens of the reply' }).getByRole('option');
    await window.sees('the tokens of the reply', tokens.first());
    expect(await tokens.allInnerTexts()).toContain('click');
    await tokens.first().hover();
    await window.sees('the alternatives of a token', panel.getByRole('tooltip'));
    await screenshot('tokens');
    await window.sees('the model', panel.getByText(MODEL, { exact: true }));
  });

  test('a success that the user accepts is in the success pool', LIMIT, async () => {
    await window.command('Dartboard: Collect Successes');
    await window.answers('Collect Successes (1 of 3)', `Agent ${AGENT}`);
    await screenshot('collect-player');
    await window.choose('Collect Successes (1 of 3)', `Agent ${AGENT}`);
    await window.choose('Collect Successes (2 of 3)', 'Tasks of dartboard.json');
    await window.answers('Collect Successes (3 of 3)', 'You, in the panel Annotate');
    await screenshot('collect-review');
    await window.choose('Collect Successes (3 of 3)', 'You, in the panel Annotate');
    const result = window.notification('64 of 64 episodes succeeded. They wait for your review.');
    await window.sees('the result', result);
    await window.press(result, 'Annotate');
    const panel = await window.panel('annotate');
    const heading = panel.locator('.inspector h2').first();
    await window.sees('a success to review', heading);
    await heading.click();
    await window.page.keyboard.press('a');
    await window.sees('an accepted success', panel.locator('[data-decided="accepted"]').first());
    await screenshot('annotate');
    await window.command('Dartboard: Focus on Success Pool View');
    await window.sees('the member', member(1));
  });

  test('a restarted daemon has a changed key', LIMIT, async () => {
    const pid = extension?.pid();
    await window.command('Dartboard: Set Key…');
    const stays = await window.answers('Set Key', 'READER');
    // A panel that loads late gets the focus.
    await window.page.locator('iframe.webview.ready').filter({ visible: true }).last().focus();
    await setTimeout(500);
    expect(await stays.isVisible()).toBe(true);
    await window.choose('Set Key', 'READER');
    await window.enter('Key READER', OTHER_KEY);
    endpoint?.requireKey(OTHER_KEY);
    const offer = window.notification('The key READER is stored.');
    await window.sees('the offer to restart', offer);
    await screenshot('restart');
    await window.press(offer, 'Restart Daemon');
    await window.until('another daemon', async () => ![undefined, pid].includes(extension?.pid()));
    await window.status(/^\s*Dartboard\s*$/);
  });

  test('successes that the evaluators accept are in the success pool', LIMIT, async () => {
    await window.command('Dartboard: Collect Successes');
    await window.choose('Collect Successes (1 of 3)', `Agent ${AGENT}`);
    await window.choose('Collect Successes (2 of 3)', 'Tasks of dartboard.json');
    await window.choose('Collect Successes (3 of 3)', 'The evaluators of the tasks');
    const result = window.notification('64 of 64 episodes succeeded. They are in the success pool.');
    await window.sees('the result', result);
    await screenshot('collected');
    await window.sees('the members', member(32));
    await screenshot('pool');
  });

  test('another agent with a stored key needs no restart of the daemon', LIMIT, async () => {
    await window.command('Dartboard: Configure Agent…');
    await window.choose('Configure Agent (1 of 6)', 'This folder');
    await window.enter('Configure Agent (2 of 6)', 'second');
    await window.enter('Configure Agent (3 of 6)', endpoint?.url ?? '');
    await window.choose('Configure Agent (4 of 6)', 'Stored key READER');
    await window.choose('Configure Agent (5 of 6)', MODEL);
    await window.choose('Configure Agent (6 of 6)', 'suggested for');
    await window.choose('Configure Agent (6 of 6)', 'Elements only');
    await window.sees('the offer to check', window.notification("The agent 'second' is configured."));
    expect(await window.notification("The agent 'second' uses the key READER.").count()).toBe(0);
  });

  test('no file and no argument of a program contains a key', LIMIT, async () => {
    const text = KEY_TEXT.source;
    expect(processes().filter(({ command }) => KEY_TEXT.test(command))).toEqual([]);
    // Workspace, logs and user data.
    const found = await promisify(execFile)('grep', [
      '-rlE',
      text,
      '--exclude-dir=extensions',
      dirname(workspace),
    ]).then(
      ({ stdout }) => stdout,
      (error: { readonly code: number; readonly stdout: string }) => `${error.stdout}exit code ${error.code}`,
    );
    // grep found nothing.
    expect(found).toBe('exit code 1');
  });
});
