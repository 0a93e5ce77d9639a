// A key is resolved from the environment, and nothing prints it.

import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { ApiKey, resolveKey, secretVariable } from '../../runtime/endpoints/keys.ts';

const KEY = 'sk-"live"+0123456789';

test('a key comes from a variable, or from the variable in which the extension passes a secret', () => {
  expect(resolveKey('a', { env: 'MODEL_KEY' }, { MODEL_KEY: ` ${KEY}\n` }).authorization()).toBe(
    `Bearer ${KEY}`,
  );
  expect(resolveKey('a', { env: 'MODEL_KEY' }, { MODEL_KEY: KEY }).bare()).toBe(KEY);
  expect(resolveKey('a', { secret: 'hosted' }, { [secretVariable('hosted')]: KEY }).authorization()).toBe(
    `Bearer ${KEY}`,
  );
});

test('a missing or impossible key is an error that names the variable, never the value', () => {
  expect(() => resolveKey('a', { env: 'MODEL_KEY' }, { MODEL_KEY: ' ' })).toThrow(
    "The key of agent 'a' is missing: the environment variable MODEL_KEY is not set.",
  );
  expect(() => resolveKey('a', { secret: 'hosted' }, {})).toThrow('DARTBOARD_SECRET_hosted');
  const broken = () => resolveKey('a', { env: 'MODEL_KEY' }, { MODEL_KEY: `${KEY}\nX-Header: 1` });
  expect(broken).toThrow('MODEL_KEY contains a space');
  expect(broken).not.toThrow('0123456789');
});

test('nothing prints a key', () => {
  const key = new ApiKey(KEY);
  for (const text of [String(key), `${key}`, JSON.stringify({ key }), inspect({ key }, { depth: 9 })])
    expect(text).not.toContain('0123456789');
  for (const form of [KEY, encodeURIComponent(KEY), JSON.stringify(KEY)])
    expect(key.redact(`before ${form} after`)).not.toContain('0123456789');
});
