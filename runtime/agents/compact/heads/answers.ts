// Layers that the decision heads share: attention scores over tokens, summaries of tokens, and votes of single instruction words.

import type { Graph, Value } from '../../../graph/graph.ts';
import * as initial from '../../../graph/initial.ts';
import { linear } from '../../../graph/layers.ts';
import * as op from '../../../graph/ops/index.ts';
import type { Embedded } from '../embedding.ts';
import { SORTS } from '../token-numbers.ts';
import { SPEAKING_WORDS } from '../word-tokenizer.ts';
import { type Distribution, maskLogits } from './graph-decision.ts';

export interface HeadInput extends Embedded {
  /** Weight of the words that two tokens share: [B, T, T]. */
  readonly relation: Value;
  /** 1 for each token, 0 for padding: [B, T]. */
  readonly valid: Value;
}

/** Symbolic dimensions: batch rows, tokens per row, voting words per instruction. */
const [B, T, W] = ['B', 'T', 'W'];

/** Number of weighted means in a summary. */
const VIEWS = 8;

/** Scale of vote tables. Few rows touch each entry, so larger effective steps make the votes learn faster. */
const VOTE_SCALE = 15;

export class HeadAnswers {
  readonly graph: Graph;
  readonly input: HeadInput;
  readonly width: number;
  /** Index of each token. */
  readonly order: Value;
  /** 1 for words of the instruction. */
  readonly isWord: Value;
  /** 1 for tokens after the instruction: elements, patches, past actions, lines and remembered texts. */
  readonly isScreenToken: Value;
  readonly #votingWords: Value;
  readonly #hasVote: Value;

  constructor(graph: Graph, input: HeadInput) {
    this.graph = graph;
    this.input = input;
    this.width = Number(input.tokens.shape[2]);
    this.order = graph.input('order', 'int32', [B, T]);
    // The instruction's words are the tokens 1 to `words`.
    const words = op.unsqueeze(graph.input('words', 'int32', [B]), 1);
    this.isWord = op.cast(op.and(op.less(0, this.order), op.lessOrEqual(this.order, words)), 'float32');
    this.isScreenToken = op.mul(op.cast(op.less(words, this.order), 'float32'), input.valid);
    this.#votingWords = graph.input('speaking', 'int32', [B, W]);
    this.#hasVote = op.cast(op.less(0, this.#votingWords), 'float32');
  }

  flags(name: string): Value {
    return op.cast(this.graph.input(name, 'uint8', [B, T]), 'float32');
  }

  /** The sum of `vectors`, weighted by `weights`: [B, count]. */
  weightedSum(weights: Value, vectors: Value, count: number): Value {
    return op.reshape(op.matmul(op.unsqueeze(weights, 1), vectors), [B, count]);
  }

  /** One-hot over tokens: 1 for the chosen token. */
  oneHotOf({ choice }: Distribution): Value {
    return op.cast(op.equal(this.order, op.unsqueeze(choice, 1)), 'float32');
  }

  tokenAt(chosen: Distribution): Value {
    return this.weightedSum(this.oneHotOf(chosen), this.input.tokens, this.width);
  }

  perceptron(name: string, input: Value, count: number): Value {
    const inner = op.relu(linear(this.graph, input, `${name}.1`, this.width, Math.SQRT2));
    return linear(this.graph, inner, `${name}.2`, count, 0.5);
  }

  /** Bag of words: each word of the instruction adds a learned vector, independent of its context. */
  votes(name: string, count: number): Value {
    const { graph } = this;
    const table = graph.parameter(`${name}.votes.table`, [SPEAKING_WORDS, count], initial.constant(0));
    return op.mul(this.weightedSum(this.#hasVote, op.gather(table, this.#votingWords), count), VOTE_SCALE);
  }

  /** Scaled dot product of a query with each token. The key matrix is applied to the query, which costs less than a key per token. */
  scores(name: string, query: Value): Value {
    const { graph, width, input } = this;
    const keys = graph.parameter(`${name}.keys`, [width, width], initial.fanIn());
    const projected = op.gemm(query, keys, { transB: true });
    const scores = op.matmul(input.tokens, op.reshape(projected, [B, width, 1]));
    return op.mul(op.reshape(scores, [B, T]), 1 / Math.sqrt(width));
  }

  /** Scores where the query also attends to instruction words, and so scores tokens that share these words. */
  scoresByWords(name: string, query: Value): Value {
    const { isWord, input } = this;
    const attention = op.mul(op.softmax(maskLogits(this.scores(`${name}.named`, query), isWord)), isWord);
    const shared = op.reshape(op.matmul(op.unsqueeze(attention, 1), input.relation), [B, T]);
    const weight = this.graph.parameter(`${name}.share`, [1], initial.constant(6));
    return op.add(op.add(this.scores(name, query), op.mul(shared, weight)), this.#sortVotes(name));
  }

  /** Votes of the instruction's words for the sort of each token. */
  #sortVotes(name: string): Value {
    return op.gatherElements(this.votes(name, SORTS), this.input.sorts, 1);
  }

  /** Projection of VIEWS learned weighted means of the tokens in `mask`. */
  summary(name: string, mask: Value): Value {
    const { graph, input, width } = this;
    const scores = op.transpose(linear(graph, input.tokens, `${name}.sees`, VIEWS, 2), [0, 2, 1]);
    const allowed = op.unsqueeze(mask, 1);
    const weights = op.mul(op.softmax(maskLogits(scores, allowed)), allowed);
    return linear(graph, op.reshape(op.matmul(weights, input.tokens), [B, VIEWS * width]), name, width);
  }
}
