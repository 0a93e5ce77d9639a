// The version of its weights that a server reports by a route.

import * as z from 'zod';
import { safeParse } from '../../core/safe-parse.ts';
import { EndpointError } from '../failure.ts';
import type { WayContext } from './way.ts';

const report = z.object({ weight_version: z.union([z.string(), z.number()]).nullish() });

/** The second route is that of older versions. */
const ROUTES = { vllm: ['/weight_info'], sglang: ['/model_info', '/get_weight_version'] } as const;

/** Undefined if the server reports no version. Rejects with an EndpointError if it does not answer. */
export async function reportedWeightVersion(
  { client, kind }: Pick<WayContext, 'client' | 'kind'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const route of kind === 'vllm' || kind === 'sglang' ? ROUTES[kind] : [])
    try {
      const parsed = safeParse(report, await client.getFromRoot(route, signal));
      const version = parsed.success ? parsed.data.weight_version : undefined;
      if (version != null) return String(version);
    } catch (error) {
      if (!(error instanceof EndpointError) || error.reason !== 'no-such-model') throw error;
    }
  return undefined;
}
