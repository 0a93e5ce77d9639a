// Settings of the user: they hold where dartboard.json names no others, and never mix with its agents.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseConfig, resolve } from '../../runtime/config/config.ts';
import { readConfig, settingsFromText } from '../../runtime/config/config-file.ts';
import { listGivenSettings } from '../../runtime/config/print.ts';
import { ConfigError, settingsFromOptions, withUser } from '../../runtime/config/settings.ts';
import { userSettings } from '../../runtime/config/user-settings.ts';
import { USER_SETTINGS_VARIABLE } from '../../runtime/protocol/user-settings.ts';

const MINE = { profile: 'qwen3-vl', model: 'mine', url: 'https://mine.example/v1', key: { secret: 'MINE' } };
const THEIRS = { profile: 'ui-tars-1.5', model: 'theirs', url: 'https://theirs.example/v1' };
const HOSTS = [{ address: 'ssh://me@workshop', capacity: 1000 }];
const ENGINES = { environments: { docker: { hosts: HOSTS } } };

const inEnvironment = (value: unknown) => ({ [USER_SETTINGS_VARIABLE]: JSON.stringify(value) });
const ofUser = (value: unknown) => userSettings(inEnvironment(value));
const merged = (file: unknown, user: unknown) =>
  withUser(settingsFromText(JSON.stringify(file), 'dartboard.json'), ofUser(user));
const refused = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
};

test('without the variable there are none', () => {
  expect(userSettings({})).toBeUndefined();
  expect(userSettings({ [USER_SETTINGS_VARIABLE]: ' ' })).toBeUndefined();
});

describe('agents', () => {
  test('those of the user and those of the file can be used', () => {
    const { config } = resolve(
      merged({ agent: 'mine', agents: { theirs: THEIRS } }, { agents: { mine: MINE } }),
    );
    expect(config.agents).toEqual({ mine: MINE, theirs: THEIRS });
    // The defaults depend on it.
    expect(config).toMatchObject({ agent: 'mine', preset: 'dart-7b' });
  });

  test('an agent of the file replaces the whole agent of the user, its key included', () => {
    const keys = fc.constantFrom({}, { key: { env: 'A' } }, { sampling: { maxTokens: 7 } });
    fc.assert(
      fc.property(
        fc.subarray(['a', 'b', 'c.d']),
        fc.subarray(['a', 'b', 'c.d']),
        keys,
        (file, user, more) => {
          const entries = (names: readonly string[], entry: object) =>
            Object.fromEntries(names.map(name => [name, entry]));
          const { config } = resolve(
            merged({ agents: entries(file, THEIRS) }, { agents: entries(user, { ...MINE, ...more }) }),
          );
          expect(config.agents).toEqual({
            ...entries(user, { ...MINE, ...more }),
            ...entries(file, THEIRS),
          });
        },
      ),
    );
  });

  test('an option can name an agent of the user', () => {
    const { config } = resolve(
      merged({}, { agents: { mine: MINE } }),
      settingsFromOptions({ agent: 'mine' }),
    );
    expect(config.agent).toBe('mine');
  });
});

describe('Docker engines', () => {
  test('hold for Docker desktops, and have no effect on others', () => {
    expect(
      resolve(merged({ environments: { kind: 'docker' } }, ENGINES)).config.environments.docker.hosts,
    ).toEqual(HOSTS);
    for (const kind of ['pocket', 'web'])
      expect(resolve(merged({ environments: { kind } }, ENGINES)).config).toEqual(
        parseConfig({ environments: { kind } }),
      );
  });

  test('the engines of the file replace all of them', () => {
    const hosts = [{ address: 'local', capacity: 30 }];
    const file = { environments: { kind: 'docker', docker: { hosts } } };
    expect(resolve(merged(file, ENGINES)).config.environments.docker.hosts).toEqual(hosts);
  });

  test('too few containers are an error at the setting of the user', () => {
    const few = { environments: { docker: { hosts: [{ address: 'local', capacity: 1 }] } } };
    expect(refused(() => resolve(merged({ environments: { kind: 'docker' } }, few)))).toMatch(
      /^user setting 'dartboard\.docker\.hosts': The hosts have room for fewer containers/,
    );
  });
});

test('a configuration that was resolved with them is complete: it needs them no more', () => {
  const { config } = resolve(
    merged(
      { environments: { kind: 'docker' }, agent: 'mine', demonstrations: 0 },
      { ...ENGINES, agents: { mine: MINE } },
    ),
  );
  expect(parseConfig(config)).toEqual(config);
  expect(parseConfig(config, ofUser({ agents: { mine: THEIRS } }))).toEqual(config);
});

test('the configuration of a client gets them', () => {
  const { agents, agent } = parseConfig({ agent: 'mine' }, ofUser({ agents: { mine: MINE } }));
  expect({ agents, agent }).toEqual({ agents: { mine: MINE }, agent: 'mine' });
});

test('the list of given settings names the user as their source', () => {
  const resolved = resolve(merged({ minutes: 7 }, { agents: { mine: MINE } }));
  expect(listGivenSettings(resolved, 'dartboard.json').join('\n')).toMatch(
    /agents\.mine\.model .* user settings\n/,
  );
  expect(resolved.sources).toMatchObject({ minutes: 'file', 'agents.mine.url': 'user' });
});

describe('a mistake is an error that names the setting', () => {
  test.each([
    ['{', 'DARTBOARD_USER_SETTINGS is not JSON'],
    [{ minutes: 3 }, "DARTBOARD_USER_SETTINGS: 'minutes' is no setting of a user"],
    [{ environments: { kind: 'docker' } }, "'environments.kind' is no setting of a user"],
    [{ agents: { mine: { ...MINE, profile: 'x' } } }, "user setting 'dartboard.agents.mine.profile': "],
    [{ environments: { docker: { hosts: [{ capacity: 3 }] } } }, "user setting 'dartboard.docker.hosts[0]"],
  ])('%j', (value, message) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    expect(refused(() => userSettings({ [USER_SETTINGS_VARIABLE]: text }))).toContain(message);
  });

  test('and prints no key', () => {
    const secret = 'sk-live-0123456789';
    expect(refused(() => ofUser({ agents: { mine: { ...MINE, key: secret } } }))).not.toContain(secret);
  });
});

describe('reading dartboard.json', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dartboard-user-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('adds them, with or without a file', async () => {
    const environment = inEnvironment({ agents: { mine: MINE } });
    const file = join(folder, 'dartboard.json');
    expect(resolve(await readConfig(file, environment)).config.agents).toEqual({ mine: MINE });
    await writeFile(file, JSON.stringify({ agents: { theirs: THEIRS } }));
    expect(Object.keys(resolve(await readConfig(file, environment)).config.agents)).toEqual([
      'mine',
      'theirs',
    ]);
  });
});
