/** One minibatch of turns, flat and row-major. */
export interface Batch {
  readonly size: number;
  /** [size, 80, 192] */
  readonly patches: Float32Array<ArrayBuffer>;
  /** [size, 80], where each patch lies on the screen: 0..299 */
  readonly place: Int32Array<ArrayBuffer>;
  /** [size, 8, 12], character ids: 0..95 */
  readonly words: Int32Array<ArrayBuffer>;
  /** [size], the kind of action taken: 0..7 */
  readonly kind: Int32Array<ArrayBuffer>;
  /** [size], the patch pointed at: 0..79 */
  readonly pointer: Int32Array<ArrayBuffer>;
  /** [size], log-probability of the taken kind under the policy that acted */
  readonly oldKind: Float32Array<ArrayBuffer>;
  /** [size], log-probability of the taken pointer under the policy that acted */
  readonly oldPointer: Float32Array<ArrayBuffer>;
  /** [size] */
  readonly advantage: Float32Array<ArrayBuffer>;
}

export interface NamedTensor {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

export type Weights = ReadonlyMap<string, NamedTensor>;

/** Another engine that trains the same network with the same step. */
export interface Rival {
  readonly name: string;
  /** Takes one optimiser step and resolves to the loss before it, once all the work is done. */
  step(batch: Batch): Promise<number>;
  weights(): Promise<Map<string, Float32Array>>;
  close(): Promise<void>;
}

/** What every rival must agree on with the engine it is compared with. */
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
