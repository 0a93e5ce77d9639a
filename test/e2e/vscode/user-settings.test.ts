// Settings of the user in a real VS Code: an agent for all folders with a key in the secret storage, used by a terminal and by the daemon, and
// a change of the settings while a daemon runs.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CodeWindow } from '../../../runtime/bench/vscode/window.ts';
import { MODEL, type ModelEndpoint, startModelEndpoint } from './model-endpoint.ts';
import { canLaunch, launchExtension, type PackagedExtension } from './packaged-extension.ts';

/** Each wait within a test has a timeout of its own. */
const LIMIT = { timeout: 900_000 };
const KEY = 'sk-test-0123456789abcdef';
const AGENT = 'mine';
const SETTINGS = { 'terminal.integrated.gpuAcceleration': 'off' };

describe.skipIf(!canLaunch)('the settings of a user', () => {
  let extension: PackagedExtension | undefined;
  let endpoint: ModelEndpoint | undefined;
  let window: CodeWindow;
  let workspace: string;

  beforeAll(async () => {
    endpoint = await startModelEndpoint(KEY);
    const config = { suite: { tasks: ['settings-theme'] } };
    extension = await launchExtension({ settings: SETTINGS, config });
    ({ window, workspace } = extension);
  }, LIMIT.timeout);
  afterAll(async () => {
    await extension?.remove();
    endpoint?.close();
  }, LIMIT.timeout);

  test(
    'an agent for all folders is in the settings of the machine, and not in the folder',
    LIMIT,
    async () => {
      const { url = '' } = endpoint ?? {};
      const before = readFileSync(join(workspace, 'dartboard.json'), 'utf8');
      await window.command('Dartboard: Configure Agent…');
      await window.choose('Configure Agent (1 of 6)', 'All my folders');
      await window.enter('Configure Agent (2 of 6)', AGENT);
      await window.enter('Configure Agent (3 of 6)', url);
      await window.choose('Configure Agent (4 of 6)', 'Secret storage of VS Code');
      await window.enter('Configure Agent (4 of 6)', KEY);
      await window.choose('Configure Agent (5 of 6)', MODEL);
      await window.choose('Configure Agent (6 of 6)', 'suggested for');
      await window.choose('Configure Agent (6 of 6)', 'Elements only');
      await window.sees('the offer to check', window.notification(`The agent '${AGENT}' is configured.`));
      const file =
        settingsFiles().find(each => readFileSync(each, 'utf8').includes('dartboard.agents')) ?? '';
      expect(JSON.parse(readFileSync(file, 'utf8'))['dartboard.agents']).toEqual({
        [AGENT]: { profile: 'generic', mode: 'a11y_tree', url, model: MODEL, key: { secret: 'MINE' } },
      });
      expect(readFileSync(join(workspace, 'dartboard.json'), 'utf8')).toBe(before);
    },
  );

  test('a program in a terminal has the agent and its key', LIMIT, async () => {
    await window.command('Dartboard: Check Endpoint');
    await window.terminal(/Usable for/);
    await window.command('View: Toggle Panel Visibility');
  });

  test('the daemon has them too', LIMIT, async () => {
    await window.command('Dartboard: Collect Successes');
    await window.choose('Collect Successes (1 of 3)', `Agent ${AGENT}`);
    await window.choose('Collect Successes (2 of 3)', 'Tasks of dartboard.json');
    await window.choose('Collect Successes (3 of 3)', 'The evaluators of the tasks');
    await window.sees('the result', window.notification(/32 of 32 episodes succeeded/));
  });

  test('an agent of dartboard.json with that name gets no key of the user', LIMIT, async () => {
    await window.command('Notifications: Clear All Notifications');
    const named = {
      profile: 'generic',
      mode: 'a11y_tree',
      url: endpoint?.url,
      model: MODEL,
      key: { secret: 'MINE' },
    };
    writeFileSync(join(workspace, 'dartboard.json'), JSON.stringify({ agents: { [AGENT]: named } }));
    await window.command('Dartboard: Check Endpoint');
    await window.terminal(/the secret 'MINE' is not stored/);
    await window.command('View: Toggle Panel Visibility');
  });

  test('a change of the settings offers to restart the daemon', LIMIT, async () => {
    const pid = extension?.pid();
    await window.command('Notifications: Clear All Notifications');
    const file = settingsFiles().find(each => readFileSync(each, 'utf8').includes('dartboard.agents')) ?? '';
    const settings = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(
      file,
      JSON.stringify({ ...settings, 'dartboard.docker.hosts': [{ address: 'local', capacity: 9 }] }),
    );
    const offer = window.notification('Settings of Dartboard have changed.');
    await window.sees('the offer to restart', offer);
    await window.press(offer, 'Restart Daemon');
    await window.until('another daemon', async () => ![undefined, pid].includes(extension?.pid()));
  });

  /** VS Code writes those of the machine beside those of the user. */
  function settingsFiles(): readonly string[] {
    const data = join(dirname(workspace), 'server/data');
    return readdirSync(data)
      .map(folder => join(data, folder, 'settings.json'))
      .filter(file => existsSync(file));
  }
});
