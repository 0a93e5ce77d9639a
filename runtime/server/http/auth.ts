// Who is let in: a page that this server gave out itself, in a browser on this machine, or a program beside it, which knows the
// token. Pure.

import { createHash, timingSafeEqual } from 'node:crypto';

/** An answer of HTTP that is not what was asked for. */
export interface Refused {
  readonly status: number;
  readonly message: string;
}

const REMEDY = 'open the address that Dartboard printed when it started';

// The port is not looked at: an editor that works on another machine forwards it, at times under another number.
const HERE = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;

/** A page elsewhere whose name was pointed at this machine carries its own name as Host. */
export function checkHost(host: string | undefined): Refused | undefined {
  if (host !== undefined && HERE.test(host)) return undefined;
  const asked = host === undefined ? 'no host' : `the host ${JSON.stringify(host)}`;
  return { status: 421, message: `This server is not for ${asked}: ${REMEDY}.` };
}

/** Browsers say truly on behalf of which page they connect; pages of other servers are refused. */
export function checkOrigin(origin: string | undefined, host: string | undefined): Refused | undefined {
  if (origin !== undefined && origin === `http://${host}`) return undefined;
  const who = origin === undefined ? 'a program that names no page' : `a page of ${JSON.stringify(origin)}`;
  return { status: 403, message: `Connections of ${who} are refused: ${REMEDY}.` };
}

/** No browser leaves its Origin out, so who does is a program of this machine: the token alone decides about it. */
export const checkOriginIfAny = (
  origin: string | undefined,
  host: string | undefined,
): Refused | undefined => (origin === undefined ? undefined : checkOrigin(origin, host));

/** Takes as long for a wrong token as for one that is nearly right. */
export function isToken(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
