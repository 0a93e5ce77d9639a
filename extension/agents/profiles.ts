// The profiles of models with a line for each, and the modes of the profile for other models. Pure.

export interface ProfileChoice {
  readonly id: string;
  readonly detail: string;
}

export const PROFILES: readonly ProfileChoice[] = [
  {
    id: 'ui-tars-1.5',
    detail: 'UI-TARS 1.5, and weights that Dartboard serves. Screenshots; pixels of the image.',
  },
  {
    id: 'ui-tars-1.0',
    detail: 'UI-TARS 1.0 in its three sizes. Screenshots; coordinates from 0 to 1000.',
  },
  {
    id: 'qwen2.5-vl',
    detail: 'Qwen2.5-VL with its computer tool. Screenshots; pixels of the image.',
  },
  {
    id: 'qwen3-vl',
    detail: 'Qwen3-VL and Qwen3.5 with their computer tool. Screenshots; coordinates from 0 to 1000.',
  },
  {
    id: 'gui-owl-1.5',
    detail: 'GUI-Owl 1.5. Screenshots; coordinates from 0 to 1000.',
  },
  {
    id: 'opencua',
    detail: 'OpenCUA. Screenshots; its code is parsed, never executed.',
  },
  {
    id: 'evocua',
    detail: 'EvoCUA. Screenshots; coordinates from 0 to 1000.',
  },
  {
    id: 'generic',
    detail: 'Models of other families, also without vision: numbered elements, replies in JSON.',
  },
  {
    id: 'micro',
    detail: 'The micro model that Dartboard trains and serves.',
  },
];

export const GENERIC = 'generic';

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
