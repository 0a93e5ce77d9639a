// The OpenAI-compatible server of llama.cpp (`llama-cpp-python`) with SmolLM2-135M-Instruct or its first layers, in a process of its own.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { WEIGHTS } from '../install-folder.mjs';
import { PYTHON } from '../python.ts';

/** The name of the model in requests. */
export const MODEL = 'smollm2-135m';
export const KEY = 'the-key-of-the-tests';
/** In tokens. The server keeps 200 kB for each. */
export const CONTEXT = 2048;

export interface LlamaServer {
  /** The base URL for clients. */
  readonly url: string;
  stop(): Promise<void>;
}

export async function startLlamaServer(weights = WEIGHTS): Promise<LlamaServer> {
  const child = spawn(
    PYTHON,
    [
      ...['-m', 'llama_cpp.server', '--host', '127.0.0.1', '--port', '0', '--api_key', KEY],
      ...['--model', weights, '--model_alias', MODEL, '--n_ctx', String(CONTEXT), '--verbose', 'false'],
      // Two threads that generate wait for each other actively.
      ...['--n_threads', '1', '--n_threads_batch', '2'],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = once(child, 'exit');
  const log: string[] = [];
  const url = new Promise<string>((resolve, reject) => {
    createInterface(child.stderr).on('line', line => {
      log.push(line);
      const [, address] = /Uvicorn running on (http:\S+)/.exec(line) ?? [];
      if (address !== undefined) resolve(`${address}/v1`);
    });
    ended.then(
      () => reject(new Error(`The server ended with code ${child.exitCode}:\n${log.join('\n')}`)),
      reject,
    );
  });
  let isStopping = false;
  void ended.then(() => {
    if (isStopping) return;
    const end = child.signalCode ?? `code ${child.exitCode}`;
    process.stderr.write(`The server of llama.cpp ended by ${end}:\n${log.slice(-20).join('\n')}\n`);
  });
  return {
    url: await url,
    stop: async () => {
      isStopping = true;
      child.kill('SIGTERM');
      await ended;
    },
  };
}
