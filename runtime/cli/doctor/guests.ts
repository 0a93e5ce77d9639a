// Checks the guests that dartboard.json names: whether each answers, and whether its screen shows something.

import { failureOf } from '../../core/failure.ts';
import { type Finding, ok, problem, warning } from '../../core/finding.ts';
import type { Pixels } from '../../core/screen.ts';
import { isBlank } from '../../environments/guest/blank-screen.ts';

const NAME = 'Guests';

export interface GuestLook {
  readonly address: string;
  /** Rejects if the guest does not answer. */
  readonly screenshot: () => Promise<Pixels>;
}

/** A run works with the guests that answer. */
export async function guests(looks: readonly GuestLook[]): Promise<Finding> {
  if (looks.length === 0)
    return problem(
      NAME,
      'no guests',
      "Name machines that serve OSWorld's HTTP API in environments.guest.hosts.",
    );
  const faults: string[] = [];
  let size = '';
  for (const { address, screenshot } of looks)
    try {
      const pixels = await screenshot();
      size = `${pixels.width}×${pixels.height}`;
      if (isBlank(pixels)) faults.push(`${address} shows an empty screen`);
    } catch (error) {
      faults.push(`${address}: ${failureOf(error, 'environment', NAME).message}`);
    }
  const ready = looks.length - faults.length;
  if (faults.length === 0) return ok(NAME, `${ready} answer, with screens of ${size}`);
  const finding = ready === 0 ? problem : warning;
  return finding(
    NAME,
    [`${ready} of ${looks.length} ready`, ...faults].join('; '),
    'Start the guests, log in, and turn off the lock of the screen.',
  );
}
