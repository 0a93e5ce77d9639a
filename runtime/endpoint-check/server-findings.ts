// Converts the capabilities of a server to findings. Pure.

import type { EndpointCapabilities } from '../endpoints/capabilities.ts';
import type { ServerAbility, ServerKind } from '../endpoints/server-identity.ts';
import { caution, type EndpointFinding, fine } from './report.ts';

const PROGRAMS: Readonly<Record<ServerKind, string>> = {
  vllm: 'vLLM',
  sglang: 'SGLang',
  'llama.cpp': 'llama.cpp',
  'llama-cpp-python': 'llama-cpp-python',
  ollama: 'Ollama',
  openai: 'OpenAI',
  dartboard: 'Dartboard',
  unknown: 'unknown program',
};

export const aboutServer = (capabilities: EndpointCapabilities): readonly EndpointFinding[] => [
  serverFinding(capabilities),
  modelFinding(capabilities),
  requestFinding(capabilities),
];

export const aboutTraining = (capabilities: EndpointCapabilities): readonly EndpointFinding[] => [
  tokenFinding(capabilities),
  weightsFinding(capabilities),
];

const serverFinding = ({ server: { kind, version } }: EndpointCapabilities): EndpointFinding =>
  fine('Server', version === undefined ? PROGRAMS[kind] : `${PROGRAMS[kind]} ${version}`);

const MAX_NAMES = 5;

function modelFinding({ model, models, aliases, answeredBy }: EndpointCapabilities): EndpointFinding {
  const name = 'Model';
  const answered = answeredBy === undefined || answeredBy === model ? '' : `, answers as '${answeredBy}'`;
  if (models.length === 0) return fine(name, `'${model}'${answered}; the server lists no models`);
  if (models.includes(model) || models.some(each => aliases.includes(each)))
    return fine(name, `'${model}'${answered}`);
  const listed = models.slice(0, MAX_NAMES).map(each => `'${each}'`);
  return caution(
    name,
    `the server answers for '${model}'${answered}, but lists ${listed.join(', ')}${models.length > MAX_NAMES ? ', …' : ''}`,
    "Set 'model' to a listed name, so that results name the right weights.",
  );
}

function requestFinding({ limitField, keepsLimit, sampling, extras }: EndpointCapabilities): EndpointFinding {
  const name = 'Requests';
  if (!keepsLimit)
    return caution(
      name,
      'the server ignores the limit of tokens, so a reply may take the whole context',
      'Update the server, or set a limit in its own options.',
    );
  if (!sampling)
    return caution(
      name,
      'the model rejects temperature, seed and penalties, so results cannot be repeated',
      'Nothing to do. Evaluate more instances than usual.',
    );
  const fields = extras
    ? `${limitField}, and the fields of vLLM and llama.cpp`
    : `${limitField}, and no fields beyond the protocol`;
  return fine(name, `accepts ${fields}`);
}

function tokenFinding({ tokenIds, promptIds }: EndpointCapabilities): EndpointFinding {
  const name = 'Token ids';
  if (tokenIds && promptIds) return fine(name, 'of prompts and replies');
  return fine(
    name,
    tokenIds ? 'of replies, not of prompts' : promptIds ? 'of prompts, not of replies' : 'none',
  );
}

const ABILITIES: Readonly<Record<ServerAbility, string>> = {
  present: 'yes',
  absent: 'no',
  unknown: 'unknown',
};

function weightsFinding({
  server: { lora, pause },
  versionIn,
  weightVersion,
}: EndpointCapabilities): EndpointFinding {
  const places = {
    reply: 'in replies',
    'model-name': 'in the name of the model',
    route: 'by a route',
  } as const;
  const version =
    versionIn === 'nowhere' ? 'not reported' : `${weightVersion ?? 'reported'} (${places[versionIn]})`;
  return fine(
    'Weights',
    `version ${version}; LoRA at run time: ${ABILITIES[lora]}; pause: ${ABILITIES[pause]}`,
  );
}
