// The entry of a joined host in the benchmark of hosts: what `dartboard join` runs, but with slow desktops. It leaves on SIGTERM, and when
// the benchmark is gone.

import { messageOf } from '../../core/errors.ts';
import { systemClock } from '../../core/system-clock.ts';
import { playJoined } from '../../run/joined/joined-host.ts';
import { followMovedClock } from '../machine/moved-clock.ts';
import { entry } from '../training.ts';
import { settingsHere } from './host-settings.ts';

const { clock: movedClock } = settingsHere(process.env);
if (movedClock !== undefined) followMovedClock(movedClock);
const [address = '', name = '', desktops = ''] = process.argv.slice(2);
const leave = new AbortController();
process.once('SIGTERM', () => leave.abort());
process.stdin.resume().once('end', () => leave.abort());
try {
  await playJoined({
    ...{ address, name, offers: { desktops: Number(desktops), policy: 1 } },
    configOf: async run => run,
    entries: { host: entry('bench-host'), worker: entry('worker') },
    clock: systemClock,
    say: text => void process.stdout.write(`${text}\n`),
    leave: leave.signal,
  });
  process.exit();
} catch (error) {
  process.stdout.write(`${messageOf(error)}\n`);
  process.exit(1);
}
