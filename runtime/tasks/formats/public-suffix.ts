// Splits host names at the public suffix, such as `co.uk`. Only this file imports the list of suffixes.

import { onFirstUse } from './on-first-use.ts';

const library = onFirstUse<typeof import('tldts')>('tldts');

export interface HostParts {
  /** Everything before the domain. */
  readonly subdomain: string;
  /** The label before the suffix, without it. */
  readonly domain: string;
}

/** The host of a network location in lower case: without user, port and suffix. An address and an unknown suffix are kept. */
export function splitHost(location: string): HostParts {
  const host = hostOf(location).replace(/[\u3002\uff0e\uff61]/g, '.');
  if (host.startsWith('[')) return { subdomain: '', domain: host };
  const labels = host.split('.');
  if (isAddress(labels)) return { subdomain: '', domain: host };
  const suffix = suffixOf(labels);
  const index = labels.length - suffix;
  return { subdomain: labels.slice(0, Math.max(0, index - 1)).join('.'), domain: labels[index - 1] ?? '' };
}

function hostOf(location: string): string {
  const authority = location.split(/[/?#]/, 1)[0] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host.startsWith('[')) return /^\[[^\]]*\]/.exec(host)?.[0] ?? host;
  return (host.split(':', 1)[0] ?? '').trim().replace(/[.\u3002\uff0e\uff61]+$/, '');
}

const isAddress = (labels: readonly string[]): boolean =>
  labels.length === 4 && labels.every(label => /^(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])$/.test(label));

/** The number of labels in the suffix. */
function suffixOf(labels: readonly string[]): number {
  // The list has no empty labels, so a host such as `.example.com` is searched without its empty start.
  const start = labels.lastIndexOf('') + 1;
  const known = labels.slice(start).join('.');
  const { publicSuffix, isIcann } = library().parse(known, {
    extractHostname: false,
    validateHostname: false,
    detectIp: false,
    allowPrivateDomains: false,
  });
  return isIcann === true && publicSuffix !== null ? publicSuffix.split('.').length : 0;
}
