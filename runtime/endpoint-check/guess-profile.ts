// Guesses the profile of a model from its name, for a check of an address that is not configured. Pure.

import type { ProfileId } from '../agents/model/profile.ts';

/** Special names first. */
const NAMES: readonly (readonly [RegExp, ProfileId])[] = [
  [/evocua/i, 'evocua'],
  [/opencua/i, 'opencua'],
  [/gui-?owl-?1\.5/i, 'gui-owl-1.5'],
  [/(?:ui-?tars|dart-?gui)[^/]*1\.5|dart-?gui/i, 'ui-tars-1.5'],
  [/ui-?tars/i, 'ui-tars-1.0'],
  [/qwen-?3(?:\.\d)?(?:-?vl)?|holo-?3/i, 'qwen3-vl'],
  [/qwen-?2\.5-?vl/i, 'qwen2.5-vl'],
];

/** 'generic' fits every model. */
export const guessProfile = (model: string): ProfileId =>
  NAMES.find(([pattern]) => pattern.test(model))?.[1] ?? 'generic';
