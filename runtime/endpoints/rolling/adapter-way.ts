// Weights as a new adapter: the server keeps the old one, so that running requests finish on it and no drain is needed. The name in a
// request is its version.

import type { Clock } from '../../core/clock.ts';
import { version as asVersion } from '../../core/ids.ts';
import { backoffMs } from '../../core/retry.ts';
import { EndpointError, isTemporary } from '../failure.ts';
import { readModelList } from '../model-list.ts';
import type { AdapterName, Way, WayContext } from './way.ts';

/** An adapter of a large model has hundreds of megabytes, on a network disk. */
const LOAD_TIMEOUT_MS = 300_000;
const UNLOAD_TIMEOUT_MS = 60_000;

export function adapterWay({ client, kind, model, clock }: WayContext, nameOf: AdapterName): Way {
  // SGLang has its routes beside the base of the protocol, and takes the name of the model with the adapter behind a colon.
  const isSglang = kind === 'sglang';
  const prefix = isSglang ? `${model}:` : '';
  const control = async (route: string, body: object, timeoutMs: number, signal: AbortSignal) =>
    checkSuccess(
      await client.control({ at: isSglang ? 'root' : 'base', path: `/${route}`, body, timeoutMs }, signal),
      client.name,
      route,
    );
  const unload = (name: string, signal: AbortSignal) =>
    control('unload_lora_adapter', { lora_name: name }, UNLOAD_TIMEOUT_MS, signal);
  const loadOnce = (name: string, path: string, signal: AbortSignal) =>
    control('load_lora_adapter', { lora_name: name, lora_path: path }, LOAD_TIMEOUT_MS, signal);
  return {
    drains: false,
    load: async ({ version, path }, signal) => {
      const name = nameOf(version);
      await persistently(clock, signal, async () => {
        try {
          await loadOnce(name, path, signal);
        } catch (error) {
          if (!(error instanceof EndpointError) || error.reason !== 'bad-request') throw error;
          // An adapter of this name is loaded, perhaps from files that another run wrote.
          await unload(name, signal).catch(() => {
            throw error;
          });
          await loadOnce(name, path, signal);
        }
      });
      return { model: `${prefix}${name}`, version, isAdapter: true };
    },
    unload: (served, signal) => unload(served.slice(prefix.length), signal),
    adapters: async signal =>
      readModelList(await client.get('/models', signal)).flatMap(({ id }) => {
        const version = asVersion(Number(/\d{1,15}$/.exec(id)?.[0] ?? 0));
        return id === nameOf(version) ? [{ model: `${prefix}${id}`, version, isAdapter: true }] : [];
      }),
  };
}

const MAX_ATTEMPTS = 4;

/** Status 404 is temporary here: the files of a network disk arrive late. A load that timed out has had its time. */
async function persistently(clock: Clock, signal: AbortSignal, load: () => Promise<void>): Promise<void> {
  for (let failures = 1; ; failures++) {
    try {
      return await load();
    } catch (error) {
      signal.throwIfAborted();
      const mayPass =
        error instanceof EndpointError &&
        error.reason !== 'timeout' &&
        (isTemporary(error.reason) || error.reason === 'no-such-model');
      if (!mayPass || failures >= MAX_ATTEMPTS) throw error;
      await clock.sleep(backoffMs(failures), signal);
    }
  }
}

/** SGLang may report a failure with status 200. */
export function checkSuccess(body: string, server: string, route: string): void {
  const message = /"success"\s*:\s*false/.test(body)
    ? body.replaceAll(/\s+/g, ' ').slice(0, MAX_QUOTED)
    : undefined;
  if (message !== undefined)
    throw new EndpointError(
      'bad-request',
      server,
      `The server could not carry out '${route}': ${message}. Read its log.`,
    );
}

const MAX_QUOTED = 300;
