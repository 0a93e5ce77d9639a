// The capabilities of a server, which probe.ts finds, and the uses that they allow for its agent. Pure.

import { REPLY_DEFECTS, type ReplyDefect } from '../core/trace.ts';
import { wayOf } from './rolling/decide.ts';
import type { ServerIdentity } from './server-identity.ts';
import type { WireDialect } from './wire-request.ts';

export interface EndpointCapabilities {
  /** The name in requests. */
  readonly model: string;
  /** Other names of this model. */
  readonly aliases: readonly string[];
  /** The names that the server lists; empty if it lists none. */
  readonly models: readonly string[];
  /** The model in the reply, if the server reports it. */
  readonly answeredBy?: string;
  readonly server: ServerIdentity;
  readonly limitField: WireDialect['limitField'];
  /** Whether replies keep to the limit of tokens. */
  readonly keepsLimit: boolean;
  /** Whether requests may contain temperature, nucleus, seed and penalties. */
  readonly sampling: boolean;
  /** Whether requests may contain the fields that vLLM, SGLang and llama.cpp add. */
  readonly extras: boolean;
  readonly allTokens: WireDialect['allTokens'];
  /** Whether messages may contain images; undefined if the probe did not send one. */
  readonly images?: boolean;
  /** The number of candidates at each position; 0: only the sampled token; undefined: no log-probabilities. */
  readonly topCount?: number;
  /** Whether replies contain the ids of their tokens. */
  readonly tokenIds: boolean;
  /** Whether replies contain the ids of the prompt. */
  readonly promptIds: boolean;
  /** Where the version of the weights is reported: in each reply, in the name of the model, or by a route. */
  readonly versionIn: 'reply' | 'model-name' | 'route' | 'nowhere';
  readonly weightVersion?: string;
  /** Wrong reports in the reply to the probe. */
  readonly defects: readonly ReplyDefect[];
}

export const dialectOf = ({
  limitField,
  sampling,
  extras,
  allTokens,
  topCount,
}: EndpointCapabilities): WireDialect => ({
  ...{ limitField, sampling, extras, allTokens },
  ...(topCount !== undefined && { topCount }),
});

export const USES = ['evaluation', 'annotation', 'fine-tuning', 'training'] as const;
/** 'fine-tuning': imitation of recorded replies. 'training': reinforcement learning. */
export type AgentUse = (typeof USES)[number];

export interface UseVerdict {
  readonly allowed: boolean;
  /** Why not, and what to do. Empty if it is allowed. */
  readonly reasons: readonly string[];
}

export type UseVerdicts = Readonly<Record<AgentUse, UseVerdict>>;

export interface AgentNeeds {
  /** Whether the mode of the agent shows screenshots. */
  readonly images: boolean;
  /** Whether a command of the user restarts each server with new weights. */
  readonly restarts?: boolean;
}

/** An agent that may be trained may also be evaluated, annotated and imitated. */
export function usesOf(capabilities: EndpointCapabilities, needs: AgentNeeds): UseVerdicts {
  const playing =
    needs.images && capabilities.images === false
      ? [
          "The server rejects images, and the mode of the agent shows screenshots. Serve a model with vision, or use the profile 'generic' in the mode 'a11y_tree'.",
        ]
      : [];
  const played = verdict(playing);
  const training = verdict([...playing, ...trainingRefusals(capabilities, needs)]);
  return { evaluation: played, annotation: played, 'fine-tuning': played, training };
}

const verdict = (reasons: readonly string[]): UseVerdict => ({ allowed: reasons.length === 0, reasons });

function trainingRefusals(
  capabilities: EndpointCapabilities,
  { restarts = false }: AgentNeeds,
): readonly string[] {
  const { sampling, topCount, tokenIds, promptIds, defects, keepsLimit } = capabilities;
  const { server } = capabilities;
  const checks: readonly (readonly [boolean, string])[] = [
    [
      !sampling,
      'The server rejects sampling fields, so replies cannot be sampled at temperature 1. Serve the weights with vLLM or SGLang.',
    ],
    [
      topCount === undefined,
      'The server reports no log-probabilities. Serve the weights with vLLM or SGLang, and do not disable log-probabilities.',
    ],
    [
      !tokenIds || !promptIds,
      `The server does not report the token ids of ${tokenIds ? 'prompts' : promptIds ? 'replies' : 'prompts and replies'}. Serve the weights with vLLM 0.10.2 or newer.`,
    ],
    [
      defects.length > 0,
      `The reports of the server about its own replies are wrong: ${defects.join(', ')}. Update the server, and turn off speculative decoding.`,
    ],
    [!keepsLimit, 'The server ignores the limit of tokens. Update the server.'],
    [
      wayOf(server, restarts) === undefined,
      `The server ${server.lora === 'unknown' ? 'does not show whether it can' : 'cannot'} load new weights while it runs. Start vLLM with --enable-lora and VLLM_ALLOW_RUNTIME_LORA_UPDATING=True, without --disable-fastapi-docs, or add 'restart' to each of 'endpoints'.`,
    ],
  ];
  return checks.flatMap(([isRefused, reason]) => (isRefused ? [reason] : []));
}

/** What all servers of an agent have in common: any of them may answer the next request. Throws a RangeError without a server. */
export function commonCapabilities(all: readonly EndpointCapabilities[]): EndpointCapabilities {
  const [first, ...others] = all;
  if (first === undefined) throw new RangeError('An agent needs at least one server. Name one.');
  return others.reduce(common, first);
}

function common(a: EndpointCapabilities, b: EndpointCapabilities): EndpointCapabilities {
  const { images: _, topCount: __, ...rest } = a;
  const topCount =
    a.topCount === undefined || b.topCount === undefined ? undefined : Math.min(a.topCount, b.topCount);
  const images = a.images === undefined || b.images === undefined ? undefined : a.images && b.images;
  return {
    ...rest,
    ...(topCount !== undefined && { topCount }),
    ...(images !== undefined && { images }),
    server: {
      ...rest.server,
      lora: weaker(a.server.lora, b.server.lora),
      pause: weaker(a.server.pause, b.server.pause),
    },
    keepsLimit: a.keepsLimit && b.keepsLimit,
    sampling: a.sampling && b.sampling,
    extras: a.extras && b.extras,
    tokenIds: a.tokenIds && b.tokenIds,
    promptIds: a.promptIds && b.promptIds,
    versionIn: a.versionIn === b.versionIn ? a.versionIn : 'nowhere',
    defects: REPLY_DEFECTS.filter(defect => a.defects.includes(defect) || b.defects.includes(defect)),
  };
}

type Ability = ServerIdentity['lora'];

const FROM_WEAKEST: readonly Ability[] = ['absent', 'unknown', 'present'];

const weaker = (a: Ability, b: Ability): Ability =>
  FROM_WEAKEST.indexOf(a) < FROM_WEAKEST.indexOf(b) ? a : b;
