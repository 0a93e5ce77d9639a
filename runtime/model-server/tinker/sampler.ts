// Answers a request to sample: replies to a prompt, and on request the log-probabilities of the prompt itself.

import { MAX_CONTEXT, type MicroDecoder } from '../../agents/micro/decoder.ts';

import type { SampledToken } from '../../agents/micro/sampling.ts';
import { decodeTokens } from '../../agents/micro/tokenizer.ts';
import { END } from '../../agents/micro/vocabulary.ts';
import { seeded } from '../../core/rng.ts';
import type { TextChunk } from '../../learner/learner.ts';
import type { WeightVector } from '../../learner/micro/micro-trainer.ts';
import {
  type PictureChunk,
  promptRowOf,
  replyRowOf,
  tokensOfFirstCharacter,
} from '../../learner/micro/prompt-row.ts';
import type { SampleResult, TopTokens, WireChunk, WireSequence } from '../../learner/tinker/wire/messages.ts';
import { chunkOf } from './training-row.ts';

export interface SamplingRequest {
  readonly prompt: readonly WireChunk[];
  readonly samples: number;
  readonly maxTokens: number | undefined;
  readonly temperature: number;
  readonly seed: number | undefined;
  /** Texts or token ids that end a reply. Absent: the end token. Empty: nothing. */
  readonly stop: string | readonly string[] | readonly number[] | undefined;
  /** The number of alternatives of each sampled token; 0: none are reported. */
  readonly top: number;
  /** Absent: the prompt is not scored. */
  readonly score: ScoreRequest | undefined;
}

export interface ScoreRequest {
  /** The number of alternatives of each token; 0: none are reported. */
  readonly top: number;
  /** The number of tokens at the end that are scored; absent: all. */
  readonly last: number | undefined;
}

export interface SamplerOptions {
  readonly decoder: Pick<MicroDecoder, 'reply' | 'score'>;
  readonly weights: WeightVector;
  /** The seed of a request without one. */
  readonly randomSeed: () => number;
  readonly signal: AbortSignal;
}

/** Rejects with a TinkerFault, a MicroPromptError or a PromptLengthError for a fault of the request. */
export async function sample(request: SamplingRequest, options: SamplerOptions): Promise<SampleResult> {
  const { decoder, weights, randomSeed, signal } = options;
  const { samples, temperature, seed = randomSeed(), maxTokens = MAX_CONTEXT, stop, top } = request;
  const chunks = request.prompt.map(chunkOf);
  const prompt = promptRowOf(chunks);
  const sequences: WireSequence[] = [];
  for (let index = 0; index < samples; index++) {
    // Equal seeds have equal samples, which differ from one another.
    const random = seeded(`${seed}/${index}`);
    const { tokens, finish } = await decoder.reply(prompt, {
      ...{ temperature, weights, signal, maxTokens: Math.min(maxTokens, MAX_CONTEXT), alternatives: top },
      random: () => random.next(),
      isEnd: endOf(stop),
    });
    sequences.push({
      stopReason: finish,
      tokens: tokens.map(({ id }) => id),
      logprobs: tokens.map(({ logProbability }) => logProbability),
      ...(top > 0 && { topLogprobs: tokens.map(topOf) }),
    });
  }
  return { sequences, ...(request.score && (await scored(chunks, request.score, options))) };
}

const topOf = ({ alternatives }: SampledToken): TopTokens =>
  alternatives.map(({ id, logProbability }) => [id, logProbability] as const);

/** Whether a reply has ended. */
function endOf(stop: SamplingRequest['stop']): (tokens: readonly SampledToken[]) => boolean {
  const last = (tokens: readonly SampledToken[]) => tokens.at(-1)?.id;
  if (stop === undefined) return tokens => last(tokens) === END;
  const all: readonly (string | number)[] = typeof stop === 'string' ? [stop] : stop;
  if (all.length === 0) return () => false;
  const texts = all.filter(each => typeof each === 'string');
  return tokens => {
    const id = last(tokens);
    if (id === END || all.includes(id ?? END)) return true;
    if (texts.length === 0) return false;
    const text = decodeTokens(tokens.map(token => token.id));
    return texts.some(each => text.includes(each));
  };
}

/**
 * The log-probability of each token of the prompt from those before it. The model predicts tokens of a reply, so the text behind its first
 * token, or behind the bytes of its first character, is read as a reply to it. Patches and what the reply answers are not predicted.
 */
async function scored(
  chunks: readonly (TextChunk | PictureChunk)[],
  { top, last }: ScoreRequest,
  { decoder, weights, signal }: SamplerOptions,
): Promise<Pick<SampleResult, 'promptLogprobs' | 'topPromptLogprobs'>> {
  const ids = chunks.flatMap(chunk => (chunk.kind === 'text' ? chunk.tokens : []));
  const begin = tokensOfFirstCharacter(ids);
  const first = { kind: 'text', tokens: ids.slice(0, begin) } as const;
  const prompt = promptRowOf([...chunks.filter(({ kind }) => kind === 'image'), first]);
  const row = replyRowOf(prompt, ids.slice(begin));
  const tokens = ids.length > begin ? await decoder.score(row, { weights, alternatives: top, signal }) : [];
  const from = last === undefined ? 0 : row.entries.length - last;
  const listed = <X>(of: (token: SampledToken) => X) =>
    row.entries.map((_, place) => {
      const token = tokens[place - row.prompt];
      return place < from || token === undefined ? null : of(token);
    });
  return {
    promptLogprobs: listed(({ logProbability }) => logProbability),
    ...(top > 0 && { topPromptLogprobs: listed(topOf) }),
  };
}
