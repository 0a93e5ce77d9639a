// Downloads files of tasks from the network.

import type { Clock } from '../../core/clock.ts';
import { withDeadline } from '../../core/deadline.ts';
import { messageOf } from '../../core/errors.ts';
import { downloadError, type Network } from './downloads.ts';

const TIMEOUT_MS = 300_000;
const ATTEMPTS = 3;
const PAUSE_MS = 2000;

/** Tries three times. A web page instead of a file is an error: some hosts answer with a question or an advertisement. */
export const networkOf =
  (clock: Clock): Network =>
  async url => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await withDeadline(download(url), { what: url, ms: TIMEOUT_MS, clock });
      } catch (error) {
        if (attempt === ATTEMPTS) throw downloadError(url, reasonOf(error));
      }
      await clock.sleep(PAUSE_MS * attempt);
    }
  };

async function download(url: string): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
  if (isPage && !/\.html?$/.test(new URL(url).pathname))
    throw new Error(
      'the server answered with a web page. Download the file by hand and put it into the mirror',
    );
  return new Uint8Array(await response.arrayBuffer());
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined
    ? `${messageOf(error)} (${messageOf(error.cause)})`
    : messageOf(error);
