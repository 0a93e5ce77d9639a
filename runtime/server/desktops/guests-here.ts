// The guests that dartboard.json names, and whether each answers. A training on them is a choice of the user, so the file need not choose
// this kind of desktops itself.

import { configOfKind } from '../../config/kind-config.ts';
import { treeOf, valueAt } from '../../config/leaves.ts';
import type { Settings } from '../../config/settings.ts';
import type { Clock } from '../../core/clock.ts';
import { GuestApi } from '../../environments/guest/guest-api.ts';

export interface GuestPresence {
  readonly address: string;
  readonly answers: boolean;
}

/** A user waits for the choice of desktops. */
const ANSWER_TIMEOUT_MS = 1500;

const MISSING =
  "none is configured. Name machines that serve OSWorld's HTTP API in 'environments.guest.hosts' of dartboard.json, and save " +
  "OSWorld's task files in '.dartboard/tasks/guest', or name their folder in 'suite.files'.";

/** Throws with what dartboard.json lacks. */
export function guestAddresses(file: Settings): readonly string[] {
  const hosts = valueAt(treeOf(file.leaves), ['environments', 'guest', 'hosts']);
  if (hosts === undefined) throw new RangeError(MISSING);
  return configOfKind(file, 'guest').environments.guest.hosts.map(({ address }) => address);
}

export const guestsThere = (file: Settings, clock: Clock): Promise<readonly GuestPresence[]> =>
  Promise.all(
    guestAddresses(file).map(async address => ({
      address,
      answers: await new GuestApi({ url: address, clock }).answers(ANSWER_TIMEOUT_MS),
    })),
  );
