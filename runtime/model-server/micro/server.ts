// The micro model behind the OpenAI chat protocol: an engine process that computes, and the HTTP server.

import { randomBytes, randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { MicroDecoder } from '../../agents/micro/decoder.ts';
import { decodeMicro } from '../../agents/micro/weights-file.ts';
import type { Clock } from '../../core/clock.ts';
import { startEngine } from '../../engine/engine.ts';
import { type ChatServer, startChatServer } from '../chat-server.ts';
import { MicroBackend } from './backend.ts';

export interface MicroServerOptions {
  /** The weights. */
  readonly file: string;
  /** The name of the model in requests. */
  readonly name: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly key: string;
  /** The bundled engine-child.ts. */
  readonly engineEntry: URL;
  readonly clock: Clock;
  /** Reports failures of the server. */
  readonly notice: (text: string) => void;
}

/** Rejects when the weights cannot be read or the port is taken. */
export async function startMicroServer({
  file,
  name,
  engineEntry,
  ...rest
}: MicroServerOptions): Promise<ChatServer> {
  const model = decodeMicro(await readFile(file), basename(file));
  const engine = await startEngine({ entry: engineEntry });
  try {
    const backend = new MicroBackend({
      ...{ name, model, decoder: await MicroDecoder.open(engine, model.shape) },
      created: Math.floor(rest.clock.now() / 1000),
      randomSeed: () => randomInt(2 ** 32),
    });
    const server = await startChatServer({ ...rest, backend, newId: () => randomBytes(12).toString('hex') });
    return {
      ...server,
      close: async () => {
        await server.close();
        await engine.close();
      },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}
