// The trace of a turn: how its policy chose, either by the heads of the built-in network or by tokens of text. This file and the
// agents alone distinguish the kinds; everybody else asks for uncertainty, probability, equality, or the row for training.

import { type Decision, type Head, uncertainty } from './decision.ts';
import { sum } from './sum.ts';

export type Trace = HeadsTrace | TokensTrace | SameTurnTrace;

export interface HeadsTrace {
  readonly kind: 'heads';
  /** In order of decision; never empty. */
  readonly decisions: readonly Decision[];
}

/** One reply of a language model. */
export interface TokensTrace {
  readonly kind: 'tokens';
  /** The generated tokens in order, with the end token if the server reports it; empty if the server reports no tokens. */
  readonly tokens: readonly Token[];
  /** The ids of the prompt, if the server reports them. Text is never tokenised again. */
  readonly prompt?: readonly number[];
  readonly estimator: EntropyEstimator;
  /** 'length': the reply was cut at the token limit. */
  readonly finish: 'stop' | 'length';
  /** The reply, character by character as the server sent it. */
  readonly raw: string;
  readonly thought?: string;
  /** Why the reply contains no action that can be performed. */
  readonly malformed?: string;
  /** What is wrong with the report of the server. A step with a defect never trains. */
  readonly defects: readonly ReplyDefect[];
  readonly served: Served;
}

/** The second and later actions of a turn: the first step of the turn has its trace. */
export interface SameTurnTrace {
  readonly kind: 'same-turn';
}

export interface Token {
  /** As the server prints it; a part of a character is printed as U+FFFD. */
  readonly text: string;
  readonly id?: number;
  /** Natural logarithm, of the distribution that the token was sampled from. Absent if the server does not report it. */
  readonly logProbability?: number;
  /** An estimate in nats; see `estimator`. */
  readonly entropy?: number;
  /** Likeliest first. */
  readonly alternatives?: readonly TokenAlternative[];
}

export interface TokenAlternative {
  readonly text: string;
  readonly logProbability: number;
}

/**
 * exact: from the whole distribution.
 * top-k: unbiased, from the likeliest tokens and the surprisal of the others.
 * surprisal: −log p of the sampled token; unbiased, with more noise.
 * none: the server reports no log-probabilities.
 * Values of different estimators are not comparable.
 */
export const ENTROPY_ESTIMATORS = ['exact', 'top-k', 'surprisal', 'none'] as const;
export type EntropyEstimator = (typeof ENTROPY_ESTIMATORS)[number];

/** A wrong report of a server about its own reply. */
export const REPLY_DEFECTS = [
  /** The numbers of token ids and of log-probabilities differ. */
  'log-probabilities-length',
  /** A log-probability is −9999, not a number, or above 0. */
  'log-probability-invalid',
  /** Tokens continue after the stop. */
  'text-after-stop',
  /** The tokens do not spell the text. */
  'tokens-differ-from-text',
  /** Another model answered than the one that was requested, or weights of another version. */
  'wrong-model',
  /** The weights changed while the reply was generated. */
  'mixed-versions',
] as const;
export type ReplyDefect = (typeof REPLY_DEFECTS)[number];

/** Who answered, and at what cost. */
export interface Served {
  /** The name of the endpoint in dartboard.json, and its worker if it has several URLs. */
  readonly endpoint: string;
  readonly model: string;
  /** The version of the weights as the server reports it. */
  readonly reportedVersion?: string;
  /** From the first byte of the accepted request to the last byte of the reply. */
  readonly latencyMs: number;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  /** In the currency of the configured prices. */
  readonly cost?: number;
  /** The causes of failed requests before this reply, in order. Each request was sent again with the same seed. */
  readonly retries: readonly string[];
}

type Judged = Exclude<Trace, SameTurnTrace>;

/**
 * The uncertainty of a turn. heads: see `uncertainty`, from 0 to 1. tokens: the mean entropy of the tokens in nats; undefined without
 * log-probabilities.
 */
export function traceUncertainty(trace: Trace): number | undefined {
  switch (trace.kind) {
    case 'heads':
      return uncertainty(trace.decisions);
    case 'tokens':
      return meanOf(trace.tokens.map(({ entropy }) => entropy));
    case 'same-turn':
      return undefined;
  }
}

/**
 * The probability of a turn, from 0 to 1. heads: of all decisions together. tokens: the geometric mean over the tokens, because the joint
 * probability of a hundred tokens is close to 0 for every reply. Undefined where a part of it is unknown.
 */
export function traceProbability(trace: Trace): number | undefined {
  const logarithm = traceLogProbability(trace);
  if (logarithm === undefined) return undefined;
  return Math.exp(trace.kind === 'tokens' ? logarithm / trace.tokens.length : logarithm);
}

/** The natural logarithm of the joint probability of a turn; undefined where a part of it is unknown. */
export function traceLogProbability(trace: Trace): number | undefined {
  if (trace.kind === 'same-turn') return undefined;
  const parts = partsOf(trace).map(({ logProbability }) => logProbability);
  return parts.length === 0 || parts.includes(undefined) ? undefined : sum(parts.flatMap(each => each ?? []));
}

/** What a batch transports of a turn. */
export type TrainingChoice = HeadsChoice | TokensChoice;

export interface HeadsChoice {
  readonly kind: 'heads';
  /** In order of decision; never empty. */
  readonly decisions: readonly BatchDecision[];
}

export interface BatchDecision {
  readonly head: Head;
  /** As in Decision. */
  readonly choice: number;
  /** From the rollout; absent on demonstrations, for which the trainer computes it with the weights before the update. */
  readonly logProbability?: number;
}

export interface TokensChoice {
  readonly kind: 'tokens';
  readonly prompt: readonly number[];
  readonly ids: readonly number[];
  /** One for each id; absent on demonstrations. */
  readonly logProbabilities?: readonly number[];
  /** One for each id, in nats. */
  readonly entropies?: readonly number[];
  readonly estimator: EntropyEstimator;
}

/** The part of a turn that trains. Undefined for one that cannot train, and for later actions of a turn. */
export function trainingChoice(trace: Trace): TrainingChoice | undefined {
  switch (trace.kind) {
    case 'heads': {
      const decisions = trace.decisions.map(({ head, choice, logProbability }) => ({
        ...{ head, choice, logProbability },
      }));
      return decisions.length === 0 ? undefined : { kind: 'heads', decisions };
    }
    case 'tokens': {
      const { tokens, prompt, estimator } = trace;
      if (prompt === undefined || trainingRefusal(trace) !== undefined) return undefined;
      const entropies = tokens.flatMap(({ entropy = [] }) => entropy);
      return {
        ...{ kind: 'tokens', prompt, estimator },
        ids: tokens.flatMap(({ id = [] }) => id),
        logProbabilities: tokens.flatMap(({ logProbability = [] }) => logProbability),
        ...(entropies.length === tokens.length && { entropies }),
      };
    }
    case 'same-turn':
      return undefined;
  }
}

/** Equal keys: the policy chose the same. */
export const choiceKey = (choice: TrainingChoice): string =>
  JSON.stringify(
    choice.kind === 'heads' ? choice.decisions.map(({ head, choice: number }) => [head, number]) : choice.ids,
  );

/** A choice as a demonstration: without the log-probabilities of old weights, which would make wrong importance ratios. */
export function withoutProbabilities(choice: TrainingChoice): TrainingChoice {
  if (choice.kind === 'heads')
    return {
      kind: 'heads',
      decisions: choice.decisions.map(({ head, choice: number }) => ({ head, choice: number })),
    };
  const { kind, prompt, ids, estimator } = choice;
  return { kind, prompt, ids, estimator };
}

/** Why a turn cannot train; undefined if it can. */
export function trainingRefusal(trace: Trace): string | undefined {
  if (trace.kind !== 'tokens') return undefined;
  const { tokens, prompt, defects } = trace;
  if (defects.length > 0) return `the report of the server is wrong: ${defects.join(', ')}`;
  if (prompt === undefined || tokens.length === 0 || tokens.some(({ id }) => id === undefined))
    return 'the server reports no token ids';
  if (tokens.some(({ logProbability }) => logProbability === undefined))
    return 'the server reports no log-probabilities';
  return undefined;
}

const partsOf = (trace: Judged): readonly { readonly logProbability?: number }[] =>
  trace.kind === 'heads' ? trace.decisions : trace.tokens;

function meanOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.flatMap(each => each ?? []);
  return known.length === 0 || known.length < values.length ? undefined : sum(known) / known.length;
}
