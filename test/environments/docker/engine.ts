// Skips tests that need a Docker engine if none answers. Starts nothing.

import { describe } from 'vitest';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { hostSettings } from '../../../runtime/environments/docker/address.ts';
import { engineHere } from '../../../runtime/server/desktops/kinds.ts';

export const hasEngine = await engineHere(hostSettings(), systemClock).then(
  () => true,
  () => false,
);

const HOW_TO =
  "No Docker engine answers: on Debian, 'sh test/e2e/docker/engine.sh' as root installs and starts one, and this test runs.";

/** Skipped tests keep their names, so that a report can be compared with one of another machine. Prints the remedy. */
export function describeUnless(missing: string | undefined, name: string, tests: () => void): void {
  if (missing !== undefined) process.stderr.write(`Skipped, ${name}: ${missing}\n`);
  describe.skipIf(missing !== undefined)(name, tests);
}

/** The remedy; undefined if an engine answers. */
export const missingEngine = hasEngine ? undefined : HOW_TO;
