import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinAddressText, parseJoinAddress, parseListen } from '../../runtime/hosts/join-address.ts';

const token = fc.stringMatching(/^[A-Za-z0-9_-]{16,40}$/);
const authority = fc.stringMatching(/^[0-9a-f]{64}$/);
const url = fc
  .tuple(fc.constantFrom('http', 'https'), fc.domain(), fc.integer({ min: 1, max: 65_535 }))
  .map(([scheme, host, port]) => `${scheme}://${host}:${port}`);

test('an address is read as it was written', () => {
  fc.assert(
    fc.property(url, token, fc.option(authority, { nil: undefined }), (url, token, authority) => {
      const address = { url, token, ...(authority !== undefined && { authority }) };
      expect(parseJoinAddress(joinAddressText(address))).toEqual(address);
    }),
  );
});

const TOKEN = 'abcdefghijklmnopqrstuvwx';

test.each([
  'http://127.0.0.1:7422/',
  `http://127.0.0.1:7422/runs#${TOKEN}`,
  `http://127.0.0.1:7422/?next=x#${TOKEN}`,
  `file:///etc#${TOKEN}`,
  `http://#${TOKEN}`,
  'http://127.0.0.1:7422/#short',
  `http://127.0.0.1:7422/#${TOKEN}.abc`,
  `http://127.0.0.1:99999/#${TOKEN}`,
  `http://127.0.0.1:7422/#${TOKEN}\nhttp://other`,
])('%j is refused, without its token in the error', text => {
  expect(() => parseJoinAddress(text)).toThrow(RangeError);
  expect(() => parseJoinAddress(text)).toThrow(/^(?!.*abcdefghijkl)/s);
});

test('the error names the text and the form of a join address', () => {
  expect(() => parseJoinAddress('http://127.0.0.1:7422/#short')).toThrow(
    /^'http:\/\/127\.0\.0\.1:7422\/' is not a join address\. A join address has the form URL#TOKEN\. Copy /,
  );
});

test('an address to listen at has a host and a port', () => {
  expect(parseListen('127.0.0.1:0', 'x')).toEqual({ host: '127.0.0.1', port: 0 });
  expect(parseListen('[::1]:7422', 'x')).toEqual({ host: '::1', port: 7422 });
  expect(parseListen('tower.lan:80', 'x')).toEqual({ host: 'tower.lan', port: 80 });
  for (const text of [
    '',
    '7422',
    'tower',
    'tower:',
    ':7422',
    'tower:65536',
    '::1:7422',
    'http://tower:1',
    'a b:1',
  ])
    expect(() => parseListen(text, 'fabric.listen'), text).toThrow(/fabric\.listen/);
});
