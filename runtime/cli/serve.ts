// What `dartboard serve` does: the daemon alone, for pages and editors. It goes when nobody needs it any more.

import { join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import { DAEMON_FILE } from '../protocol/daemon/daemon-file.ts';
import { openDaemon } from '../server/daemon.ts';
import type { Open } from './foreground.ts';

export interface Serve {
  readonly open: Open;
  /** The workspace. */
  readonly folder: string;
  readonly pages: URL;
  readonly port: number;
  readonly keepTraining: boolean;
  /** Everything is only to be looked at. */
  readonly readOnly?: boolean;
  readonly clock: Clock;
  readonly say: (text: string) => void;
  /** Aborted when the program is to stop. */
  readonly stop: AbortSignal;
}

export async function serve({ open, folder, say, stop, ...options }: Serve): Promise<void> {
  const daemon = await openDaemon({
    ...options,
    say,
    open: () => open(say),
    file: join(folder, DAEMON_FILE),
  });
  const { server } = daemon;
  say(`
  Dartboard serves the runs of ${folder}

  Open ${server.address} in a browser.
  ${server.life.says}
  Ctrl-C stops.
`);
  const forget = new AbortController();
  const stopped = new Promise<'stopped'>(resolve => {
    if (stop.aborted) resolve('stopped');
    else stop.addEventListener('abort', () => resolve('stopped'), { once: true, signal: forget.signal });
  });
  const why = await Promise.race([stopped, server.over]);
  forget.abort();
  say(
    why === 'stopped'
      ? '  Stopping: what trains ends with a checkpoint.'
      : '  Nobody needs it any more: it goes.',
  );
  await daemon.close();
}
