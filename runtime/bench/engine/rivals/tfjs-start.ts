import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import { setThreadsCount, setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import * as tf from '@tensorflow/tfjs-core';

/** Starts TensorFlow.js's WASM backend with SIMD on one thread. */
export async function startWasm(): Promise<void> {
  const require = createRequire(import.meta.url);
  setWasmPaths(dirname(require.resolve('@tensorflow/tfjs-backend-wasm')) + sep);
  setThreadsCount(1);
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  if (!(await tf.env().getAsync('WASM_HAS_SIMD_SUPPORT'))) throw new Error('This WASM engine has no SIMD.');
  if (!(await tf.setBackend('wasm'))) throw new Error('TensorFlow.js cannot start its WASM backend.');
  await tf.ready();
}
