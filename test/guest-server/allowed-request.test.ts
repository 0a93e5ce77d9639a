// The access rules of the guest API: programs that name its address may enter, pages in a browser may not.

import { expect, test } from 'vitest';
import { refusalOf } from '../../runtime/guest-server/allowed-request.ts';

test.each([
  ['127.0.0.1:5000', '127.0.0.1'],
  ['localhost:5000', '127.0.0.1'],
  ['192.168.7.2:5000', '0.0.0.0'],
  ['[::1]:5000', '::1'],
  ['[::1]', '::1'],
  ['Workshop:5000', 'workshop'],
])('a request for %s is accepted on %s', (host, bound) => {
  expect(refusalOf({ host }, bound)).toBeUndefined();
});

test.each([
  ['evil.example:5000', '127.0.0.1'],
  ['evil.example', '0.0.0.0'],
  ['127.0.0.1.evil.example', '127.0.0.1'],
  ['', '127.0.0.1'],
  [undefined, '127.0.0.1'],
])('a request for %s is refused on %s', (host, bound) => {
  expect(refusalOf({ host }, bound)).toMatch(/refused\. Use the IP address/);
});

test('a request of a page is refused, whatever its address', () => {
  for (const origin of ['http://evil.example', 'http://127.0.0.1:5000', 'null'])
    expect(refusalOf({ host: '127.0.0.1:5000', origin }, '127.0.0.1')).toContain(JSON.stringify(origin));
});
