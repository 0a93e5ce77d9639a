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

/** Larger than any screen, so that no number is out of range. */
const SIDE = 100_000;
/** Digits after the point: some models write fractions of the screen. */
const SCALE = 1000;

/** Undefined if the reply has no click at two numbers. */
export function numbersIn(raw: string, profile: ProfileId): Point | undefined {
  const reading = READERS[profile].read(raw, {
    screen: { width: SIDE * SCALE, height: SIDE * SCALE },
    sent: { width: SIDE, height: SIDE },
    elements: [],
  });
  if (reading.kind === 'malformed') return undefined;
  const at = clickOf(reading.actions[0].action);
  return at === undefined ? undefined : { x: at.x / SCALE, y: at.y / SCALE };
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
