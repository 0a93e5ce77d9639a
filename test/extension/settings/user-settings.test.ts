// The user's settings of VS Code reach the programs: each program reads them back as they are.

import { describe, expect, test } from 'vitest';
import { userSettingsOf, variablesOf, withKeyNames } from '../../../extension/settings/user-settings.ts';
import { parseConfig } from '../../../runtime/config/config.ts';
import { userSettings } from '../../../runtime/config/user-settings.ts';
import { defaultAddress, hostSettings } from '../../../runtime/environments/docker/address.ts';

const AGENT = { profile: 'generic', model: 'm', url: 'http://localhost:8000/v1', key: { secret: 'MINE' } };
const WORKSHOP = { address: 'ssh://me@workshop', capacity: 40 };
const FARM = { address: 'tcp://farm:2376', capacity: 20, certificates: '/home/me/.docker/farm' };

/** The engine that a program with these variables uses. VS Code itself has those of another one. */
const engineOf = (engines: readonly object[]) => {
  const theirs = { DOCKER_HOST: 'tcp://old:2376', DOCKER_CERT_PATH: '/old', DOCKER_TLS_VERIFY: '1' };
  const environment = { ...theirs, ...variablesOf(userSettingsOf({}, engines)) };
  return defaultAddress(hostSettings(environment));
};

test('no settings are no variables: the programs use those of the environment', () => {
  expect(variablesOf(userSettingsOf(undefined, undefined))).toEqual({});
  expect(variablesOf(userSettingsOf({}, []))).toEqual({});
  expect(variablesOf(userSettingsOf('odd', 3))).toEqual({});
});

test('a program reads the agents and the engines', () => {
  const user = userSettings(variablesOf(userSettingsOf({ mine: AGENT }, [WORKSHOP, FARM])));
  const { agents, environments } = parseConfig({ environments: { kind: 'docker' } }, user);
  expect(agents).toEqual({ mine: AGENT });
  expect(environments.docker.hosts).toEqual([WORKSHOP, FARM]);
});

describe('what uses one engine uses', () => {
  test('the first', () => {
    expect(engineOf([WORKSHOP, FARM])).toEqual({ kind: 'ssh', destination: 'me@workshop' });
    expect(engineOf([FARM, WORKSHOP])).toEqual({
      ...{ kind: 'tcp', host: 'farm', port: 2376, certificates: FARM.certificates },
    });
  });

  test('no certificates of another engine', () => {
    expect(engineOf([{ address: 'tcp://localhost:2375', capacity: 9 }])).toEqual({
      ...{ kind: 'tcp', host: 'localhost', port: 2375 },
    });
  });

  test('that of the environment, if the setting has the engine of this machine', () => {
    expect(engineOf([WORKSHOP, { address: 'local', capacity: 8 }])).toMatchObject({ host: 'old' });
  });
});

test('keys get other names, and nothing else changes', () => {
  const learner = { kind: 'tinker', url: 'http://t', base: 'b', key: { secret: 'TRAIN' } };
  const agents = {
    a: { ...AGENT, learner },
    b: { ...AGENT, key: { env: 'MINE' } },
    odd: 3,
  };
  const renamed = withKeyNames(userSettingsOf(agents, [WORKSHOP]), name => `${name}_1`);
  expect(renamed).toEqual({
    engines: [WORKSHOP],
    agents: {
      a: { ...AGENT, key: { secret: 'MINE_1' }, learner: { ...learner, key: { secret: 'TRAIN_1' } } },
      b: agents.b,
      odd: {},
    },
  });
});
