// What `dartboard start` does until there is training to watch: the pocket desktop to use by hand, in a browser.

import { randomBytes } from 'node:crypto';
import { seeded } from './contracts/world.ts';
import { systemClock } from './daemon/clock.ts';
import { startPlay } from './daemon/play/server.ts';

interface Start {
  /** Where the page's files are. */
  readonly pages: URL;
  readonly port: number;
  readonly say: (text: string) => void;
  /** Aborted when the program is to stop. */
  readonly stop: AbortSignal;
}

export async function start({ pages, port, say, stop }: Start): Promise<void> {
  const token = randomBytes(24).toString('base64url');
  const random = seeded(randomBytes(16).toString('hex'));
  const server = await startPlay({ pages, port, token, clock: systemClock, random });
  say(`
  Dartboard: a small desktop to use by hand, with tasks and a judge.

  Open ${server.address} in a browser.
  Ctrl-C stops.
`);
  if (!stop.aborted)
    await new Promise<void>(resolve => stop.addEventListener('abort', () => resolve(), { once: true }));
  await server.close();
}
