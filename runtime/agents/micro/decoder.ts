// Generates replies token by token: reads the prompt once, then runs one token at a time against the cache of keys and values. Requests
// take turns, because the cache of a session belongs to one reply at a time.

import { at } from '../../core/at.ts';
import { WEIGHTS } from '../../graph/layout.ts';
import type { Program } from '../../graph/program.ts';
import type { Session } from '../../graph/session.ts';
import { type Tensor, type Tensors, tensor } from '../../graph/tensor.ts';
import {
  copyFeeds,
  positions,
  readingFeeds,
  relationFeeds,
  replyFeeds,
  roundedLength,
  tokenFeeds,
} from './feeds.ts';
import type { MicroShape } from './network.ts';
import { readingProgram, writingProgram } from './programs.ts';
import { type MicroRow, ReplyTokens, type TokenEntry } from './row.ts';
import { type SampledToken, TokenDistribution } from './sampling.ts';
import { END } from './vocabulary.ts';

export interface ReplyOptions {
  /** 0 takes the likeliest token. */
  readonly temperature: number;
  /** Tokens including the end token. */
  readonly maxTokens: number;
  /** The number of alternatives of each token. */
  readonly alternatives: number;
  /** Uniform from 0 to 1. */
  readonly random: () => number;
  /** Loaded when the last reply had others; compared by identity. */
  readonly weights: Float32Array<ArrayBuffer>;
  /** Ends the reply behind the last token; by default behind the end token. */
  readonly isEnd?: (tokens: readonly SampledToken[]) => boolean;
  readonly signal?: AbortSignal;
}

export interface MicroReply {
  readonly tokens: readonly SampledToken[];
  /** 'length': the reply ends at the limit of tokens. */
  readonly finish: 'stop' | 'length';
}

/** A prompt with its reply must fit. */
export const MAX_CONTEXT = 1024;
/** Capacities of the cache: a short row is decoded faster. */
const CAPACITIES = [256, 384, 512, 768, MAX_CONTEXT];

/** The prompt is empty, or leaves no room for a reply. */
export class PromptLengthError extends Error {
  override readonly name = 'PromptLengthError';
}

export interface DecoderEngine {
  open(program: Program): Promise<Session>;
}

export class MicroDecoder {
  readonly #engine: DecoderEngine;
  readonly #shape: MicroShape;
  readonly #reading: Session;
  /** By capacity, opened when one is needed. */
  readonly #writing = new Map<number, Promise<Session>>();
  #weights: Float32Array<ArrayBuffer> | undefined;
  /** The last queued call. */
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(engine: DecoderEngine, shape: MicroShape, reading: Session) {
    this.#engine = engine;
    this.#shape = shape;
    this.#reading = reading;
  }

  static async open(engine: DecoderEngine, shape: MicroShape): Promise<MicroDecoder> {
    return new MicroDecoder(engine, shape, await engine.open(readingProgram(shape)));
  }

  reply(prompt: MicroRow, options: ReplyOptions): Promise<MicroReply> {
    return this.#inTurn(() => this.#reply(prompt, options));
  }

  /** The tokens of a reply that is known, as if they had been sampled. */
  score(
    row: MicroRow,
    { weights, alternatives, signal }: Pick<ReplyOptions, 'weights' | 'alternatives' | 'signal'>,
  ): Promise<readonly SampledToken[]> {
    return this.#inTurn(async () => {
      signal?.throwIfAborted();
      await this.#use(weights);
      const { target: _, weight: __, ...feeds } = replyFeeds([{ row, weights: [] }]);
      const outputs = await this.#reading.run(feeds);
      const prompt = row.entries.slice(0, row.prompt);
      return row.entries
        .slice(row.prompt)
        .map(({ id }, place) => TokenDistribution.of(outputs, prompt, place).of(id, alternatives));
    });
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#reading.close();
      for (const session of this.#writing.values()) await (await session).close();
    });
  }

  async #reply(prompt: MicroRow, options: ReplyOptions): Promise<MicroReply> {
    if (prompt.entries.length === 0)
      throw new PromptLengthError(
        'The prompt has no tokens. Send a text, or a picture that shows something.',
      );
    const most = Math.min(options.maxTokens, MAX_CONTEXT - prompt.entries.length);
    if (most < 1)
      throw new PromptLengthError(
        `The prompt has ${prompt.entries.length} tokens; the limit is ${MAX_CONTEXT - 1}. Send a shorter history or element list.`,
      );
    options.signal?.throwIfAborted();
    await this.#use(options.weights);
    const entries = [...prompt.entries];
    const reading = await this.#reading.run(promptFeeds(prompt));
    let distribution = TokenDistribution.of(reading, prompt.entries);
    const { isEnd = endsWithEnd } = options;
    const tokens: SampledToken[] = [];
    const following = new ReplyTokens(prompt);
    let writing: { readonly session: Session; readonly capacity: number } | undefined;
    for (;;) {
      const token = distribution.sample(options.temperature, options.random, options.alternatives);
      tokens.push(token);
      if (isEnd(tokens)) return { tokens, finish: 'stop' };
      if (tokens.length >= most) return { tokens, finish: 'length' };
      options.signal?.throwIfAborted();
      writing ??= await this.#begin(reading, prompt.entries.length, entries.length + most);
      const entry = following.next(token.id);
      entries.push(entry);
      const outputs = await this.#step(writing, stepFeeds(entries, entry, writing.capacity));
      distribution = TokenDistribution.of(outputs, prompt.entries);
    }
  }

  /** A failed run may have left a part of its state, so its session is not used again. */
  async #step(
    { session, capacity }: { readonly session: Session; readonly capacity: number },
    feeds: Tensors,
  ): Promise<Tensors> {
    try {
      return await session.run(feeds);
    } catch (error) {
      this.#writing.delete(capacity);
      // The error of the run counts.
      await session.close().catch(() => undefined);
      throw error;
    }
  }

  async #use(weights: Float32Array<ArrayBuffer>): Promise<void> {
    if (this.#weights === weights) return;
    // Until all sessions have the new weights, no session counts as up to date.
    this.#weights = undefined;
    const state = stateOf(weights);
    await this.#reading.write(state);
    for (const session of this.#writing.values()) await (await session).write(state);
    this.#weights = weights;
  }

  /** A session whose cache holds the prompt. */
  async #begin(reading: Tensors, prompt: number, length: number) {
    const capacity = CAPACITIES.find(each => each >= length) ?? MAX_CONTEXT;
    const session = await this.#writingSession(capacity);
    const state: Record<string, Tensor> = {};
    for (const [name, { dims, data }] of Object.entries(reading)) {
      if (!name.startsWith('cache.')) continue;
      const width = at(dims, dims.length - 1);
      const padded = new Float32Array(capacity * width);
      padded.set((data as Float32Array).subarray(0, prompt * width));
      state[name] = tensor('float32', [1, capacity, width], padded);
    }
    await session.write(state);
    return { session, capacity };
  }

  #writingSession(capacity: number): Promise<Session> {
    const known = this.#writing.get(capacity);
    if (known !== undefined) return known;
    const opened = this.#engine.open(writingProgram(this.#shape, capacity)).then(async session => {
      if (this.#weights !== undefined) await session.write(stateOf(this.#weights));
      return session;
    });
    this.#writing.set(capacity, opened);
    // Another request tries again after a failure.
    opened.catch(() => this.#writing.delete(capacity));
    return opened;
  }

  #inTurn<X>(work: () => Promise<X>): Promise<X> {
    const done = this.#queue.then(work);
    // The caller handles the error of `done`; the queue only waits for its end.
    this.#queue = done.catch(() => undefined);
    return done;
  }
}

const endsWithEnd = (tokens: readonly SampledToken[]): boolean => tokens.at(-1)?.id === END;

const stateOf = (weights: Float32Array<ArrayBuffer>): Tensors => ({
  [WEIGHTS]: tensor('float32', [weights.length], weights),
});

/** One row without a reply: the distribution after its last token. */
export function promptFeeds(prompt: MicroRow): Tensors {
  const { entries } = prompt;
  const length = roundedLength(entries.length);
  const last = at(entries, entries.length - 1);
  return {
    ...tokenFeeds([prompt], length),
    ...relationFeeds([entries], length),
    ...copyFeeds([entries], length),
    position: positions(1, length),
    ...readingFeeds(
      Int32Array.of(entries.length - 1),
      Int32Array.of(last.token),
      Int32Array.of(last.pair),
      1,
      1,
    ),
  };
}

/** The last entry, against all entries in the cache. */
export function stepFeeds(entries: readonly TokenEntry[], entry: TokenEntry, capacity: number): Tensors {
  const row: MicroRow = { entries: [entry], prompt: 0, squares: new Uint8Array(), screen: undefined };
  const { tokens, places, words, letters } = tokenFeeds([row], 1);
  const slot = new Uint8Array(capacity);
  slot[entries.length - 1] = 1;
  const reading = readingFeeds(
    new Int32Array(1),
    Int32Array.of(entry.token),
    Int32Array.of(entry.pair),
    1,
    1,
  );
  return {
    ...(tokens && { tokens }),
    ...(places && { places }),
    ...(words && { words }),
    ...(letters && { letters }),
    ...relationFeeds([entries], capacity),
    ...relationFeeds([[entry]], 1, 'own.'),
    ...copyFeeds([entries], capacity),
    ...(reading['token'] && { token: reading['token'] }),
    ...(reading['pair'] && { pair: reading['pair'] }),
    slot: tensor('uint8', [1, capacity], slot),
  };
}
