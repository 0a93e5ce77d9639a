// The certificates that a server for hosts sends.

import { expect, test } from 'vitest';
import { withAuthority } from '../../runtime/hosts/authority.ts';

const [SERVER, ROOT] = ['SERVER', 'ROOT'].map(
  name => `-----BEGIN CERTIFICATE-----\n${name}\n-----END CERTIFICATE-----\n`,
) as [string, string];

test('the authority is sent too, once, so that a host recognises it by the address', () => {
  expect(withAuthority(SERVER, ROOT)).toBe(`${SERVER}${ROOT}`);
  expect(withAuthority(`${SERVER}${ROOT}`, ROOT)).toBe(`${SERVER}${ROOT}`);
  expect(withAuthority(SERVER.trimEnd(), ROOT)).toBe(`${SERVER}${ROOT}`);
  expect(withAuthority(SERVER, undefined)).toBe(SERVER);
});
