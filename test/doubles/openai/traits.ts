// The traits of servers in the OpenAI protocol: each documented behaviour that a client can observe is one field. The presets have the
// documented defaults of one program each; a test changes single fields.

import type { ServerKind } from '../../../runtime/endpoints/server-identity.ts';

export interface ServerTraits {
  readonly kind: ServerKind;
  readonly version?: string;
  /** Names of the model in requests. The first one is in replies. */
  readonly names: readonly string[];
  /** The path or name of the weights, in the model list. */
  readonly root?: string;
  /** Adapters that are loaded, by name. */
  readonly adapters?: readonly string[];

  /** The field `owned_by` of its models; a gateway may change it. Default: that of the program. */
  readonly owner?: string;

  // Requests

  /** Fields that limit the length, those that the server honours; others are ignored or rejected, see `unknownFields`. */
  readonly limitFields: readonly ('max_tokens' | 'max_completion_tokens')[];
  /** The fields beyond the OpenAI protocol that the server knows. */
  readonly extraFields: readonly string[];
  /** What happens to fields that the server does not know. */
  readonly unknownFields: 'ignored' | 'rejected';
  /** Fields that the model rejects. Reasoning models reject those of sampling. */
  readonly rejectedFields?: readonly string[];
  /** The tokens of a thought before the first token that is shown. A limit below is rejected, as by OpenAI. */
  readonly hiddenTokens?: number;
  /** The least valid `top_k`. */
  readonly leastTopK?: number;
  /** Replaces sampling fields that a request leaves out: vLLM reads them from the checkpoint. */
  readonly generationConfig?: Readonly<Record<string, number>>;
  /** 'none': a server without vision. 'text-only': it rejects every message whose content is an array. */
  readonly images: 'accepted' | 'none' | 'text-only';
  /** The most images of a request. */
  readonly maxImages?: number;
  /** The most tokens of a prompt and its reply; an image has one token for 28 × 28 pixels. */
  readonly context?: number;

  // Log-probabilities

  /** Before or after the temperature; 'logits': not normalised; 'none': the fields are ignored; 'rejected': with status 500. */
  readonly logProbabilities: 'raw' | 'processed' | 'logits' | 'none' | 'rejected';
  /** More candidates are rejected. */
  readonly maxTop: number;
  /** The first token has −9999. */
  readonly missingLogProbability?: boolean;
  /** The report has one token less than the reply. */
  readonly shortReport?: boolean;
  /** 'returned': `token_ids` on request. 'in-text': tokens are printed as "token_id:123". 'meta-info': as SGLang reports them. */
  readonly tokenIds: 'none' | 'returned' | 'in-text' | 'meta-info';
  readonly promptIds: boolean;
  /** Replies do not say how many tokens they took. */
  readonly withoutUsage?: boolean;

  // Replies

  /** Replies end with this token, which is a part of the report but not of the text. */
  readonly endToken?: string;
  /** Tokens that speculative decoding leaves after the end. */
  readonly pastStop?: readonly string[];
  /** A stop string of the server: cut from the text, and not from the tokens. */
  readonly stopString?: string;
  /** The model that is named in replies, if it is not the requested one. */
  readonly answersAs?: string;
  /** Versions of the weights that generated the reply. */
  readonly weightVersions?: readonly string[];
  /** How replies report the versions: spans of tokens, or the version at the end of the reply. */
  readonly versionReport?: 'spans' | 'meta-info';

  // Routes

  /** Loads adapters by a request. */
  readonly lora?: boolean;
  /** Offers the control routes of development mode. */
  readonly control?: boolean;
  /** Publishes the list of routes. */
  readonly openApi?: boolean;
  /** Has the routes of older versions. */
  readonly oldRoutes?: boolean;
  /** Lists its models. */
  readonly listsModels: boolean;
  /** Answers for any model name. */
  readonly anyModel?: boolean;
  /** Requires this key. */
  readonly key?: string;

  // Speed

  readonly prefillMs?: number;
  readonly tokenMs?: number;
  /** The most requests at a time; more wait. */
  readonly slots?: number;
}

/** What vLLM adds to the protocol, as far as clients of agents use it. */
const SAMPLING_FIELDS = ['top_k', 'min_p', 'repetition_penalty', 'skip_special_tokens', 'stop_token_ids'];

export const VLLM: ServerTraits = {
  ...{ kind: 'vllm', version: '0.19.0', names: ['tars'], root: 'lab/tars-7b' },
  limitFields: ['max_tokens', 'max_completion_tokens'],
  extraFields: [...SAMPLING_FIELDS, 'return_token_ids', 'cache_salt', 'priority'],
  ...{ unknownFields: 'ignored', leastTopK: -1, images: 'accepted' },
  ...{ logProbabilities: 'raw', maxTop: 20, tokenIds: 'returned', promptIds: true, endToken: '<|im_end|>' },
  ...{ lora: true, control: true, openApi: true, listsModels: true },
};

export const SGLANG: ServerTraits = {
  ...{ kind: 'sglang', version: '0.5.16', names: ['tars'], root: 'lab/tars-7b' },
  limitFields: ['max_tokens', 'max_completion_tokens'],
  extraFields: [...SAMPLING_FIELDS, 'return_meta_info'],
  ...{ unknownFields: 'ignored', leastTopK: -1, images: 'accepted' },
  ...{ logProbabilities: 'processed', maxTop: 20, tokenIds: 'meta-info', promptIds: false },
  ...{ endToken: '<|im_end|>', weightVersions: ['default'], versionReport: 'meta-info' },
  ...{ lora: true, control: true, openApi: true, listsModels: true },
};

export const LLAMA_CPP: ServerTraits = {
  ...{ kind: 'llama.cpp', version: 'b7000-1a2b3c4', names: ['tars.gguf'] },
  limitFields: ['max_tokens'],
  extraFields: ['top_k', 'min_p', 'repeat_penalty'],
  ...{ unknownFields: 'ignored', images: 'none' },
  generationConfig: { temperature: 0.8, top_k: 40, top_p: 0.95, min_p: 0.05, repeat_penalty: 1.1 },
  ...{ logProbabilities: 'raw', maxTop: 50, tokenIds: 'none', promptIds: false },
  ...{ listsModels: true, anyModel: true },
};

/** The server of the Python package, which checks values and reports no log-probabilities unless it was started for them. */
export const LLAMA_CPP_PYTHON: ServerTraits = {
  ...{ ...LLAMA_CPP, kind: 'llama-cpp-python', version: '0.3.16', names: ['tars'] },
  ...{ leastTopK: 0, images: 'text-only', logProbabilities: 'rejected', openApi: true },
};

export const OLLAMA: ServerTraits = {
  ...{ kind: 'ollama', version: '0.13.1', names: ['tars:latest'] },
  limitFields: ['max_tokens'],
  extraFields: [],
  ...{ unknownFields: 'ignored', images: 'accepted' },
  ...{ logProbabilities: 'raw', maxTop: 20, tokenIds: 'none', promptIds: false, listsModels: true },
};

/** A service that rejects what it does not know. */
export const HOSTED: ServerTraits = {
  ...{ kind: 'openai', names: ['gpt-x'], answersAs: 'gpt-x-2026-01-15' },
  limitFields: ['max_completion_tokens'],
  extraFields: [],
  ...{ unknownFields: 'rejected', images: 'accepted' },
  ...{ logProbabilities: 'raw', maxTop: 20, tokenIds: 'none', promptIds: false },
  listsModels: true,
};
