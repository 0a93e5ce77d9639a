// Serves a micro model under the OpenAI chat protocol and the Tinker protocol on one port, with an engine that is given.

import { readFile } from 'node:fs/promises';
import { type DecoderEngine, MicroDecoder } from '../../agents/micro/decoder.ts';
import type { SavedMicro } from '../../agents/micro/weights-file.ts';
import type { Clock } from '../../core/clock.ts';
import { MicroTrainer } from '../../learner/micro/micro-trainer.ts';
import { ADDRESS } from '../../server/http/listen.ts';
import { badRequest } from '../api-error.ts';
import { type ChatServer, startChatServer } from '../chat-server.ts';
import { TinkerFault } from '../tinker/faults.ts';
import { lazyTrainer, type TrainingEngine } from '../tinker/lazy-trainer.ts';
import type { SavedWeights, TinkerFolder } from '../tinker/saved-weights.ts';
import { tinkerParts } from '../tinker/tinker-parts.ts';
import { TINKER_SCHEME } from '../tinker/tinker-path.ts';
import { tinkerRoutes } from '../tinker/tinker-routes.ts';
import { MicroBackend } from './backend.ts';
import { controlRoutes } from './control-routes.ts';
import { GenerationGate } from './generation-gate.ts';
import { WeightsRegister } from './served-weights.ts';

export interface ServeMicroOptions {
  readonly engine: DecoderEngine;
  /** Called when a client trains, and again after its engine has ended. By default training shares the engine, and replies wait for it. */
  readonly trainingEngine?: () => Promise<TrainingEngine>;
  readonly model: SavedMicro;
  /** The name of the model in requests. */
  readonly name: string;
  /** For the weights that clients of the Tinker protocol save. */
  readonly folder: TinkerFolder;
  /** 0 takes any free port. */
  readonly port: number;
  readonly key: string;
  readonly clock: Clock;
  /** A new and unique text of letters and digits. */
  readonly newId: () => string;
  /** The seed of a request that names none. */
  readonly randomSeed: () => number;
  /** Reports failures of the server. */
  readonly notice: (text: string) => void;
}

export interface MicroServer extends ChatServer {
  /** The base URL for clients of the Tinker protocol, which add /api/v1. */
  readonly tinkerUrl: string;
}

/** Rejects when the port is taken. */
export async function serveMicro(options: ServeMicroOptions): Promise<MicroServer> {
  const { engine, model, name, folder, clock, newId, randomSeed } = options;
  const { trainingEngine = async () => shared(engine) } = options;
  const now = () => Math.floor(clock.now() / 1000);
  const decoder = await MicroDecoder.open(engine, model.shape);
  const gate = new GenerationGate(clock);
  const tinker = tinkerParts({
    ...{ baseName: name, base: model, decoder, gate, folder, clock, newId, randomSeed },
    trainer: lazyTrainer({
      start: trainingEngine,
      open: each => MicroTrainer.open({ engine: each, shape: model.shape, clock }),
    }),
  });
  const weights = new WeightsRegister({
    ...{ base: { name, model, created: now() }, now },
    read: path => readWeights(path, tinker.saved),
  });
  const server = await startChatServer({
    ...options,
    backend: new MicroBackend({ weights, gate, decoder, randomSeed }),
    routes: [...controlRoutes(weights, gate), ...tinkerRoutes(tinker)],
  });
  return { ...server, tinkerUrl: `http://${ADDRESS}:${server.port}` };
}

/** Its owner closes it. */
const shared = (engine: DecoderEngine): TrainingEngine => ({
  open: program => engine.open(program),
  close: async () => {},
});

/** An adapter is a file of this machine, or weights that a client of the Tinker protocol saved. */
async function readWeights(path: string, saved: SavedWeights): Promise<Uint8Array> {
  if (!path.startsWith(TINKER_SCHEME)) return readFile(path);
  try {
    return (await saved.read(path)).bytes;
  } catch (error) {
    throw error instanceof TinkerFault ? badRequest('lora_path', error.message, error) : error;
  }
}
