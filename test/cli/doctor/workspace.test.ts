// The doctor's checks of the settings, the daemon and the runs of a folder.

import { describe, expect, test } from 'vitest';
import { configuration, daemon, runs } from '../../../runtime/cli/doctor/workspace.ts';
import { settingsFromText } from '../../../runtime/config/config-file.ts';
import { NO_SETTINGS, withUser } from '../../../runtime/config/settings.ts';
import { userSettings } from '../../../runtime/config/user-settings.ts';

describe('the workspace', () => {
  test('the settings are checked as training checks them', async () => {
    expect(await configuration(async () => NO_SETTINGS)).toMatchObject({ state: 'ok' });
    const wrong = await configuration(async () => settingsFromText('{ "minuts": 1 }', 'dartboard.json'));
    expect(wrong).toMatchObject({
      state: 'problem',
      says: expect.stringMatching(/^dartboard\.json:1:3: .*Did you mean 'minutes'/),
    });
  });

  test('the settings of the user are counted, and a mistake in them is named', async () => {
    const mine = (agent: object) => ({
      DARTBOARD_USER_SETTINGS: JSON.stringify({ agents: { mine: agent } }),
    });
    const agent = { profile: 'generic', model: 'm', url: 'http://localhost:8000/v1' };
    const look = (environment: Readonly<Record<string, string>>) =>
      configuration(async () => withUser(NO_SETTINGS, userSettings(environment)));
    expect(await look(mine(agent))).toMatchObject({
      state: 'ok',
      says: expect.stringMatching(/3 of the user/),
    });
    expect(await look(mine({ ...agent, modell: 'm' }))).toMatchObject({
      state: 'problem',
      says: expect.stringMatching(/^user setting 'dartboard\.agents\.mine\.modell'/),
    });
  });

  test('a killed daemon and interrupted runs are warnings', () => {
    expect(daemon({ kind: 'none' }, 'f').state).toBe('ok');
    expect(daemon({ kind: 'stale', why: 'the process 7 is gone' }, 'f')).toMatchObject({ state: 'warning' });
    expect(runs([], [], 3)).toMatchObject({ state: 'ok', says: expect.stringMatching(/^3/) });
    expect(runs(['run-1'], [], 3)).toMatchObject({
      state: 'warning',
      says: expect.stringMatching(/run-1/),
    });
    expect(runs([], ['run-2 cannot be read'], 3)).toMatchObject({
      state: 'warning',
      says: expect.stringMatching(/run-2/),
    });
  });
});
