// Finds which program a server is, its version, and whether it can load new weights while it runs. Only GET requests to routes that are
// documented as read-only: some control routes act on a GET too (/flush_cache of SGLang), so no control route is ever requested. Their
// presence is read from the list of routes in /openapi.json, which Dartboard publishes, and vLLM, SGLang and llama-cpp-python unless it is
// turned off.

import * as z from 'zod';
import { safeParse } from '../core/safe-parse.ts';
import type { EndpointClient } from './client.ts';
import { EndpointError } from './failure.ts';
import type { ListedModel } from './model-list.ts';

export const SERVER_KINDS = [
  'vllm',
  'sglang',
  'llama.cpp',
  'llama-cpp-python',
  'ollama',
  'openai',
  'dartboard',
  'unknown',
] as const;
export type ServerKind = (typeof SERVER_KINDS)[number];

/** 'unknown': the server does not publish its routes. */
export type ServerAbility = 'present' | 'absent' | 'unknown';

export interface ServerIdentity {
  readonly kind: ServerKind;
  readonly version?: string;
  /** Loads a LoRA adapter by a request. */
  readonly lora: ServerAbility;
  /** Pauses generation by a request, to update weights. */
  readonly pause: ServerAbility;
  /** Of the weights, from a route; absent if no route reports it. */
  readonly weightVersion?: string;
}

type RootClient = Pick<EndpointClient, 'getFromRoot'>;

export async function identifyServer(
  client: RootClient,
  models: readonly ListedModel[],
  signal: AbortSignal,
): Promise<ServerIdentity> {
  const ask = reader(client, signal);
  const owner = models.find(({ owner }) => owner !== undefined)?.owner ?? '';
  const byOwner = KIND_BY_OWNER[owner];
  // It has no routes for weights.
  if (byOwner === 'openai') return { kind: byOwner, lora: 'absent', pause: 'absent' };
  const document = await ask('/openapi.json', openApi);
  const routes = document === undefined ? undefined : Object.keys(document.paths);
  const kind = byOwner ?? kindOf(document) ?? (await kindByRoutes(ask));
  switch (kind) {
    case 'vllm': {
      const version = await ask('/version', z.object({ version: text }));
      const weights = routes?.includes('/weight_info') ? await ask('/weight_info', weightInfo) : undefined;
      return {
        ...{ kind, ...version, ...weights },
        lora: ability(routes, '/v1/load_lora_adapter'),
        pause: ability(routes, '/pause'),
      };
    }
    case 'sglang': {
      // The second names are those of older versions.
      const info = (await ask('/server_info', sglangInfo)) ?? (await ask('/get_server_info', sglangInfo));
      const weights =
        (await ask('/model_info', weightInfo)) ?? (await ask('/get_weight_version', weightInfo));
      return {
        ...{ kind, ...(info?.version !== undefined && { version: info.version }), ...weights },
        // The route exists without --enable-lora too.
        lora: info?.enable_lora === false ? 'absent' : ability(routes, '/load_lora_adapter'),
        pause: ability(routes, '/pause_generation'),
      };
    }
    case 'llama.cpp': {
      const props = await ask('/props', llamaProps);
      return { kind, ...props, lora: 'absent', pause: 'absent' };
    }
    case 'dartboard':
      // Only a server that loads adapters publishes its routes.
      return {
        kind,
        lora: ability(routes ?? [], '/v1/load_lora_adapter'),
        pause: ability(routes ?? [], '/pause'),
      };
    case 'ollama': {
      const version = await ask('/api/version', z.object({ version: text }));
      return { kind, ...version, lora: 'absent', pause: 'absent' };
    }
    case 'llama-cpp-python': {
      const version = document?.info.version;
      return { kind, ...(version !== undefined && { version }), lora: 'absent', pause: 'absent' };
    }
    default:
      return {
        kind,
        lora: ability(routes, '/v1/load_lora_adapter', '/load_lora_adapter'),
        pause: ability(routes, '/pause', '/pause_generation'),
      };
  }
}

/** The field `owned_by` of a model list. */
const KIND_BY_OWNER: Readonly<Record<string, ServerKind>> = {
  vllm: 'vllm',
  sglang: 'sglang',
  llamacpp: 'llama.cpp',
  library: 'ollama',
  openai: 'openai',
  'openai-internal': 'openai',
  system: 'openai',
  dartboard: 'dartboard',
};

const text = z.string().min(1).max(200);

const openApi = z.object({
  info: z.object({ title: z.string().catch(''), version: text.optional().catch(undefined) }),
  paths: z.record(z.string(), z.unknown()),
});

const weightInfo = z
  .object({ weight_version: z.union([text, z.number()]) })
  .transform(({ weight_version }) => ({ weightVersion: String(weight_version) }));

const sglangInfo = z.object({ version: text.exactOptional(), enable_lora: z.boolean().nullish() });

const llamaProps = z.object({ build_info: text }).transform(({ build_info }) => ({ version: build_info }));

function kindOf(document: z.infer<typeof openApi> | undefined): ServerKind | undefined {
  if (document === undefined) return undefined;
  if (document.info.title.includes('llama.cpp Python')) return 'llama-cpp-python';
  if ('/update_weights_from_disk' in document.paths) return 'sglang';
  return '/version' in document.paths && '/detokenize' in document.paths ? 'vllm' : undefined;
}

/** For servers whose model list is generic. */
async function kindByRoutes(ask: Ask): Promise<ServerKind> {
  if ((await ask('/props', llamaProps)) !== undefined) return 'llama.cpp';
  if ((await ask('/api/version', z.object({ version: text }))) !== undefined) return 'ollama';
  return 'unknown';
}

function ability(routes: readonly string[] | undefined, ...names: readonly string[]): ServerAbility {
  if (routes === undefined) return 'unknown';
  return names.some(name => routes.includes(name)) ? 'present' : 'absent';
}

type Ask = <T>(path: string, type: z.ZodType<T>) => Promise<T | undefined>;

/** A route that is missing, fails, or answers something else is undefined: the identity of a server is never required. */
const reader =
  (client: RootClient, signal: AbortSignal): Ask =>
  async (path, type) => {
    try {
      return safeParse(type, await client.getFromRoot(path, signal)).data;
    } catch (error) {
      if (error instanceof EndpointError) return undefined;
      throw error;
    }
  };
