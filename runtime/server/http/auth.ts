// Decides which requests may enter: pages that this server served to a browser on this machine, and local programs that know the
// token. Pure.

import type { HttpRefusal } from '../../core/http-refusal.ts';

const REMEDY = 'Open the address that Dartboard printed when it started.';

// The port may differ: an editor that works on another machine may forward it under another number.
const LOCAL_HOST = /^(127(\.\d{1,3}){3}|localhost|\[::1\])(:\d{1,5})?$/i;

/** Prevents DNS rebinding: a foreign name that resolves to this machine still arrives in the Host header. */
export function checkHost(host: string | undefined): HttpRefusal | undefined {
  if (host !== undefined && LOCAL_HOST.test(host)) return undefined;
  const name = host === undefined ? "without the header 'Host'" : `for the host ${JSON.stringify(host)}`;
  return { status: 421, message: `Requests ${name} are refused. ${REMEDY}` };
}

/**
 * Browsers always send the origin of the page that connects; pages of other servers are refused. Requests without an origin come from
 * local programs, which the token alone authenticates.
 */
export function checkOrigin(origin: string | undefined, host: string | undefined): HttpRefusal | undefined {
  if (origin === undefined || origin === `http://${host}`) return undefined;
  return { status: 403, message: `Connections of the page ${JSON.stringify(origin)} are refused. ${REMEDY}` };
}
