// How tokens answer a question: which of them, what they say on the whole, and what single words of the instruction speak for.

import type { Graph, Value } from '../../graph/graph.ts';
import * as initial from '../../graph/initial.ts';
import { linear } from '../../graph/layers.ts';
import * as op from '../../graph/ops/index.ts';
import type { Embedded } from '../embedding.ts';
import { SORTS } from '../token-numbers.ts';
import { SPEAKING_WORDS } from '../word-tokenizer.ts';
import { barred, type Distribution } from './choosing.ts';

export interface Thought extends Embedded {
  /** Which tokens share words, and how much that says: [B, T, T]. */
  readonly relation: Value;
  /** 1 for each token that is there: [B, T]. */
  readonly valid: Value;
}

/** Rows of the batch, tokens of a row, words of its instruction that speak. */
const [B, T, W] = ['B', 'T', 'W'];

/** Weighted means of which a summary is made. */
const VIEWS = 8;

/** What few rows concern is learned so much faster: an optimiser's step is scaled up with what it changes. */
const FAST = 15;

export class HeadAnswers {
  readonly graph: Graph;
  readonly thought: Thought;
  readonly width: number;
  /** The number of each token, and 1 for words of the instruction and for all that stands behind them. */
  readonly order: Value;
  readonly isWord: Value;
  readonly isThing: Value;
  readonly #speaking: Value;
  readonly #speaks: Value;

  constructor(graph: Graph, thought: Thought) {
    this.graph = graph;
    this.thought = thought;
    this.width = Number(thought.tokens.shape[2]);
    this.order = graph.input('order', 'int32', [B, T]);
    /** The instruction's words are the tokens 1 to `words`. */
    const words = op.unsqueeze(graph.input('words', 'int32', [B]), 1);
    this.isWord = op.cast(op.and(op.less(0, this.order), op.lessOrEqual(this.order, words)), 'float32');
    this.isThing = op.mul(op.cast(op.less(words, this.order), 'float32'), thought.valid);
    this.#speaking = graph.input('speaking', 'int32', [B, W]);
    this.#speaks = op.cast(op.less(0, this.#speaking), 'float32');
  }

  flags(name: string): Value {
    return op.cast(this.graph.input(name, 'uint8', [B, T]), 'float32');
  }

  /** The sum of some of the tokens, or of the one among them: [B, of each]. */
  summed(some: Value, of: Value, count: number): Value {
    return op.reshape(op.matmul(op.unsqueeze(some, 1), of), [B, count]);
  }

  /** 1 for the token that was chosen. */
  chosenOf({ choice }: Distribution): Value {
    return op.cast(op.equal(this.order, op.unsqueeze(choice, 1)), 'float32');
  }

  tokenAt(chosen: Distribution): Value {
    return this.summed(this.chosenOf(chosen), this.thought.tokens, this.width);
  }

  perceptron(name: string, input: Value, count: number): Value {
    const inner = op.relu(linear(this.graph, input, `${name}.1`, this.width, Math.SQRT2));
    return linear(this.graph, inner, `${name}.2`, count, 0.5);
  }

  /** What each word of the instruction speaks for by itself, whatever stands around it, all added up. */
  votes(name: string, count: number): Value {
    const { graph } = this;
    const table = graph.parameter(`${name}.votes.table`, [SPEAKING_WORDS, count], initial.constant(0));
    return op.mul(this.summed(this.#speaks, op.gather(table, this.#speaking), count), FAST);
  }

  /** How well the key of each token answers a query: the query is made to ask for tokens, which is cheaper than a key for each. */
  over(name: string, query: Value): Value {
    const { graph, width, thought } = this;
    const keys = graph.parameter(`${name}.keys`, [width, width], initial.fanIn());
    const asked = op.gemm(query, keys, { transB: true });
    const scores = op.matmul(thought.tokens, op.reshape(asked, [B, width, 1]));
    return op.mul(op.reshape(scores, [B, T]), 1 / Math.sqrt(width));
  }

  /** The same, where a query may also ask for words of the instruction, and so for what shares those words. */
  overNamed(name: string, query: Value): Value {
    const { isWord, thought } = this;
    const asked = op.mul(op.softmax(barred(this.over(`${name}.named`, query), isWord)), isWord);
    const shared = op.reshape(op.matmul(op.unsqueeze(asked, 1), thought.relation), [B, T]);
    const weight = this.graph.parameter(`${name}.share`, [1], initial.constant(6));
    return op.add(op.add(this.over(name, query), op.mul(shared, weight)), this.#votesForSorts(name));
  }

  /** Which sorts of things the words of the instruction speak for. */
  #votesForSorts(name: string): Value {
    return op.gatherElements(this.votes(name, SORTS), this.thought.sorts, 1);
  }

  /** What some tokens say on the whole: a few weighted means of them. */
  summary(name: string, some: Value): Value {
    const { graph, thought, width } = this;
    const scores = op.transpose(linear(graph, thought.tokens, `${name}.sees`, VIEWS, 2), [0, 2, 1]);
    const among = op.unsqueeze(some, 1);
    const weights = op.mul(op.softmax(barred(scores, among)), among);
    return linear(graph, op.reshape(op.matmul(weights, thought.tokens), [B, VIEWS * width]), name, width);
  }
}
