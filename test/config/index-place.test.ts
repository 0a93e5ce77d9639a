// The place of the index: a database needs an address, and the address must not contain a password.

import { expect, test } from 'vitest';
import { parseConfig } from '../../runtime/config/config.ts';

const URL = 'postgresql://dartboard@db:5432/dartboard?sslmode=verify-full';

test('the index is in the folder by default, and in a database if one is named', () => {
  expect(parseConfig({}).index).toEqual({ kind: 'embedded' });
  expect(parseConfig({ index: { kind: 'postgres', url: URL } }).index).toEqual({
    kind: 'postgres',
    url: URL,
  });
});

test.each([
  ['postgresql://dartboard:hunter2@db/dartboard'],
  ['postgres://db/dartboard?user=dartboard&password=hunter2'],
])('an address with a password is rejected, and the error does not repeat it: %s', url => {
  expect(() => parseConfig({ index: { kind: 'postgres', url } })).toThrow(/PGPASSWORD/);
  expect(() => parseConfig({ index: { kind: 'postgres', url } })).not.toThrow(/hunter2/);
});

test.each([
  ['no address', { kind: 'postgres' }, /'index\.url'/],
  ['an address without effect', { url: URL }, /'index\.url' has no effect/],
  ['an address of another protocol', { kind: 'postgres', url: 'mysql://db/dartboard' }, /invalid/],
  ['a text that is no address', { kind: 'postgres', url: 'db' }, /invalid/],
])('%s is an error', (_, index, message) => {
  expect(() => parseConfig({ index })).toThrow(message);
});
