// Reads error replies of servers: the reported message, quoted in one line, and the delay before the next request.

import { safeParse } from '../core/safe-parse.ts';
import { parseWireJson, wireError } from './wire-reply.ts';

/** The message in the body of an error, or the start of the body. `redact` removes the key, of which a cut would leave a part. */
export function reportedIn(body: string, redact: (text: string) => string): string {
  try {
    const parsed = safeParse(wireError, parseWireJson(body));
    if (parsed.success) return startOf(redact(parsed.data)).replace(/\.$/, '');
  } catch {
    // Proxies answer with HTML.
  }
  return startOf(redact(body));
}

const MAX_QUOTED = 300;

export const startOf = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return 'no text';
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line;
};

/** The header `Retry-After`: seconds, or a date. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = Number(header);
  const delay = Number.isFinite(seconds) ? 1000 * seconds : Date.parse(header) - now;
  return Number.isFinite(delay) ? Math.max(0, delay) : undefined;
}
