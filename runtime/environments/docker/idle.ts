// Waits until the processes of a container have nothing to do, or use little processor time. A large application shows its window long before it handles keys in
// their order, and it can pause its drawing meanwhile.

import type { Clock } from '../../core/clock.ts';
import type { ContainerShell } from './shell.ts';

const SAMPLE_MS = 150;
/** The share of one core that idle applications and the samples themselves stay below. */
const IDLE_SHARE = 0.1;
/** An application can wait for a file or for another process. */
const IDLE_SAMPLES = 3;
/** A film or an animated page is never idle. */
const TIMEOUT_MS = 15_000;

const ARRANGING_MS = 200;
/** An animated page never has the same elements. */
const MAX_ARRANGING_ROUNDS = 5;

const RUNNABLE_SAMPLE_MS = 20;
/** A program that always runs has nothing to finish. */
const RUNNABLE_TIMEOUT_MS = 2000;

/** The threads that are runnable; the program finds itself. */
const RUNNABLE = "grep -ls '^State:.R' /proc/[0-9]*/task/[0-9]*/status";

/** The processor time, in both versions of control groups, and runnable threads, because on a busy machine they get little time. */
const COMMAND = `cat /sys/fs/cgroup/cpu.stat /sys/fs/cgroup/cpuacct/cpuacct.usage 2>/dev/null; ${RUNNABLE}`;

/** Besides the program that looks for them. */
export const hasRunnableThreads = (text: string): boolean => (text.match(/^\/proc\//gm)?.length ?? 0) > 1;

/** The processor time in milliseconds; undefined if the engine does not report it. */
export function processorTimeIn(text: string): number | undefined {
  const microseconds = /^usage_usec (\d+)$/m.exec(text)?.[1];
  if (microseconds !== undefined) return Number(microseconds) / 1e3;
  const nanoseconds = /^(\d+)$/m.exec(text)?.[1];
  return nanoseconds === undefined ? undefined : Number(nanoseconds) / 1e6;
}

export async function untilIdle(shell: Pick<ContainerShell, 'run'>, clock: Clock): Promise<void> {
  const sample = async () => {
    const { output } = await shell.run(COMMAND);
    const text = Buffer.from(output).toString('latin1');
    return { used: processorTimeIn(text), isBusy: hasRunnableThreads(text), at: clock.now() };
  };
  const end = clock.now() + TIMEOUT_MS;
  let last = await sample();
  for (let idle = 0; idle < IDLE_SAMPLES && clock.now() < end; ) {
    if (last.used === undefined) return;
    await clock.sleep(SAMPLE_MS);
    const next = await sample();
    const share = ((next.used ?? 0) - last.used) / (next.at - last.at);
    idle = share < IDLE_SHARE && !next.isBusy ? idle + 1 : 0;
    last = next;
  }
}

/**
 * Asks for the elements until two replies are equal. LibreOffice can arrange a window anew some time after it was idle: in one of eight
 * starts of Calc, the elements of the first screen were too high by the menu bar.
 */
export async function untilArranged(elements: () => Promise<string>, clock: Clock): Promise<void> {
  let before: string | undefined;
  let now = await elements();
  for (let round = 0; round < MAX_ARRANGING_ROUNDS && now !== before; round++) {
    before = now;
    await clock.sleep(ARRANGING_MS);
    now = await elements();
  }
}

/**
 * Waits while some program has work. On a busy machine a command that was entered in a terminal can still wait for a processor when the
 * screen has settled, and would be judged before it ran.
 */
export async function untilNothingRuns(shell: Pick<ContainerShell, 'run'>, clock: Clock): Promise<void> {
  const end = clock.now() + RUNNABLE_TIMEOUT_MS;
  while (clock.now() < end) {
    const { output } = await shell.run(RUNNABLE);
    if (!hasRunnableThreads(Buffer.from(output).toString('latin1'))) return;
    await clock.sleep(RUNNABLE_SAMPLE_MS);
  }
}
