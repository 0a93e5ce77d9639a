// Desktops that a test makes fail.

import type { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { ServedDesktop } from '../../runtime/guest-server/served-desktop.ts';
import type { TakenDesktop } from '../../runtime/guest-server/served-machine.ts';
import { FakeMachine } from './fake-machine.ts';

export class FakeDesktop implements TakenDesktop {
  readonly died: Promise<string>;
  readonly machines: FakeMachine[] = [];
  resets = 0;
  isRemoved = false;
  failsToOpen = false;
  failsToReset = false;
  die: (why: string) => void = () => undefined;

  constructor(
    readonly home: string,
    readonly clock: VirtualClock,
  ) {
    this.died = new Promise(resolve => {
      this.die = resolve;
    });
  }

  async open(): Promise<FakeMachine> {
    if (this.failsToOpen) throw new Error('No window manager started. Reset the desktop.');
    const machine = new FakeMachine(this.home, this.clock);
    this.machines.push(machine);
    return machine;
  }

  async reset(): Promise<void> {
    if (this.failsToReset) throw new Error('it could not undo everything');
    this.resets += 1;
  }

  async remove(): Promise<void> {
    this.isRemoved = true;
    this.die('it was removed');
  }
}

/** A served desktop, the desktops that it took, and its reports. */
export function servedDesktop(
  clock: VirtualClock,
  home = '/',
  prepare = (_: FakeDesktop): void => undefined,
) {
  const taken: FakeDesktop[] = [];
  const reports: string[] = [];
  const served = new ServedDesktop({
    take: async () => {
      const desktop = new FakeDesktop(home, clock);
      taken.push(desktop);
      prepare(desktop);
      return desktop;
    },
    clock,
    report: (isHealthy, message) => reports.push(`${isHealthy ? 'well' : 'ill'}: ${message}`),
  });
  return { served, taken, reports };
}
