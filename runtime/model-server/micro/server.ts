// The server of the micro model with an engine process of its own.

import { randomBytes, randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { decodeMicro } from '../../agents/micro/weights-file.ts';
import { DurableFolder } from '../../data/files/durable.ts';
import { type Engine, startEngine } from '../../engine/engine.ts';
import type { ChildEnd } from '../../rpc/child.ts';
import { type MicroServer, type ServeMicroOptions, serveMicro } from './serve-micro.ts';

export interface MicroServerOptions
  extends Pick<ServeMicroOptions, 'name' | 'port' | 'key' | 'clock' | 'notice'> {
  /** The weights. */
  readonly file: string;
  /** For the weights that clients of the Tinker protocol save. */
  readonly folder: string;
  /** The bundled engine-child.ts. */
  readonly engineEntry: URL;
}

export interface OwnedMicroServer extends MicroServer {
  /** Resolves with the reason when the engine of the replies has ended: every later chat would fail. `close` ends the engines too. Never rejects. */
  readonly ended: Promise<string>;
}

/** Rejects when the weights cannot be read or the port is taken. */
export async function startMicroServer({
  file,
  folder,
  engineEntry,
  ...rest
}: MicroServerOptions): Promise<OwnedMicroServer> {
  const model = decodeMicro(await readFile(file), basename(file));
  const engine = await startEngine({ entry: engineEntry });
  const training = new Set<Promise<Engine>>();
  let isClosing = false;
  const closeEngines = async () => {
    isClosing = true;
    await engine.close();
    // One that did not start has nothing to end.
    for (const each of await Promise.allSettled(training))
      if (each.status === 'fulfilled') await each.value.close();
  };
  try {
    const server = await serveMicro({
      // Replies do not wait for training.
      trainingEngine: async () => {
        // A request whose engine has ended starts another one.
        if (isClosing) throw new Error('The server is closing, so it trains no more. Start it again.');
        const started = startEngine({ entry: engineEntry });
        training.add(started);
        const forget = () => training.delete(started);
        const report = ({ message }: ChildEnd) => {
          forget();
          if (!isClosing) rest.notice(`${message} The next request that trains starts another one.`);
        };
        // The request that needs it reports a failed start.
        started.then(({ ended }) => ended).then(report, forget);
        return started;
      },
      ...{ ...rest, engine, model, folder: new DurableFolder(folder) },
      newId: () => randomBytes(12).toString('hex'),
      randomSeed: () => randomInt(2 ** 32),
    });
    return {
      ...server,
      ended: engine.ended.then(({ message }) => message),
      close: async () => {
        await server.close();
        await closeEngines();
      },
    };
  } catch (error) {
    await closeEngines();
    throw error;
  }
}
