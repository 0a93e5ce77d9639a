// A server of a tiny micro model in this process, and requests to it.

import { systemClock } from '../../../runtime/core/system-clock.ts';
import {
  type MicroServer,
  type ServeMicroOptions,
  serveMicro,
} from '../../../runtime/model-server/micro/serve-micro.ts';
import { TINY, tinyWeights } from '../../agents/micro/tiny.ts';
import { localEngine, MemoryFolder } from '../../learner/micro/fixture.ts';

export const KEY = 'tml-a-key-for-the-tests';

export interface TinyServer extends MicroServer {
  readonly folder: MemoryFolder;
  /** Failures of the server. */
  readonly notices: readonly string[];
  get(path: string): Promise<Response>;
  post(
    path: string,
    body: object | Uint8Array,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
}

export async function tinyServer(
  folder = new MemoryFolder(),
  training: Pick<ServeMicroOptions, 'trainingEngine'> = {},
): Promise<TinyServer> {
  let ids = 0;
  const notices: string[] = [];
  const server = await serveMicro({
    ...{ engine: localEngine, folder, name: 'micro', port: 0, key: KEY, clock: systemClock },
    model: { shape: TINY, version: 7, weights: tinyWeights('server') },
    newId: () => `id${++ids}`,
    randomSeed: () => 1,
    notice: text => notices.push(text),
    ...training,
  });
  const headers = { 'x-api-key': KEY };
  return {
    ...{ ...server, folder, notices },
    get: path => fetch(server.tinkerUrl + path, { headers }),
    post: (path, body, more = {}) =>
      fetch(server.tinkerUrl + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', ...more },
        body: body instanceof Uint8Array ? body.slice() : JSON.stringify(body),
      }),
  };
}
