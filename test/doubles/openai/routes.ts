// The read-only routes of the double.

import type { HttpReply } from '../../../runtime/endpoints/http-transport.ts';
import { errorReply, json } from './replies.ts';
import type { ServerTraits } from './traits.ts';

const OWNERS: Readonly<Record<ServerTraits['kind'], string>> = {
  vllm: 'vllm',
  sglang: 'sglang',
  'llama.cpp': 'llamacpp',
  'llama-cpp-python': 'me',
  ollama: 'library',
  openai: 'system',
  dartboard: 'dartboard',
  unknown: 'somebody',
};

export function getReply(traits: ServerTraits, path: string): HttpReply {
  const found = routesOf(traits)[path];
  return found === undefined ? errorReply(404, 'Not Found') : json(200, found);
}

function routesOf(traits: ServerTraits): Readonly<Record<string, unknown>> {
  const { kind, version, weightVersions = [], root, lora = false } = traits;
  const weight_version = weightVersions.at(-1);
  const shared = {
    ...(traits.listsModels && { '/v1/models': modelList(traits) }),
    ...(traits.openApi && { '/openapi.json': openApi(traits) }),
  };
  switch (kind) {
    case 'vllm':
      return {
        ...{ ...shared, '/version': { version } },
        ...(traits.control && weight_version !== undefined && { '/weight_info': { weight_version } }),
      };
    case 'sglang':
      return {
        ...shared,
        [traits.oldRoutes ? '/get_server_info' : '/server_info']: {
          ...{ version, model_path: root, enable_lora: lora, internal_states: [] },
        },
        [traits.oldRoutes ? '/get_weight_version' : '/model_info']: { weight_version },
      };
    case 'llama.cpp':
      return {
        ...shared,
        '/props': { build_info: version, total_slots: 1, model_path: '/models/tars.gguf' },
      };
    case 'ollama':
      return { ...shared, '/api/version': { version } };
    default:
      return shared;
  }
}

function modelList({ kind, names, root, adapters = [], owner = OWNERS[kind] }: ServerTraits): unknown {
  const entry = (id: string) => ({ id, object: 'model', created: 0, owned_by: owner });
  const base = names.map(id => ({
    ...entry(id),
    ...(root !== undefined && { root, parent: null, max_model_len: 32_768 }),
  }));
  const loaded = adapters.map(id => ({ ...entry(id), root: `/adapters/${id}`, parent: names[0] }));
  return { object: 'list', data: [...base, ...loaded] };
}

function openApi({ kind, version, lora, control }: ServerTraits): unknown {
  const paths: Readonly<Partial<Record<ServerTraits['kind'], readonly string[]>>> = {
    vllm: [
      ...['/version', '/tokenize', '/detokenize'],
      ...(lora ? ['/v1/load_lora_adapter', '/v1/unload_lora_adapter'] : []),
      ...(control ? ['/pause', '/resume', '/is_paused', '/weight_info', '/update_weights'] : []),
    ],
    // These routes exist whatever the options of the server are.
    sglang: [
      ...['/server_info', '/model_info', '/flush_cache', '/update_weights_from_disk', '/load_lora_adapter'],
      ...(control ? ['/pause_generation', '/continue_generation'] : []),
    ],
  };
  const title = kind === 'llama-cpp-python' ? '🦙 llama.cpp Python API' : 'FastAPI';
  const all = ['/v1/models', '/v1/chat/completions', ...(paths[kind] ?? [])];
  return {
    info: { title, version: kind === 'llama-cpp-python' ? version : '0.1.0' },
    paths: Object.fromEntries(all.map(path => [path, {}])),
  };
}
