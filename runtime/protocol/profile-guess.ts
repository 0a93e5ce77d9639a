// Guesses the profile of a model from its name: for a check of an address, and for the questions that configure an agent. Pure.

/** Matched in lower case, special names first. */
const NAMES = [
  ['evocua', /evo-?cua/],
  ['opencua', /open-?cua/],
  ['gui-owl-1.5', /gui-?owl-?1\.5/],
  // The last one is the name of weights that Dartboard serves.
  ['ui-tars-1.5', /ui-?tars[^/]*1\.5|dart-?gui|^compact(?:-v\d+)?$/],
  ['ui-tars-1.0', /ui-?tars/],
  // Not the text models of Qwen3.
  ['qwen3-vl', /qwen-?3-?vl|qwen-?3\.\d|holo-?3/],
  ['qwen2.5-vl', /qwen-?2\.5-?vl/],
  ['micro', /^micro\b/],
] as const;

export type GuessedProfile = (typeof NAMES)[number][0] | 'generic';

/** 'generic' fits every model. */
export function guessProfile(model: string): GuessedProfile {
  const name = model.toLowerCase();
  return NAMES.find(([, pattern]) => pattern.test(name))?.[0] ?? 'generic';
}
