// The agents of models behind endpoints, by name. The built-in agent `compact` needs no entry.

import * as z from 'zod';
import { PROFILE_IDS } from '../../agents/model/profile.ts';
import { COMPACT_AGENT } from '../../core/agent.ts';
import { MODES } from '../../core/policy.ts';
import type { DeepReadonly } from '../deep-readonly.ts';
import { key, url } from './connection.ts';
import { counts, MAX_LIST_ITEMS, text } from './descriptions.ts';
import { learner, learnerProblems } from './learner.ts';

const MAX_ARGUMENT = 10_000;
const AGENT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const model = text.describe('The name of the model, as the server lists it.');

const restart = z
  .strictObject({
    command: text.describe('The program. It runs without a shell, and must end once the server starts.'),
    args: z
      .array(z.string().max(MAX_ARGUMENT))
      .max(MAX_LIST_ITEMS)
      .describe('Its arguments.')
      .exactOptional(),
  })
  .describe(
    'Restarts the server with new weights, if it cannot load them while it runs. The variables DARTBOARD_WEIGHTS_PATH, DARTBOARD_WEIGHTS_VERSION and DARTBOARD_MODEL_NAME describe them.',
  );

const endpoint = z.strictObject({
  url: url.describe('The base URL of an OpenAI-compatible server, such as http://localhost:8000/v1.'),
  model: model.exactOptional(),
  restart: restart.exactOptional(),
});

const sampling = z
  .strictObject({
    temperature: z.number().min(0).max(2).describe('Default: 1. Training needs 1.').exactOptional(),
    topP: z.number().gt(0).max(1).describe('Default: 1. Training needs 1.').exactOptional(),
    topK: counts(-1, 1_000_000).describe('-1 for all tokens, which is the default.').exactOptional(),
    maxTokens: counts(1, 100_000)
      .describe('The most tokens of a reply. Default: that of the profile.')
      .exactOptional(),
  })
  .describe('How replies are sampled. Default: the values of the profile.');

const MAX_AMOUNT = 1e12;

const limits = z
  .strictObject({
    concurrency: counts(1, 10_000)
      .describe('The most requests at a time to each URL. Default: 64.')
      .exactOptional(),
    timeoutSeconds: z
      .number()
      .gt(0)
      .max(3600)
      .describe('The deadline of one request. Default: 120.')
      .exactOptional(),
    retries: counts(0, 100)
      .describe('How often a failed request is sent again, with the same seed. Default: 8.')
      .exactOptional(),
    tokens: counts(1, MAX_AMOUNT)
      .describe('The most tokens of prompts and replies together. Default: unlimited.')
      .exactOptional(),
    money: z
      .number()
      .gt(0)
      .max(MAX_AMOUNT)
      .describe('The most cost, in the currency of `prices`. Default: unlimited.')
      .exactOptional(),
  })
  .describe('Limits of requests and of cost, for one run, evaluation or collection.');

const price = z.number().min(0).max(MAX_AMOUNT);
const prices = z
  .strictObject({
    input: price.describe('Per million tokens of prompts.'),
    output: price.describe('Per million tokens of replies.'),
    training: price
      .describe('Per million tokens of prompts and replies in the updates of the learner. Default: 0.')
      .exactOptional(),
  })
  .describe('Prices in any currency, to compute the cost. Default: none.');

const settings = z.strictObject({
  profile: z
    .enum(PROFILE_IDS)
    .describe('The family of the model: its prompt, its coordinates and its actions.'),
  mode: z.enum(MODES).describe('The observation of the model. Default: that of the profile.').exactOptional(),
  model: model.exactOptional(),
  url: url
    .describe(
      'The base URL of an OpenAI-compatible server, such as http://localhost:8000/v1. Excludes `endpoints`.',
    )
    .exactOptional(),
  endpoints: z
    .array(endpoint)
    .min(1)
    .max(MAX_LIST_ITEMS)
    .describe('Several servers of the same model. Excludes `url`.')
    .exactOptional(),
  key: key.exactOptional(),
  sampling: sampling.exactOptional(),
  limits: limits.exactOptional(),
  prices: prices.exactOptional(),
  learner: learner.exactOptional(),
  imageToken: counts(0, 10_000_000)
    .describe(
      'The id of the token that fills the places of an image in the prompt, for training. Default: that of the profile.',
    )
    .exactOptional(),
});

export type AgentSettings = DeepReadonly<z.infer<typeof settings>>;

/** The settings that a host needs to prompt a model and to read its replies, if another machine has the servers. */
export const promptedAgent = settings.pick({ profile: true, sampling: true });

export type PromptedAgent = DeepReadonly<z.infer<typeof promptedAgent>>;

const agent = settings.superRefine((each, context) => {
  for (const { path, message } of agentProblems(each))
    context.addIssue({ code: 'custom', path: [...path], message });
});

interface AgentProblem {
  readonly path: readonly string[];
  readonly message: string;
}

function agentProblems({
  url,
  endpoints,
  model,
  limits,
  prices,
  learner: trainedBy,
}: AgentSettings): readonly AgentProblem[] {
  const missing = endpoints?.find(each => model === undefined && each.model === undefined);
  const urls = endpoints?.map(each => each.url) ?? [];
  const checks: readonly (readonly [boolean, readonly string[], string])[] = [
    [
      url === undefined && endpoints === undefined,
      [],
      "The agent has no server. Add 'url', such as http://localhost:8000/v1.",
    ],
    [
      url !== undefined && endpoints !== undefined,
      ['url'],
      "'url' and 'endpoints' exclude each other. Remove one of them.",
    ],
    [
      new Set(urls).size < urls.length,
      ['endpoints'],
      'Two endpoints have the same URL. Name each server once.',
    ],
    [
      model === undefined && (endpoints === undefined || missing !== undefined),
      [],
      "The agent has no model. Add 'model' with the name that the server lists.",
    ],
    [
      limits?.money !== undefined && prices === undefined,
      ['limits', 'money'],
      "'limits.money' has no effect without 'prices'. Add the prices per million tokens, or remove it.",
    ],
  ];
  return [
    ...checks.flatMap(([isProblem, path, message]) => (isProblem ? [{ path, message }] : [])),
    ...(trainedBy === undefined ? [] : learnerProblems(trainedBy)),
  ];
}

/** A configuration takes time in proportion to the square of their number. */
const MAX_AGENTS = 100;

export const agents = z
  .record(z.string(), agent)
  .superRefine((all, context) => {
    const count = Object.keys(all).length;
    if (count > MAX_AGENTS)
      context.addIssue({
        ...{ code: 'custom', path: [] },
        message: `'agents' has ${count} entries, the limit is ${MAX_AGENTS}. Remove some.`,
      });
    for (const name of Object.keys(all)) {
      const problem = nameProblem(name);
      if (problem !== undefined) context.addIssue({ code: 'custom', path: [name], message: problem });
    }
  })
  .meta({ patternErrorMessage: 'an object with one entry for each agent' })
  .describe('Agents of vision-language models behind OpenAI-compatible servers, by name.');

function nameProblem(name: string): string | undefined {
  if (name === COMPACT_AGENT) return `'${COMPACT_AGENT}' is the built-in agent. Choose another name.`;
  if (AGENT_NAME.test(name)) return undefined;
  return 'The name of an agent has 1 to 64 letters, digits, dots, hyphens or underscores, and starts with a letter or digit. Rename it.';
}

export const agentName = z
  .string()
  .regex(AGENT_NAME)
  .meta({ patternErrorMessage: `${COMPACT_AGENT} or the name of an entry of 'agents'` })
  .describe(
    'The agent that plays: `compact`, which is built in, or the name of an entry of `agents`. To train an entry, add its `learner`.',
  );
