import { describe, expect, test } from 'vitest';
import {
  isAllowedHost,
  portOf,
  splitHost,
} from '../../../../runtime/environments/web/browser/allowed-hosts.ts';

describe('the hosts that pages may reach', () => {
  test.each([
    [[], 'example.org', '443', false],
    [['example.org'], 'example.org', '443', true],
    [['example.org'], 'EXAMPLE.org.', '8080', true],
    [['example.org'], 'www.example.org', '443', false],
    [['example.org'], 'notexample.org', '443', false],
    [['*.example.org'], 'www.example.org', '443', true],
    [['*.example.org'], 'a.b.example.org', '443', true],
    [['*.example.org'], 'example.org', '443', false],
    [['*.example.org'], 'badexample.org', '443', false],
    [['localhost:8080'], 'localhost', '8080', true],
    [['localhost:8080'], 'localhost', '80', false],
    [['localhost'], '127.0.0.1', '80', false],
    [['[::1]:80'], '[::1]', '80', true],
    [['[::1]'], '[::1]', '9', true],
  ])('%j allows %s:%s: %s', (entries, host, port, isAllowed) => {
    expect(isAllowedHost(entries, host, port)).toBe(isAllowed);
  });

  test('an address without a port has that of its protocol', () => {
    expect(['http://a/', 'https://a/', 'ws://a/', 'http://a:81/'].map(url => portOf(new URL(url)))).toEqual([
      ...['80', '443', '80', '81'],
    ]);
  });

  test('splits a host from its port, also for IPv6', () => {
    expect(splitHost('Example.org:443')).toEqual({ host: 'example.org', port: '443' });
    expect(splitHost('[2001:db8::1]:443')).toEqual({ host: '[2001:db8::1]', port: '443' });
    expect(splitHost('[2001:db8::1]')).toEqual({ host: '[2001:db8::1]', port: undefined });
  });
});
