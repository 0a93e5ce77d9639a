// The guests that dartboard.json names, and whether each answers. A training on them is a choice of the user, so the file need not choose
// this kind of desktops itself.

import { resolve } from '../../config/config.ts';
import { type Settings, settingsFromOptions } from '../../config/settings.ts';
import type { Clock } from '../../core/clock.ts';
import { GuestApi } from '../../environments/guest/guest-api.ts';

export interface GuestPresence {
  readonly address: string;
  readonly answers: boolean;
}

/** A user waits for the choice of desktops. */
const ANSWER_TIMEOUT_MS = 1500;

/** The settings that a training on guests depends on. */
const SETTINGS: readonly (readonly string[])[] = [
  ['environments', 'guest'],
  ['environments', 'desktops'],
  ['evaluation', 'desktops'],
  ['suite', 'files'],
];

const MISSING =
  "none is configured. Name machines that serve OSWorld's HTTP API in 'environments.guest.hosts' of dartboard.json, and save " +
  "OSWorld's task files in '.dartboard/tasks/guest', or name their folder in 'suite.files'.";

/** Throws with what dartboard.json lacks. */
export function guestAddresses(file: Settings): readonly string[] {
  const leaves = file.leaves.filter(({ path }) =>
    SETTINGS.some(names => names.every((name, index) => path[index] === name)),
  );
  const hasHosts = leaves.some(({ path }) => path[1] === 'guest' && path[2] === 'hosts');
  if (!hasHosts) throw new RangeError(MISSING);
  const options = settingsFromOptions({ environments: { kind: 'guest' } });
  const { hosts } = resolve({ ...file, leaves }, options).config.environments.guest;
  return hosts.map(({ address }) => address);
}

export const guestsThere = (file: Settings, clock: Clock): Promise<readonly GuestPresence[]> =>
  Promise.all(
    guestAddresses(file).map(async address => ({
      address,
      answers: await new GuestApi({ url: address, clock }).answers(ANSWER_TIMEOUT_MS),
    })),
  );
