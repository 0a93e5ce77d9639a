// Repeats the command of a set-up step `execute` until the condition of the step holds.

import type { Clock } from '../core/clock.ts';
import { taskError } from './task-function.ts';

const TIMEOUT_MS = 120_000;
const POLL_MS = 300;

/** One of the given conditions is enough. */
export interface UntilConditions {
  readonly returncode?: number | undefined;
  /** A part of the output. */
  readonly stdout?: string | undefined;
  readonly stderr?: string | undefined;
}

interface CommandResult {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs the command once if there are no conditions. `command` names it in the error. Rejects with a BoundaryError. */
export async function runUntil(
  command: string,
  run: () => Promise<CommandResult>,
  { returncode, stdout, stderr }: UntilConditions,
  clock: Clock,
): Promise<void> {
  const end = clock.now() + TIMEOUT_MS;
  for (;;) {
    const { code, output, errors } = await run();
    if (returncode === undefined && stdout === undefined && stderr === undefined) return;
    if (returncode === code) return;
    if (stdout !== undefined && output.includes(stdout)) return;
    if (stderr !== undefined && errors.includes(stderr)) return;
    if (clock.now() >= end)
      throw taskError(
        'set-up step execute',
        `${command} did not reach its 'until' within ${TIMEOUT_MS / 1000} s. Correct the condition.`,
      );
    await clock.sleep(POLL_MS);
  }
}
