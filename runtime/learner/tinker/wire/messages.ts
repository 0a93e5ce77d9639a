// The messages of the Tinker protocol (SDK 0.38) that have two encodings: protobuf.ts and json.ts. Tensors and outputs of a training
// request, and replies with samples. All other messages are JSON alone: control.ts.

/** bfloat16 arrives as float32, and int32 as int64. */
export type WireNumbers = 'float32' | 'int64';

export interface WireTensor {
  readonly type: WireNumbers;
  /** Row by row. Of a sparse tensor: the listed values. */
  readonly data: readonly number[];
  /** Absent: a list. A sparse tensor has it. */
  readonly shape?: readonly number[] | undefined;
  /** Compressed sparse rows: entries that are not listed are 0. */
  readonly sparse?: SparseRows | undefined;
}

export interface SparseRows {
  /** One more than there are rows: where each row begins in the lists. */
  readonly starts: readonly number[];
  /** One per listed value. */
  readonly columns: readonly number[];
}

export const IMAGE_FORMATS = ['png', 'jpeg'] as const;
export type WireImageFormat = (typeof IMAGE_FORMATS)[number];

export type WireChunk =
  | { readonly kind: 'text'; readonly tokens: readonly number[] }
  | {
      readonly kind: 'image';
      readonly data: Uint8Array;
      readonly format: WireImageFormat;
      /** The number of places that the sender counts for the image. A server with another number rejects the request. */
      readonly expectedTokens?: number | undefined;
    }
  | {
      /** Only in JSON. */
      readonly kind: 'pointer';
      /** A path or URL. */
      readonly location: string;
      readonly format: WireImageFormat;
      readonly expectedTokens?: number | undefined;
    };

/** A named tensor per place: `target_tokens`, `weights`, `logprobs`, `advantages` … */
export type WireRecord = Readonly<Record<string, WireTensor>>;

/** One row. Its tensors have an entry per place of the input, in which an image counts as its tokens. */
export interface WireDatum {
  readonly input: readonly WireChunk[];
  readonly lossInputs: WireRecord;
}

export interface ForwardBackward {
  readonly modelId: string;
  /** From 1, counted per model. The server answers an equal request with an equal number from memory. */
  readonly seqId?: number | undefined;
  readonly lossFn: string;
  readonly lossFnConfig?: Readonly<Record<string, number | string>> | undefined;
  /** Without gradients. In JSON, a route of its own. */
  readonly forwardOnly: boolean;
  readonly data: readonly WireDatum[];
}

export interface ForwardBackwardResult {
  readonly outputType: string;
  /** One per row: `logprobs` and what else the loss reports. */
  readonly outputs: readonly WireRecord[];
  /** Names end in the reduction over parts of a batch, such as `loss:sum`. */
  readonly metrics: Readonly<Record<string, number>>;
}

/** A metric of passes and steps: the seconds that the hardware of the server worked for the request. Dartboard's own server reports it. */
export const HARDWARE_SECONDS = 'hardware_seconds:sum';

export type WireStopReason = 'stop' | 'length';

/** The likeliest tokens of a place with their log-probabilities. */
export type TopTokens = readonly (readonly [token: number, logProbability: number])[];

export interface WireSequence {
  readonly stopReason: WireStopReason;
  readonly tokens: readonly number[];
  readonly logprobs?: readonly number[] | undefined;
  /** Null where the server computed nothing. */
  readonly topLogprobs?: readonly (TopTokens | null)[] | undefined;
}

export interface SampleResult {
  readonly sequences: readonly WireSequence[];
  /** Null where the server computed nothing, such as for the first token. */
  readonly promptLogprobs?: readonly (number | null)[] | undefined;
  readonly topPromptLogprobs?: readonly (TopTokens | null)[] | undefined;
}

/** A message that is not in the protocol. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** The content type of protobuf, in requests and in `Accept`. */
export const PROTOBUF_TYPE = 'application/x-protobuf';
export const JSON_TYPE = 'application/json';
