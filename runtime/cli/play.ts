// What `dartboard play` does: the pocket desktop to use by hand, in a browser, as an agent would.

import { randomBytes } from 'node:crypto';
import { seeded } from '../core/rng.ts';
import { systemClock } from '../core/system-clock.ts';
import { templatesFrom } from '../environments/pocket/tasks/from-folder.ts';
import { POCKET, suiteOf } from '../environments/pocket/tasks/suite.ts';
import { startPlay } from '../server/play/server.ts';

interface Play {
  /** Where the page's files are. */
  readonly pages: URL;
  readonly port: number;
  /** A folder of task files that are added to the suite; undefined where there is none. */
  readonly tasks: string | undefined;
  readonly say: (text: string) => void;
  /** Aborted when the program is to stop. */
  readonly stop: AbortSignal;
}

export async function play({ pages, port, tasks, say, stop }: Play): Promise<void> {
  const added = tasks === undefined ? [] : await templatesFrom(tasks);
  const suite = suiteOf([...POCKET.templates, ...added]);
  if (tasks !== undefined) say(`\n  ${added.length} ${added.length === 1 ? 'task' : 'tasks'} from ${tasks}`);
  const token = randomBytes(24).toString('base64url');
  const random = seeded(randomBytes(16).toString('hex'));
  const server = await startPlay({ pages, port, token, suite, clock: systemClock, random });
  say(`
  Dartboard: a small desktop to use by hand, with tasks and a judge.

  Open ${server.address} in a browser.
  Ctrl-C stops.
`);
  if (!stop.aborted)
    await new Promise<void>(resolve => stop.addEventListener('abort', () => resolve(), { once: true }));
  await server.close();
}
