// The profiles of models, with a line for each, and the guess from the name of a model. Pure.

export interface ProfileChoice {
  readonly id: string;
  readonly detail: string;
  /** Matches names of models of this family: in lower case, without their organisation. */
  readonly names?: RegExp;
}

/** The first match counts. */
export const PROFILES: readonly ProfileChoice[] = [
  {
    id: 'ui-tars-1.5',
    detail: 'UI-TARS 1.5, and weights that Dartboard serves. Screenshots; pixels of the image.',
    names: /ui-?tars-1[.-]5|^compact(-v\d+)?$/,
  },
  {
    id: 'ui-tars-1.0',
    detail: 'UI-TARS 1.0 in its three sizes. Screenshots; coordinates from 0 to 1000.',
    names: /ui-?tars/,
  },
  {
    id: 'qwen2.5-vl',
    detail: 'Qwen2.5-VL with its computer tool. Screenshots; pixels of the image.',
    names: /qwen-?2[.-]5-?vl/,
  },
  {
    id: 'qwen3-vl',
    detail: 'Qwen3-VL and Qwen3.5 with their computer tool. Screenshots; coordinates from 0 to 1000.',
    names: /qwen-?3-?vl|qwen-?3[.-]5/,
  },
  {
    id: 'gui-owl-1.5',
    detail: 'GUI-Owl 1.5. Screenshots; coordinates from 0 to 1000.',
    names: /gui-?owl/,
  },
  {
    id: 'opencua',
    detail: 'OpenCUA. Screenshots; its code is parsed, never executed.',
    names: /open-?cua/,
  },
  {
    id: 'evocua',
    detail: 'EvoCUA. Screenshots; coordinates from 0 to 1000.',
    names: /evo-?cua/,
  },
  {
    id: 'generic',
    detail: 'Models of other families, also without vision: numbered elements, replies in JSON.',
  },
  {
    id: 'micro',
    detail: 'The micro model that Dartboard trains and serves.',
    names: /^micro\b/,
  },
];

export const GENERIC = 'generic';

/** `Qwen/Qwen2.5-VL-7B-Instruct` is of the family `qwen2.5-vl`; an unknown model is `generic`. */
export function guessProfile(model: string): string {
  const name = (model.toLowerCase().split('/').at(-1) ?? '').replaceAll(/[_:]/g, '-');
  return PROFILES.find(({ names }) => names?.test(name))?.id ?? GENERIC;
}

export interface ModeChoice {
  readonly label: string;
  readonly detail: string;
  readonly mode: string;
}

/** The modes of the profile `generic`, the only one for models without vision; the default first. */
export const GENERIC_MODES: readonly ModeChoice[] = [
  {
    label: 'Screenshots and elements',
    detail: 'The model needs vision. The numbered list of elements helps it to click.',
    mode: 'screenshot_a11y_tree',
  },
  {
    label: 'Elements only',
    detail: 'For models without vision: each screen is a numbered list of elements.',
    mode: 'a11y_tree',
  },
  {
    label: 'Screenshots only',
    detail: 'The model needs vision, and clicks at coordinates.',
    mode: 'screenshot',
  },
];
