// Asks a server for the names of its models, so that the user chooses one instead of typing it.

import * as z from 'zod';
import { messageOf } from '../../runtime/core/errors.ts';

export type ModelList =
  /** `url` is the base that responded: the given one, or the one below it in `/v1`. */
  | { readonly kind: 'listed'; readonly url: string; readonly models: readonly string[] }
  /** `reason` is a clause, without the key. */
  | { readonly kind: 'missing'; readonly reason: string };

export interface ModelListOptions {
  readonly key?: string | undefined;
  readonly fetch: typeof fetch;
  /** Aborts at the deadline. */
  readonly signal: AbortSignal;
}

const modelList = z.object({ data: z.array(z.object({ id: z.string().min(1) })).min(1) });

export async function listModels(url: string, options: ModelListOptions): Promise<ModelList> {
  const list = await listAt(url, options);
  if (list.kind === 'listed' || new URL(url).pathname.replace(/\/$/, '').endsWith('/v1')) return list;
  const below = await listAt(`${url}/v1`, options);
  return below.kind === 'listed' ? below : list;
}

async function listAt(url: string, { key, fetch, signal }: ModelListOptions): Promise<ModelList> {
  const missing = (reason: string): ModelList => ({ kind: 'missing', reason });
  try {
    const headers = {
      accept: 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    };
    // A redirect would carry the key to another server.
    const reply = await fetch(`${url}/models`, { headers, signal, redirect: 'manual' });
    const body: unknown = await reply.json().catch(() => undefined);
    if (reply.status === 401 || reply.status === 403)
      return missing(`it ${key === undefined ? 'requires a' : 'rejected the'} key (status ${reply.status})`);
    if (!reply.ok) return missing(`it answered with status ${reply.status}`);
    const parsed = modelList.safeParse(body);
    if (!parsed.success) return missing('its reply is not a list of models');
    return { kind: 'listed', url, models: [...new Set(parsed.data.data.map(({ id }) => id))].sort() };
  } catch (error) {
    if (signal.aborted) return missing('it did not reply in time');
    // `fetch failed` has the reason as its cause.
    const reason = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return missing(messageOf(reason));
  }
}
