// The paths of saved weights, tinker://MODEL/KIND/NAME, and the files that they name in the folder of the server. Pure.

import { TinkerFault } from './faults.ts';

/** weights: with the optimiser, to train on. sampler_weights: the weights alone. */
export const SAVED_KINDS = ['weights', 'sampler_weights'] as const;
export type SavedKind = (typeof SAVED_KINDS)[number];

export interface SavedPlace {
  readonly modelId: string;
  readonly kind: SavedKind;
  readonly name: string;
}

export const TINKER_SCHEME = 'tinker://';
const MODEL_ID = /^[A-Za-z0-9-]{1,80}:train:\d{1,9}$/;
const NAME = /^\w[\w.-]{0,99}$/;

/** Throws a TinkerFault. */
export function savedPlace(modelId: string, kind: SavedKind, name: string): SavedPlace {
  if (!MODEL_ID.test(modelId))
    throw new TinkerFault(
      `${JSON.stringify(modelId)} is no id of a model. Use an id that create_model returned.`,
    );
  if (!NAME.test(name))
    throw new TinkerFault(
      `Weights cannot be saved as ${JSON.stringify(name)}. Use 1 to 100 of A-Z a-z 0-9 _ . - with a letter, digit or _ first.`,
    );
  return { modelId, kind, name };
}

/** Throws a TinkerFault for a path of another form. */
export function parseTinkerPath(path: string): SavedPlace {
  const [modelId = '', kindText, name = '', ...more] = path.startsWith(TINKER_SCHEME)
    ? path.slice(TINKER_SCHEME.length).split('/')
    : [];
  const kind = SAVED_KINDS.find(each => each === kindText);
  if (kind === undefined || more.length > 0)
    throw new TinkerFault(
      `${JSON.stringify(path)} is no path of saved weights. Use a path that save_weights or save_weights_for_sampler returned.`,
    );
  return savedPlace(modelId, kind, name);
}

export const tinkerPath = ({ modelId, kind, name }: SavedPlace): string =>
  `${TINKER_SCHEME}${modelId}/${kind}/${name}`;

/** Within the folder. A colon is not allowed in names of files on Windows. */
export const fileOfPlace = ({ modelId, kind, name }: SavedPlace): string =>
  `${modelId.replaceAll(':', '_')}/${kind}/${name}.safetensors`;
