// The network, objective and optimiser that every engine trains in the engine benchmark, and the batches they train on.

/** A minibatch of decisions, flat and row-major; B is `size`. */
export interface PolicyBatch {
  readonly size: number;
  /** [B, 80, 192], pixels from 0 to 1 */
  readonly patches: Float32Array<ArrayBuffer>;
  /** [B, 80], position of each patch on the screen, 0 to 299 */
  readonly place: Int32Array<ArrayBuffer>;
  /** [B, 8, 12], character ids, 0 to 95 */
  readonly words: Int32Array<ArrayBuffer>;
  /** [B], action kind, 0 to 7 */
  readonly kind: Int32Array<ArrayBuffer>;
  /** [B], patch that the action points at, 0 to 79 */
  readonly pointer: Int32Array<ArrayBuffer>;
  /** [B], log-probabilities under the behaviour policy */
  readonly oldKind: Float32Array<ArrayBuffer>;
  readonly oldPointer: Float32Array<ArrayBuffer>;
  /** [B] */
  readonly advantage: Float32Array<ArrayBuffer>;
}

export type NamedWeights = ReadonlyMap<
  string,
  { readonly dims: readonly number[]; readonly data: Float32Array }
>;

export const network = {
  patches: 80,
  words: 8,
  letters: 12,
  letterWidth: 16,
  tokens: 88,
  patchSize: 192,
  width: 64,
  heads: 4,
  headSize: 16,
  blocks: 2,
  kinds: 8,
  places: 300,
  characters: 96,
  normEpsilon: 1e-5,
} as const;

export const objective = { clipLow: 0.8, clipHigh: 1.28, ratioLimit: 20, entropy: 0.01 } as const;

export const optimiser = {
  rate: 3e-4,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  decay: 0.01,
  maxNorm: 1,
  normEpsilon: 1e-6,
} as const;
