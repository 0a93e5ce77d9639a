// Loads ONNX Runtime: the native build, or WebAssembly where no native build exists. Only child processes import this file, since
// creating and running sessions blocks the thread.

import type { InferenceSession, Tensor as OrtTensor } from 'onnxruntime-node';
import { messageOf } from '../core/errors.ts';

export type { InferenceSession, OrtTensor };

export type RuntimeKind = 'native' | 'wasm';

export interface Runtime {
  readonly kind: RuntimeKind;
  readonly version: string;
  /** Why the native build failed to load, if 'any' was requested. */
  readonly insteadOfNative?: string;
  readonly Tensor: typeof OrtTensor;
  /** Whether a run can write its results into given tensors without a copy. */
  readonly writesInPlace: boolean;
  create(model: Uint8Array, options?: CreateOptions): Promise<InferenceSession>;
}

export interface CreateOptions {
  /** Prefix of a profile file with the time of each kernel, written when the session is released. Native only. */
  readonly profileTo?: string;
}

/** One thread that does not spin: processes scale better than threads, and a spinning thread takes CPU from other processes. */
const OPTIONS: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  // Memory patterns are stored per shape. Batches have many shapes, so the patterns cost more memory than they save time.
  enableMemPattern: false,
};

async function loadNative(): Promise<Runtime> {
  const { default: ort } = await import('onnxruntime-node');
  const extra = { session: { intra_op: { allow_spinning: '0' }, set_denormal_as_zero: '1' } };
  return {
    kind: 'native',
    version: ort.env.versions.node ?? 'unknown',
    Tensor: ort.Tensor,
    writesInPlace: true,
    create: (model, { profileTo } = {}) => {
      const profile = profileTo === undefined ? {} : { enableProfiling: true, profileFilePrefix: profileTo };
      return ort.InferenceSession.create(model, { ...OPTIONS, ...profile, extra });
    },
  };
}

async function loadWasm(): Promise<Runtime> {
  const ort = await import('onnxruntime-web');
  ort.env.wasm.numThreads = 1;
  return {
    kind: 'wasm',
    version: ort.env.versions.web ?? 'unknown',
    Tensor: ort.Tensor,
    writesInPlace: false,
    create: model => ort.InferenceSession.create(model, { ...OPTIONS, executionProviders: ['wasm'] }),
  };
}

/** 'any' prefers the native build and falls back to WebAssembly. */
export async function loadRuntime(wanted: RuntimeKind | 'any'): Promise<Runtime> {
  if (wanted === 'wasm') return loadWasm();
  if (wanted === 'native') return loadNative();
  try {
    return await loadNative();
  } catch (error) {
    return { ...(await loadWasm()), insteadOfNative: messageOf(error) };
  }
}
