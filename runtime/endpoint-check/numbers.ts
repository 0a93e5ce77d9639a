// The two numbers of a click as the model wrote them, before any coordinate rule. Pure.

import type { Profile, ProfileId } from '../agents/model/profile.ts';
import { PROFILES } from '../agents/model/profiles/index.ts';
import type { Action } from '../core/action.ts';
import type { Point } from '../core/screen.ts';

/** A profile of the same grammar whose numbers are pixels. */
const READERS: Readonly<Record<ProfileId, Profile>> = {
  'ui-tars-1.5': PROFILES['ui-tars-1.5'],
  'ui-tars-1.0': PROFILES['ui-tars-1.5'],
  'qwen2.5-vl': PROFILES['qwen2.5-vl'],
  'qwen3-vl': PROFILES['qwen2.5-vl'],
  'gui-owl-1.5': PROFILES['qwen2.5-vl'],
  opencua: PROFILES.opencua,
  evocua: PROFILES['qwen2.5-vl'],
  generic: PROFILES.generic,
  micro: PROFILES.micro,
};

/** Some models write parts of the screen, the others pixels. No screen is as large as the second one. */
const PICTURE_SIDES = [1, 100_000];
/** So large that numbers keep the digits after their point. */
const SCREEN_SIDE = 100_000_000;

/** Undefined if the reply has no click at two numbers. */
export function numbersIn(raw: string, profile: ProfileId): Point | undefined {
  for (const side of PICTURE_SIDES) {
    const reading = READERS[profile].read(raw, {
      screen: { width: SCREEN_SIDE, height: SCREEN_SIDE },
      sent: { width: side, height: side },
      elements: [],
    });
    const at = reading.kind === 'malformed' ? undefined : clickOf(reading.actions[0].action);
    if (at !== undefined) return { x: (at.x * side) / SCREEN_SIDE, y: (at.y * side) / SCREEN_SIDE };
  }
  return undefined;
}

/** The place of a click with any button. */
export function clickOf(action: Action): Point | undefined {
  switch (action.kind) {
    case 'click':
    case 'double_click':
    case 'triple_click':
    case 'right_click':
    case 'middle_click':
      return action.at;
    default:
      return undefined;
  }
}
