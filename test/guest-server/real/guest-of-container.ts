// Our guests on served containers: the tasks of Docker desktops as OSWorld's, and the desktops that play them.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Desktop } from '../../../runtime/core/desktop.ts';
import { desktopId } from '../../../runtime/core/ids.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { SetupStep, Task } from '../../../runtime/core/task.ts';
import { openGuest } from '../../../runtime/environments/guest/open-guest.ts';
import type { DesktopProvider } from '../../../runtime/environments/provider.ts';
import { temporaryFolder } from '../../temporary.ts';

/** As `curl -X POST "$DARTBOARD_GUEST/dartboard/revert"`, with a program that every machine with these tests has. */
export const REVERT = `${JSON.stringify(process.execPath)} -e 'fetch(process.env.DARTBOARD_GUEST + "/dartboard/revert", { method: "POST" }).then(({ ok }) => process.exit(ok ? 0 : 1))'`;

const COUNT = 'wmctrl -l | wc -l';
const shell = (command: string): SetupStep => ({ type: 'execute', parameters: { command, shell: true } });

/** OSWorld does not wait for the window of a program, so its tasks wait themselves. */
export const forGuest = (task: Task): Task => ({
  ...task,
  config: (task.config ?? []).flatMap(step =>
    step.type !== 'launch'
      ? [step]
      : [
          shell(`${COUNT} >/dev/shm/windows`),
          step,
          shell(
            `for i in $(seq 1200); do [ $(${COUNT}) -gt $(cat /dev/shm/windows) ] && exit; sleep 0.05; done; exit 1`,
          ),
        ],
  ),
});

export interface Guests {
  readonly provider: DesktopProvider;
  /** The reports of the guests. */
  readonly reports: readonly string[];
  open(): Promise<Desktop>;
}

export async function guestsAt(addresses: readonly string[], tasks: readonly Task[]): Promise<Guests> {
  const files = temporaryFolder('guest-tasks');
  mkdirSync(join(files, 'docker'));
  for (const task of tasks)
    writeFileSync(join(files, 'docker', `${task.id}.json`), JSON.stringify(forGuest(task)));
  const reports: string[] = [];
  const provider = await openGuest({
    hosts: addresses.map(address => ({ address, browserPort: 9, vlcPort: 9 })),
    ...{ revert: REVERT, password: '', network: false, mostScreenshots: 100_000, mostAgeMinutes: 600 },
    judgeDelaySeconds: 0,
    ...{ files, downloads: join(files, 'kept'), hasElements: true, clock: systemClock },
    health: (thing, healthy, message) => reports.push(`${thing} ${healthy ? 'up' : 'down'}: ${message}`),
  });
  let opened = 0;
  return {
    provider,
    reports,
    open: () => {
      opened += 1;
      return provider.make(desktopId(`guest-${opened}`));
    },
  };
}
