// The control routes of the micro model's server, as vLLM has them: adapters at run time, and pauses of generation. Unlike there, they
// need the API key.

import * as z from 'zod';
import { badRequest } from '../api-error.ts';
import { type ApiExchange, type ApiRoute, sendJson } from '../api-server.ts';
import { checkedBody } from '../checked-body.ts';
import { readBody } from '../request-body.ts';
import { type GenerationGate, PAUSE_MODES } from './generation-gate.ts';
import type { WeightsRegister } from './served-weights.ts';

const MAX_BODY = 64 * 1024;

const adapterName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'use 1 to 100 of A-Z a-z 0-9 . _ -');
const loadRequest = z.object({
  lora_name: adapterName,
  lora_path: z.string().min(1),
  load_inplace: z.boolean().default(false),
});
const unloadRequest = z.object({ lora_name: z.string() });

export const controlRoutes = (weights: WeightsRegister, gate: GenerationGate): readonly ApiRoute[] => [
  {
    method: 'POST',
    path: '/v1/load_lora_adapter',
    answer: async exchange => {
      const { lora_name: name, lora_path: path, load_inplace: inPlace } = await bodyOf(exchange, loadRequest);
      await weights.load({ name, path, inPlace });
      sendJson(exchange.response, 200, { message: `The adapter '${name}' is loaded.` });
    },
  },
  {
    method: 'POST',
    path: '/v1/unload_lora_adapter',
    answer: async exchange => {
      const { lora_name: name } = await bodyOf(exchange, unloadRequest);
      weights.unload(name);
      sendJson(exchange.response, 200, { message: `The adapter '${name}' is unloaded.` });
    },
  },
  {
    method: 'POST',
    path: '/pause',
    answer: async ({ request, response }) => {
      await gate.pause(modeOf(request.url ?? ''));
      sendJson(response, 200, { is_paused: gate.isPaused });
    },
  },
  {
    method: 'POST',
    path: '/resume',
    answer: async ({ response }) => {
      gate.resume();
      sendJson(response, 200, { is_paused: gate.isPaused });
    },
  },
  {
    method: 'GET',
    path: '/is_paused',
    answer: async ({ response }) => sendJson(response, 200, { is_paused: gate.isPaused }),
  },
];

function modeOf(url: string) {
  const given = new URLSearchParams(url.split('?')[1]).get('mode') ?? 'abort';
  const mode = PAUSE_MODES.find(each => each === given);
  if (mode === undefined)
    throw badRequest('mode', `The mode '${given}' of a pause is unknown. Use ${PAUSE_MODES.join(', ')}.`);
  return mode;
}

const bodyOf = async <T>({ request }: ApiExchange, schema: z.ZodType<T>): Promise<T> =>
  checkedBody(await readBody(request, MAX_BODY), schema, () => 'Correct it.');
