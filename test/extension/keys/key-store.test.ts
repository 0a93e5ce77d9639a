import { expect, test } from 'vitest';
import { KeyStore } from '../../../extension/keys/key-store.ts';
import { secretVariable } from '../../../runtime/endpoints/keys.ts';

/** The secret storage of VS Code, which all folders share. */
const secrets = new Map<string, string>();
const storage = {
  get: async (id: string) => secrets.get(id),
  store: async (id: string, value: string) => void secrets.set(id, value),
  delete: async (id: string) => void secrets.delete(id),
};

function storeOf(owner: string) {
  const values = new Map<string, unknown>();
  const state = {
    get: <T>(id: string, missing: T): T => (values.has(id) ? (values.get(id) as T) : missing),
    update: async (id: string, value: unknown) => void values.set(id, value),
  };
  return { keys: new KeyStore({ secrets: storage, state, owner }), values };
}

test('keeps keys in the secret storage, and their names alone in the state of the workspace', async () => {
  const { keys, values } = storeOf('/home/ada/agents');
  await keys.set('B', 'sk-b');
  await keys.set('A', 'sk-a');
  await keys.set('A', 'sk-a2');
  expect(keys.names).toEqual(['A', 'B']);
  expect(await keys.get('A')).toBe('sk-a2');
  expect(JSON.stringify([...values])).not.toContain('sk-');
  await keys.forget('B');
  expect(keys.names).toEqual(['A']);
  expect(await keys.get('B')).toBeUndefined();
  expect([...secrets.values()]).toEqual(['sk-a2']);
});

test('another folder gets none of its keys', async () => {
  const { keys } = storeOf('/home/ada/agents');
  await keys.set('A', 'sk-a');
  expect(await storeOf('/home/ada/downloads').keys.environment(['A'])).toEqual({});
});

test('neither a folder nor the user gets keys of the other', async () => {
  await storeOf('').keys.set('A', 'sk-user');
  expect(await storeOf('/home/ada/other').keys.get('A')).toBeUndefined();
  await storeOf('/home/ada/other').keys.set('A', 'sk-folder');
  expect(await storeOf('').keys.get('A')).toBe('sk-user');
});

test('gives programs the variables that they read, and only those of wanted keys', async () => {
  const { keys } = storeOf('/home/ada/agents');
  await keys.set('A', 'sk-a');
  await keys.set('B', 'sk-b');
  expect(await keys.environment(['A', 'MISSING'])).toEqual({ [secretVariable('A')]: 'sk-a' });
});
