// Ends a process: lets it exit by itself, and kills it only after a question to the user.

import type { Clock } from '../../runtime/core/clock.ts';

export interface EndableProcess {
  isRunning(): boolean;
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
}

interface EndOptions {
  readonly clock: Clock;
  /** The process has this time to exit, and again after it is killed. */
  readonly timeoutMs: number;
  /** Called if it has not exited within that time. */
  readonly mayKill: () => Promise<boolean>;
}

const POLL_INTERVAL_MS = 50;

/** Returns whether the process has ended. */
export async function endProcess(
  target: EndableProcess,
  { clock, timeoutMs, mayKill }: EndOptions,
): Promise<boolean> {
  const hasEnded = async (): Promise<boolean> => {
    const deadline = clock.now() + timeoutMs;
    for (; target.isRunning(); await clock.sleep(POLL_INTERVAL_MS)) if (clock.now() >= deadline) return false;
    return true;
  };
  target.signal('SIGTERM');
  if (await hasEnded()) return true;
  // It may exit while the user reads the question.
  if (!(await mayKill())) return !target.isRunning();
  if (target.isRunning()) target.signal('SIGKILL');
  return await hasEnded();
}
