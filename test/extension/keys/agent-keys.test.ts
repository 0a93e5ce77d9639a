// The keys of a folder and those of the user: a folder never gets a key of the user.

import { beforeEach, expect, test } from 'vitest';
import { agentsOf } from '../../../extension/agents/configured-agents.ts';
import { AgentKeys } from '../../../extension/keys/agent-keys.ts';
import { KeyStore } from '../../../extension/keys/key-store.ts';
import { userSettingsOf } from '../../../extension/settings/user-settings.ts';
import { parseConfig } from '../../../runtime/config/config.ts';
import { userSettings } from '../../../runtime/config/user-settings.ts';
import { keySourceOf, resolveKey, SECRET_NAME, secretVariable } from '../../../runtime/endpoints/keys.ts';

const ENTRY = { profile: 'generic', model: 'm', url: 'http://localhost:8000/v1' };
const SHARED = 'HOSTED';
const LONG = 'K'.repeat(100);

let numbers: number;
let stores: { readonly folder: KeyStore; readonly user: KeyStore };

function storeOf(owner: string): KeyStore {
  const secrets = new Map<string, string>();
  const values = new Map<string, unknown>();
  return new KeyStore({
    owner,
    secrets: {
      get: async id => secrets.get(id),
      store: async (id, value) => void secrets.set(id, value),
      delete: async id => void secrets.delete(id),
    },
    state: {
      get: <T>(id: string, missing: T): T => (values.has(id) ? (values.get(id) as T) : missing),
      update: async (id, value) => void values.set(id, value),
    },
  });
}

beforeEach(() => {
  numbers = 0;
  stores = { folder: storeOf('/home/ada/agents'), user: storeOf('') };
});

type Entries = Readonly<Record<string, unknown>>;

function keysOf(mine: Entries): AgentKeys {
  const random = () => `x${++numbers}`;
  return new AgentKeys({ ...stores, settings: () => userSettingsOf(mine, []), random });
}

type SentKeys = Readonly<Record<string, string | undefined>>;

const keysSent = async (file: Entries, mine: Entries): Promise<SentKeys> =>
  keysIn(await keysOf(mine).variablesFor(agentsOf({ agents: file }, mine)), file);

/** The key that the program sends for each agent; undefined if it has none. */
function keysIn(variables: Readonly<Record<string, string>>, file: Entries): SentKeys {
  const { agents } = parseConfig({ agents: file }, userSettings(variables));
  const keyOf = (name: string, key: NonNullable<(typeof agents)[string]['key']>) => {
    try {
      return resolveKey(name, keySourceOf(key), variables).bare();
    } catch {
      return undefined;
    }
  };
  return Object.fromEntries(
    Object.entries(agents).map(([name, { key }]) => [name, key === undefined ? undefined : keyOf(name, key)]),
  );
}

test('agents of the folder and of the user each get their own key, under one name too', async () => {
  await stores.folder.set(SHARED, 'sk-folder');
  await stores.user.set(SHARED, 'sk-user');
  const agent = { ...ENTRY, key: { secret: SHARED } };
  expect(await keysSent({ theirs: agent }, { mine: agent })).toEqual({
    theirs: 'sk-folder',
    mine: 'sk-user',
  });
});

test('an agent of the folder gets no key of the user, whatever name it writes', async () => {
  await stores.user.set(SHARED, 'sk-user');
  const mine = { ...ENTRY, key: { secret: SHARED } };
  const named = { ...ENTRY, key: { secret: SHARED } };
  const variable = { ...ENTRY, key: { env: secretVariable(SHARED) } };
  expect(await keysSent({ named, variable }, { mine })).toEqual({
    named: undefined,
    variable: undefined,
    mine: 'sk-user',
  });
  // It replaces the user's agent.
  expect(await keysSent({ mine: named }, { mine })).toEqual({ mine: undefined });
});

test('each start of a program has other names, within the limit', async () => {
  await stores.user.set(LONG, 'sk-user');
  const mine = { ...ENTRY, key: { secret: LONG } };
  const keys = keysOf({ mine });
  const agents = agentsOf({}, { mine });
  const names = [await keys.variablesFor(agents), await keys.variablesFor(agents)].map(variables =>
    Object.keys(variables).find(name => name.startsWith(secretVariable(''))),
  );
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect(name?.slice(secretVariable('').length)).toMatch(SECRET_NAME);
  expect(await keysSent({}, { mine })).toEqual({ mine: 'sk-user' });
});

test('a key that is not stored keeps its name, so that an error names it', async () => {
  const mine = { ...ENTRY, key: { secret: SHARED } };
  const keys = keysOf({ mine });
  const agents = agentsOf({}, { mine });
  expect(keys.hasAny(agents)).toBe(false);
  const { agents: read } = parseConfig({}, userSettings(await keys.variablesFor(agents)));
  expect(read['mine']?.key).toEqual({ secret: SHARED });
});

test('a daemon that starts with an unreadable dartboard.json has the keys of the folder and of the user', async () => {
  await stores.folder.set('LAB', 'sk-folder');
  await stores.user.set(SHARED, 'sk-user');
  const mine = { ...ENTRY, key: { secret: SHARED } };
  const variables = await keysOf({ mine }).variablesForDaemon(() =>
    Promise.reject(new Error("'dartboard.json' cannot be read.")),
  );
  // The corrected file names an agent.
  expect(keysIn(variables, { theirs: { ...ENTRY, key: { secret: 'LAB' } } })).toEqual({
    theirs: 'sk-folder',
    mine: 'sk-user',
  });
});

test('a daemon gives an agent of the folder no key of the user', async () => {
  await stores.user.set(SHARED, 'sk-user');
  const theirs = { ...ENTRY, key: { secret: SHARED } };
  const mine = { ...ENTRY, key: { secret: SHARED } };
  const agents = async () => agentsOf({ agents: { theirs } }, { mine });
  const variables = await keysOf({ mine }).variablesForDaemon(agents);
  expect(keysIn(variables, { theirs })).toEqual({ theirs: undefined, mine: 'sk-user' });
});
