// Decides which requests may enter: local programs, or programs that know the token. Pages of browsers may not. Pure.

import type { HttpRefusal } from '../core/http-refusal.ts';
import { isLoopback } from '../core/loopback.ts';
import { bearerToken, isToken } from '../core/token.ts';
import { checkHost, checkOrigin } from '../server/http/auth.ts';

export interface GateRules {
  /** The server listens on this machine only. */
  readonly isLoopback: boolean;
  /** Without it, every program that reaches the address may enter. */
  readonly token: string | undefined;
}

/** Throws a RangeError if other machines could enter without a token. */
export function gateRules(host: string, token: string | undefined): GateRules {
  const rules = { isLoopback: isLoopback(host), token };
  if (rules.isLoopback || token !== undefined) return rules;
  throw new RangeError(
    `--host ${host} opens the desktops to other machines. Add --token TEXT, or leave out --host.`,
  );
}

export interface GateRequest {
  readonly url: string | undefined;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
}

/** The path inside the server, or why the request is refused. */
export type GateDecision =
  | { readonly path: string; readonly refusal?: undefined }
  | { readonly refusal: HttpRefusal };

const PREFIX = /^\/t\/([^/]+)(\/.*)?$/;

/** The token is a header, or the first part of the path: older clients of OpenEnv send no headers. */
export function enter(
  { url = '/', host, origin, authorization }: GateRequest,
  rules: GateRules,
): GateDecision {
  const [path = '/'] = url.split('?', 1);
  // A page that reaches this machine under a foreign name does not know the token.
  const isNamed = rules.token !== undefined || !rules.isLoopback;
  const refusal = (isNamed ? undefined : checkHost(host)) ?? checkOrigin(origin, host);
  if (refusal !== undefined) return { refusal };
  const { token } = rules;
  if (token === undefined) return { path };
  const [, prefix, inner = '/'] = PREFIX.exec(path) ?? [];
  if (prefix !== undefined && isToken(decoded(prefix), token)) return { path: inner };
  const bearer = bearerToken(authorization);
  if (bearer !== undefined && isToken(bearer, token)) return { path };
  return { refusal: UNAUTHORIZED };
}

export const UNAUTHORIZED: HttpRefusal = {
  status: 401,
  message:
    'The token is missing or wrong. Send the header "Authorization: Bearer TOKEN", or connect to the address with /t/TOKEN at its end.',
};

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
