// Validates the feeds of a program: names, types and shapes. ONNX Runtime ignores unknown feeds, and its shape errors do not name
// the feed.

import { at } from '../core/at.ts';
import { own } from '../core/own.ts';
import type { Program, Spec } from './program.ts';
import { type Dim, isSymbol, resolve, show, solved } from './shape.ts';
import { type Tensor, type Tensors, whatIsWrong } from './tensor.ts';

export class FeedError extends Error {
  override readonly name = 'FeedError';
}

/** A symbol's value, and the feed that set it. */
interface Bound {
  readonly value: number;
  readonly by: string;
}

interface Fed {
  readonly spec: Spec;
  readonly feed: Tensor;
}

export function checkFeeds(program: Program, feeds: Tensors): void {
  const known = new Set(program.feeds.map(spec => spec.name));
  for (const name of Object.keys(feeds)) {
    if (!known.has(name))
      throw new FeedError(`There is no feed '${name}'; the program takes ${[...known].join(', ')}.`);
  }
  const fed = program.feeds.map(spec => ({ spec, feed: found(spec, feeds) }));
  for (const each of fed) checkType(each);
  // Plain symbols first: they determine products such as 8*B in other feeds.
  const bound = new Map<string, Bound>();
  bind(fed, bound, isSymbol);
  bind(fed, bound, () => true);
  for (const each of fed) checkShape(each, bound);
}

function found(spec: Spec, feeds: Tensors): Tensor {
  const feed = own(feeds, spec.name);
  if (feed !== undefined) return feed;
  throw new FeedError(`The feed '${spec.name}' (${spec.dtype} ${show(spec.shape)}) is missing.`);
}

function failFeed({ spec, feed }: Fed, why: string): never {
  const [actual, expected] = [`${feed.dtype} [${feed.dims}]`, `${spec.dtype} ${show(spec.shape)}`];
  throw new FeedError(`The feed '${spec.name}' is ${actual}, the program takes ${expected}: ${why}.`);
}

function checkType(fed: Fed): void {
  const { spec, feed } = fed;
  if (feed.dtype !== spec.dtype) failFeed(fed, 'the types differ');
  if (feed.dims.length !== spec.shape.length) failFeed(fed, 'the number of axes differs');
  const wrong = whatIsWrong(feed.dtype, feed.dims, feed.data);
  if (wrong !== undefined) failFeed(fed, wrong);
}

function bind(all: readonly Fed[], bound: Map<string, Bound>, which: (dim: Dim) => boolean): void {
  for (const { spec, feed } of all) {
    for (const [axis, dim] of spec.shape.entries()) {
      const one = which(dim) ? solved(dim, at(feed.dims, axis)) : undefined;
      if (one !== undefined && !bound.has(one.symbol))
        bound.set(one.symbol, { value: one.value, by: spec.name });
    }
  }
}

function checkShape(fed: Fed, bound: ReadonlyMap<string, Bound>): void {
  const values = new Map([...bound].map(([symbol, { value }]) => [symbol, value]));
  for (const [axis, dim] of fed.spec.shape.entries()) {
    const wanted = resolve(dim, values);
    if (wanted === undefined || wanted === fed.feed.dims[axis]) continue;
    const setBy = [...bound].find(([symbol]) => String(dim).split('*').includes(symbol))?.[1].by;
    const because = setBy !== undefined && setBy !== fed.spec.name ? `, as in '${setBy}'` : '';
    failFeed(fed, `axis ${axis} must be ${wanted}${because}`);
  }
}
