// The access rules of the OpenEnv server.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLoopback } from '../../runtime/core/loopback.ts';
import { enter, type GateRequest, gateRules } from '../../runtime/openenv/gate.ts';

const TOKEN = 'a-token-for-tests';
const LOCAL: GateRequest = {
  ...{ url: '/ws', host: '127.0.0.1:8000', origin: undefined, authorization: undefined },
};
const OPEN = { isLoopback: true, token: undefined };
const LOCKED = { isLoopback: false, token: TOKEN };

test('a local program enters a server without a token', () => {
  expect(enter(LOCAL, OPEN)).toEqual({ path: '/ws' });
  expect(enter({ ...LOCAL, url: '/schema?x=1' }, OPEN)).toEqual({ path: '/schema' });
});

test.each([
  ['a foreign host, which DNS rebinding would send', { host: 'evil.example:8000' }, 421],
  ['no host', { host: undefined }, 421],
  ['a page of another server', { origin: 'http://evil.example' }, 403],
  ['a page of another port', { origin: 'http://127.0.0.1:9000' }, 403],
  ['a sandboxed page', { origin: 'null' }, 403],
])('%s is refused', (_, change, status) => {
  expect(enter({ ...LOCAL, ...change }, OPEN)).toMatchObject({ refusal: { status } });
});

test.each([
  ['in the header', { authorization: `Bearer ${TOKEN}` }, '/ws'],
  ['in the path', { url: `/t/${TOKEN}/ws` }, '/ws'],
  ['in the path, with nothing after it', { url: `/t/${TOKEN}` }, '/'],
])('the token is accepted %s, from any host', (_, change, path) => {
  expect(enter({ ...LOCAL, host: 'desktops.example', ...change }, LOCKED)).toEqual({ path });
});

test('a server of this machine with a token can be behind a proxy that keeps the name', () => {
  const request = { ...LOCAL, host: 'desktops.example', authorization: `Bearer ${TOKEN}` };
  expect(enter(request, { isLoopback: true, token: TOKEN })).toEqual({ path: '/ws' });
});

test.each(['127.0.0.1:8000', '127.0.0.2:8000', 'localhost:1', '[::1]:8000'])('%s is this machine', host => {
  expect(enter({ ...LOCAL, host }, OPEN)).toEqual({ path: '/ws' });
});

test('no other text is accepted as the token', () => {
  fc.assert(
    fc.property(fc.string(), text => {
      fc.pre(text !== TOKEN);
      for (const change of [
        { authorization: `Bearer ${text}` },
        { url: `/t/${text}/ws` },
        { authorization: text },
      ])
        expect(enter({ ...LOCAL, ...change }, LOCKED)).toMatchObject({ refusal: { status: 401 } });
    }),
  );
  expect(enter(LOCAL, LOCKED)).toMatchObject({ refusal: { status: 401 } });
});

test('a page with the right token is refused all the same', () => {
  const request = { ...LOCAL, origin: 'http://evil.example', authorization: `Bearer ${TOKEN}` };
  expect(enter(request, LOCKED)).toMatchObject({ refusal: { status: 403 } });
});

test('addresses of this machine are recognised', () => {
  expect(['127.0.0.1', '127.1.2.3', '::1', 'localhost'].every(isLoopback)).toBe(true);
  expect(['0.0.0.0', '::', '192.168.1.2', '127.0.0.1.example.com'].some(isLoopback)).toBe(false);
});

test('an address that other machines reach needs a token', () => {
  expect(() => gateRules('0.0.0.0', undefined)).toThrow('Add --token TEXT');
  expect(gateRules('0.0.0.0', TOKEN)).toEqual(LOCKED);
  expect(gateRules('127.0.0.1', undefined)).toEqual(OPEN);
});
