// Compares addresses as OSWorld does: without public suffix, a lone www, or a slash as the whole path.

import { splitHost } from '../../formats/public-suffix.ts';
import { joinUrl, splitUrl } from '../../formats/python/url.ts';

/** Whether two addresses lead to the same page; false where one cannot be read. */
export function sameUrl(first: string, second: string): boolean | undefined {
  const [a, b] = [normalize(first), normalize(second)];
  return a === undefined || b === undefined ? undefined : a === b;
}

function normalize(address: string): string | undefined {
  const parts = splitUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`);
  if (parts === undefined) return undefined;
  const { subdomain, domain } = splitHost(parts.host.toLowerCase());
  const host = subdomain === '' || subdomain === 'www' ? domain : `${subdomain}.${domain}`;
  return joinUrl({ ...parts, host, path: parts.path === '/' ? '' : parts.path });
}

/** The same address, apart from the query; undefined where it cannot be read. */
export function withoutQuery(address: string): string | undefined {
  const parts = splitUrl(address);
  return parts === undefined ? undefined : joinUrl({ ...parts, query: '' });
}

/** Lists of one length in which each expected address is somewhere among the found ones. */
export const sameUrls = (expected: readonly string[], found: readonly string[]): boolean =>
  expected.length === found.length &&
  expected.every(each => found.some(other => sameUrl(each, other) === true));
