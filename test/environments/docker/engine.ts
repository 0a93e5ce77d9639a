// Whether a Docker engine answers, for tests that need one; they are skipped with a line where none does. Nothing is started here.

import { describe } from 'vitest';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { hostSettings } from '../../../runtime/environments/docker/address.ts';
import { engineHere } from '../../../runtime/server/desktops/image.ts';

export const hasEngine = await engineHere(hostSettings(), systemClock).then(
  () => true,
  () => false,
);

const HOW_TO =
  "No Docker engine answers: on Debian, 'sh test/e2e/docker/engine.sh' as root installs and starts one, and this test runs.";

/**
 * Where something is missing, tests are skipped under the name they run by elsewhere, so that what was skipped here can be
 * found among what passed there; a line says what to do.
 */
export function describeUnless(missing: string | undefined, name: string, tests: () => void): void {
  if (missing !== undefined) process.stderr.write(`Skipped, ${name}: ${missing}\n`);
  describe.skipIf(missing !== undefined)(name, tests);
}

/** undefined where an engine answers. */
export const missingEngine = hasEngine ? undefined : HOW_TO;
