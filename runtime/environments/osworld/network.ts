// Downloads files of tasks from the network.

import type { Clock } from '../../core/clock.ts';
import { withDeadline } from '../../core/deadline.ts';
import { causeOf, messageOf } from '../../core/errors.ts';
import { boundedBody, OversizedReply } from '../bounded-body.ts';
import { downloadError, type Network } from './downloads.ts';

const TIMEOUT_MS = 300_000;
const ATTEMPTS = 3;
const PAUSE_MS = 2000;
/** A server may send without end. */
const MAX_BYTES = 2 ** 30;

/** Tries three times. A web page instead of a file is an error: some hosts answer with a question or an advertisement. */
export const networkOf =
  (clock: Clock): Network =>
  async url => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await withDeadline(over => download(url, over), { what: url, ms: TIMEOUT_MS, clock });
      } catch (error) {
        if (attempt === ATTEMPTS || error instanceof OversizedReply)
          throw downloadError(url, messageOf(causeOf(error)));
      }
      await clock.sleep(PAUSE_MS * attempt);
    }
  };

async function download(url: string, signal: AbortSignal): Promise<Uint8Array> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
  if (isPage && !/\.html?$/.test(new URL(url).pathname))
    throw new Error(
      'the server answered with a web page. Download the file by hand and put it into the mirror',
    );
  return boundedBody(response, MAX_BYTES);
}
