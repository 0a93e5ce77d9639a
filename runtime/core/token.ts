// Secrets that programs show to a server.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 192 random bits, in characters that an address may contain. */
export const newToken = (): string => randomBytes(24).toString('base64url');

/** Takes the same time for every wrong token. */
export function isToken(candidate: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(candidate), digest(token));
}

/** The token in the header `Authorization: Bearer TOKEN`. */
export const bearerToken = (authorization = ''): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization)?.[1];
