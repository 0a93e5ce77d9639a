// How a step was chosen, as a line of a trajectory file contains it. Decisions of the built-in policy keep the format of the first files;
// the tokens of a reply are columns, because a reply has hundreds of them.

import * as z from 'zod';
import { at } from '../../core/at.ts';
import type { Decision } from '../../core/decision.ts';
import type { ChosenBy } from '../../core/step.ts';
import {
  ENTROPY_ESTIMATORS,
  REPLY_DEFECTS,
  type Token,
  type TokensTrace,
  type Trace,
} from '../../core/trace.ts';
import { decision, version } from './schema.ts';

/** One entry for each token; null where the server reported nothing. */
const column = z.array(z.number().nullable());

const tokenColumns = z.object({
  text: z.array(z.string()),
  id: column,
  logProbability: column,
  entropy: column,
  alternatives: z.array(z.array(z.tuple([z.string(), z.number()]))),
});

const reply = z.object({
  tokens: tokenColumns,
  prompt: z.array(z.number()).exactOptional(),
  estimator: z.enum(ENTROPY_ESTIMATORS),
  finish: z.enum(['stop', 'length']),
  raw: z.string(),
  thought: z.string().exactOptional(),
  malformed: z.string().exactOptional(),
  defects: z.array(z.enum(REPLY_DEFECTS)),
  served: z.object({
    endpoint: z.string(),
    model: z.string(),
    reportedVersion: z.string().exactOptional(),
    latencyMs: z.number(),
    promptTokens: z.number().exactOptional(),
    completionTokens: z.number().exactOptional(),
    cost: z.number().exactOptional(),
    retries: z.array(z.string()),
  }),
});

export const chosenLine = z.union([
  z.object({ version, decisions: z.array(decision) }),
  z.object({ version, reply }),
  z.object({ version, sameTurn: z.literal(true) }),
]);

type ChosenLine = z.output<typeof chosenLine>;
type ReplyLine = z.output<typeof reply>;

/** Bounds on the alternatives that a file keeps per decision or token. */
const MIN_LOG_PROBABILITY = Math.log(0.01);
const MAX_ALTERNATIVES = 4;

/** Without unlikely alternatives. */
export function keptTrace(trace: Trace): Trace {
  switch (trace.kind) {
    case 'heads':
      return {
        ...trace,
        decisions: trace.decisions.map(each => ({ ...each, alternatives: likely(each.alternatives) })),
      };
    case 'tokens':
      return { ...trace, tokens: trace.tokens.map(keptToken) };
    case 'same-turn':
      return trace;
  }
}

function keptToken({ alternatives = [], ...token }: Token): Token {
  const kept = likely(alternatives);
  return kept.length > 0 ? { ...token, alternatives: kept } : token;
}

const likely = <T extends { readonly logProbability: number }>(alternatives: readonly T[]): readonly T[] =>
  alternatives
    .filter(({ logProbability }) => logProbability >= MIN_LOG_PROBABILITY)
    .slice(0, MAX_ALTERNATIVES);

export function chosenLineOf({ version: by, trace }: ChosenBy): z.input<typeof chosenLine> {
  switch (trace.kind) {
    case 'heads':
      return { version: by, decisions: trace.decisions.map(mutable) };
    case 'tokens':
      return { version: by, reply: replyLineOf(trace) };
    case 'same-turn':
      return { version: by, sameTurn: true };
  }
}

export function chosenOf(line: ChosenLine): ChosenBy {
  if ('decisions' in line)
    return { version: line.version, trace: { kind: 'heads', decisions: line.decisions } };
  if ('reply' in line) return { version: line.version, trace: traceOf(line.reply) };
  return { version: line.version, trace: { kind: 'same-turn' } };
}

const mutable = ({ alternatives, ...rest }: Decision) => ({ ...rest, alternatives: [...alternatives] });

function replyLineOf({ kind: _, tokens, prompt, defects, served, ...rest }: TokensTrace): ReplyLine {
  const numbers = (of: (token: Token) => number | undefined) => tokens.map(token => of(token) ?? null);
  return {
    ...rest,
    tokens: {
      text: tokens.map(({ text }) => text),
      id: numbers(({ id }) => id),
      logProbability: numbers(({ logProbability }) => logProbability),
      entropy: numbers(({ entropy }) => entropy),
      alternatives: tokens.map(({ alternatives = [] }) =>
        alternatives.map(({ text, logProbability }): [string, number] => [text, logProbability]),
      ),
    },
    ...(prompt !== undefined && { prompt: [...prompt] }),
    defects: [...defects],
    served: { ...served, retries: [...served.retries] },
  };
}

function traceOf({ tokens: columns, ...rest }: ReplyLine): TokensTrace {
  const { text, id, logProbability, entropy, alternatives } = columns;
  if ([id, logProbability, entropy, alternatives].some(({ length }) => length !== text.length))
    throw new RangeError('the columns of a reply have different lengths');
  const tokens = text.map((each, index): Token => {
    const others = at(alternatives, index).map(([name, likelihood]) => ({
      ...{ text: name, logProbability: likelihood },
    }));
    return {
      text: each,
      ...field('id', id[index]),
      ...field('logProbability', logProbability[index]),
      ...field('entropy', entropy[index]),
      ...(others.length > 0 && { alternatives: others }),
    };
  });
  return { kind: 'tokens', ...rest, tokens };
}

const field = <Name extends string>(
  name: Name,
  value: number | null | undefined,
): { readonly [_ in Name]?: number } =>
  value === null || value === undefined ? {} : ({ [name]: value } as { readonly [_ in Name]: number });

/** All probabilities and entropies: JSON cannot represent NaN and infinities. */
export function numbersIn(trace: Trace): readonly number[] {
  if (trace.kind === 'same-turn') return [];
  const parts = trace.kind === 'heads' ? trace.decisions : trace.tokens;
  return parts.flatMap(({ logProbability = [], entropy = [], alternatives = [] }) => [
    ...[logProbability, entropy].flat(),
    ...alternatives.map(alternative => alternative.logProbability),
  ]);
}
