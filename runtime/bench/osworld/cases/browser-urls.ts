// Random addresses, and other ways to write them.

import type { Random } from '../../../core/rng.ts';
import { oneIn, pick } from './texts-choice.ts';
import { word } from './words.ts';

const HOSTS = (
  'www.airbnb.com airbnb.com.sg www.lonelyplanet.com github.com docs.python.org example.co.uk a.b.example.org ' +
  'user.github.io localhost 192.168.0.1 www.gov.uk openai.com www.com [::1] ünï.de xn--n-3ga0a.de shop.city.kawasaki.jp ' +
  'x.foo.ck www.ck test.unknown co.uk bbc.co.uk. foo.bar.tokyo.jp'
).split(' ');

const plain = (random: Random): string => encodeURIComponent(word(random));

export function addressOf(random: Random): string {
  const scheme = pick(random, ['https', 'https', 'https', 'http', 'ftp', 'chrome', 'HTTPS']);
  if (oneIn(random, 15))
    return pick(random, [
      'file:///home/user/Desktop/page.html',
      'about:blank',
      'chrome://settings/',
      'mailto:a@b.org',
    ]);
  const path = pick(random, [
    '',
    '/',
    `/${plain(random)}`,
    `/${plain(random)}/`,
    `/${plain(random)};v=1`,
    `//${plain(random)}`,
  ]);
  const query = pick(random, ['', '', `?q=${plain(random)}`, '?', `?a=1&b=${plain(random)}`]);
  const fragment = pick(random, ['', '', '', `#${plain(random)}`, '#']);
  const port = oneIn(random, 10) ? ':8080' : '';
  return `${scheme}://${oneIn(random, 20) ? 'me@' : ''}${pick(random, HOSTS)}${port}${path}${query}${fragment}`;
}

/** Another way to write the address, or another address. */
export const changedAddress = (random: Random, address: string): string =>
  pick<() => string>(random, [
    () => address,
    () => address,
    () => address,
    () => address.replace('://www.', '://'),
    () => address.replace('://', '://www.'),
    () => address.replace(/\.(com|org|de)\b/, pick(random, ['.co.uk', '.net', '.com.sg', '.github.io'])),
    () => address.replace(/^https:\/\//, ''),
    () => address.replace(/^https:/, 'http:'),
    () => address.replace(/\/$/, ''),
    () => `${address}/`,
    () => address.toUpperCase(),
    () => address.replace(/^[a-z]+:\/\/[^/]+/i, host => host.toUpperCase()),
    () => ` ${address}\n`,
    () => address.replace(/\?.*/, ''),
    () => `${address}?utm=1`,
    () => address.replace(/:\/\/([^/:?#]+)/, '://$1:443'),
    () => address.replace(/:\/\/([^/:?#]+)/, '://[$1'),
  ])();
