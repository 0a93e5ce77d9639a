// The settings that `dartboard serve --openenv` takes from dartboard.json.

import { expect, test } from 'vitest';
import { servedConfig } from '../../runtime/cli/serve-openenv.ts';
import { parseSettings } from '../../runtime/config/settings.ts';

const fileWith = (value: object) => parseSettings(value, path => `dartboard.json ${path.join('.')}`);

test('desktops and tasks of dartboard.json are served, whatever its agent needs', () => {
  const tars = { profile: 'ui-tars-1.5', url: 'http://localhost:8000/v1', model: 'tars' };
  const file = fileWith({
    ...{ agent: 'tars', agents: { tars }, preset: 'dart-7b', mode: 'screenshot', minutes: 9 },
    ...{ environments: { kind: 'web', desktops: 3 }, suite: { tiers: [2] } },
  });
  const { config } = servedConfig(file, {});
  expect(config).toMatchObject({
    mode: 'screenshot_a11y_tree',
    environments: { kind: 'web', desktops: 3 },
    suite: { tiers: [2] },
  });
  expect(servedConfig(file, { desktops: 'web', sessions: 5 }).config.environments.desktops).toBe(5);
});

test.each(['pocket', 'docker', 'web', 'offline'] as const)('desktops of the kind %s are served', kind => {
  const mode = kind === 'offline' ? 'screenshot' : 'screenshot_a11y_tree';
  expect(servedConfig(fileWith({}), { desktops: kind }).config).toMatchObject({
    mode,
    environments: { kind },
  });
  const file = fileWith({ environments: { kind } });
  expect(servedConfig(file, {}).config).toMatchObject({ mode, environments: { kind } });
});

test('guests, which need seconds for their elements, have them only for observations that show them', () => {
  const guest = { hosts: [{ address: 'http://192.168.7.2:5000', browserPort: 9222, vlcPort: 8080 }] };
  const file = fileWith({ environments: { kind: 'guest', guest }, suite: { files: 'tasks' } });
  const modeFor = (options: Parameters<typeof servedConfig>[1]) => servedConfig(file, options).config.mode;
  expect(modeFor({})).toBe('screenshot');
  expect(modeFor({ observation: 'screenshot' })).toBe('screenshot');
  expect(modeFor({ observation: 'text' })).toBe('screenshot_a11y_tree');
  expect(modeFor({ observation: 'both' })).toBe('screenshot_a11y_tree');
});

test('engines with room for all sessions have enough room, since nothing is evaluated', () => {
  const hosts = [{ address: 'local', capacity: 8 }];
  const file = fileWith({ environments: { kind: 'docker', docker: { hosts } }, evaluation: { desktops: 4 } });
  expect(servedConfig(file, { sessions: 8 }).config.environments.desktops).toBe(8);
  expect(() => servedConfig(file, { sessions: 9 })).toThrow(/room for fewer containers/);
});
