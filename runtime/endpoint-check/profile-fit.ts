// Finds the profiles with which the replies of a model would have landed. Pure.

import { spaceOf, toScreen } from '../agents/model/frame.ts';
import { PROFILE_IDS, type ProfileId } from '../agents/model/profile.ts';
import { FRAME_RULES } from '../agents/model/profiles/frames.ts';
import { contains } from '../core/screen.ts';
import type { ClickSample } from './clicks.ts';
import { numbersIn } from './numbers.ts';

export interface FittingProfiles {
  /** Equally good; never empty. */
  readonly profiles: readonly ProfileId[];
  readonly landed: number;
}

/** 'micro' is the model of Dartboard alone. */
const CANDIDATES = PROFILE_IDS.filter(id => id !== 'micro');
/** Of all replies. */
const MIN_SHARE = 0.6;
/** The rules 0 to 999 and 0 to 1000 differ by a click at most. */
const MAX_DIFFERENCE = 1;

/** Other profiles than `own`; undefined if none of them would land most clicks. */
export function fittingProfiles(
  samples: readonly ClickSample[],
  own: ProfileId,
): FittingProfiles | undefined {
  const counts = CANDIDATES.filter(id => id !== own).map(id => ({ id, landed: landedWith(id, samples) }));
  const landed = Math.max(...counts.map(each => each.landed));
  if (landed === 0 || landed < MIN_SHARE * samples.length) return undefined;
  const best = counts.filter(each => each.landed >= landed - MAX_DIFFERENCE);
  return { profiles: best.map(({ id }) => id), landed };
}

const landedWith = (id: ProfileId, samples: readonly ClickSample[]): number =>
  samples.filter(({ reply, screen, sent, target }) => {
    const numbers = reply === undefined ? undefined : numbersIn(reply.raw, id);
    if (numbers === undefined) return false;
    const at = toScreen(spaceOf(FRAME_RULES[id].coordinates, { screen, sent }), numbers.x, numbers.y);
    return at !== undefined && contains(target, at);
  }).length;

export const profileRemedy = ({ profiles }: FittingProfiles): string => {
  const names = profiles.map(id => `'${id}'`);
  const last = names.pop() ?? '';
  return `Set 'profile' to ${names.length === 0 ? last : `${names.join(', ')} or ${last}`}, and check again.`;
};
