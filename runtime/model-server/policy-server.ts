// The compact policy behind the OpenAI chat protocol: a worker process that decides, the versions of the weights, and the HTTP server.

import { randomBytes, randomInt } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { Mode } from '../core/policy.ts';
import { Pool } from '../rollout/policy-pool.ts';
import { startWorker } from '../rollout/worker-process.ts';
import type { ModelCard } from './backend.ts';
import { type ChatServer, startChatServer } from './chat-server.ts';
import { CompactBackend } from './compact-backend.ts';
import type { Coordinates } from './observe-conversation.ts';
import { ServedVersions } from './served-versions.ts';
import { WeightsFile } from './weights-file.ts';

export interface PolicyServerOptions {
  /** The .safetensors file. */
  readonly file: string;
  /** The name of the newest version in requests. */
  readonly name: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly key: string;
  readonly coordinates: Coordinates;
  /** The bundle of the policy worker. */
  readonly workerEntry: URL;
  readonly clock: Clock;
  /** Reports weights and workers that fail. */
  readonly notice: (text: string) => void;
}

export interface PolicyServer extends Pick<ChatServer, 'port' | 'url'> {
  readonly mode: Mode;
  readonly models: readonly ModelCard[];
  /** Ends the server and its worker. */
  close(): Promise<void>;
}

/** Requests that share a batch of the worker. */
const BATCH = 32;

/** Rejects when the weights cannot be read or the port is taken. */
export async function startPolicyServer(options: PolicyServerOptions): Promise<PolicyServer> {
  const { file, name, port, key, coordinates, workerEntry, clock, notice } = options;
  const weights = new WeightsFile(file);
  const first = await weights.load();
  if (first === undefined) throw new RangeError(`'${file}' has no weights. Name another file.`);
  const { shape, mode } = first;
  const pool = new Pool({
    ...{ size: 1, maxRequests: BATCH, maxWaitMs: 0, maxSwapping: 1, clock },
    start: () => startWorker({ entry: workerEntry, shape }),
    health: (thing, _, message) => notice(`${thing}: ${message}`),
  });
  try {
    const versions = new ServedVersions({ name, first, reload: () => weights.load(), pool, notice });
    const backend = new CompactBackend({
      ...{ versions, pool, mode, coordinates, clock },
      randomSeed: () => randomInt(2 ** 32),
    });
    const newId = () => randomBytes(12).toString('hex');
    const server = await startChatServer({ backend, port, key, clock, newId, notice });
    return {
      ...{ port: server.port, url: server.url, mode, models: await versions.cards() },
      close: async () => {
        await server.close();
        await pool.close();
      },
    };
  } catch (error) {
    await pool.close();
    throw error;
  }
}
