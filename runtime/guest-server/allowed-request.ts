// Which requests the guest API accepts: those of programs, not those of pages in a browser. Pure.

import { isIP } from 'node:net';

/**
 * Clients name the server by its address. A page in a browser could reach it under a name of its own that resolves to this machine
 * (DNS rebinding); such a name arrives in the Host header. `bound` is the address that the user chose, which may be a name.
 */
export function refusalOf(
  { host, origin }: { readonly host?: string | undefined; readonly origin?: string | undefined },
  bound: string,
): string | undefined {
  if (origin !== undefined)
    return `Requests of the page ${JSON.stringify(origin)} are refused. Use a program instead of a browser.`;
  const name = host === undefined ? '' : nameIn(host);
  if (isIP(name) !== 0 || name === 'localhost' || name === bound.toLowerCase()) return undefined;
  return `Requests for the host ${JSON.stringify(host ?? '')} are refused. Use the IP address that the server printed.`;
}

/** Without the port, and without the brackets of IPv6. */
const nameIn = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/^\[(.*)\]$/, '$1');
