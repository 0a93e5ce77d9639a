// Checks what a program is fed. ONNX Runtime ignores feeds it does not know and words shape errors in its own terms,
// so names, types and shapes are checked here, with errors that say what was expected.

import type { Program, Spec } from './program.ts';
import { isSymbol, resolve, show } from './shape.ts';
import { type Tensor, type Tensors, whatIsWrong } from './tensor.ts';

export class FeedError extends Error {
  override readonly name = 'FeedError';
}

/** A symbol's value, and the feed that set it. */
interface Bound {
  readonly value: number;
  readonly by: string;
}

export function checkFeeds(program: Program, feeds: Tensors): void {
  const known = new Set(program.feeds.map(spec => spec.name));
  for (const name of Object.keys(feeds)) {
    if (!known.has(name))
      throw new FeedError(`There is no feed '${name}'; the program takes ${[...known].join(', ')}.`);
  }
  const bound = new Map<string, Bound>();
  for (const spec of program.feeds) {
    const feed = feeds[spec.name];
    if (feed === undefined)
      throw new FeedError(`The feed '${spec.name}' (${spec.dtype} ${show(spec.shape)}) is missing.`);
    checkFeed(spec, feed, bound);
  }
}

function checkFeed(spec: Spec, feed: Tensor, bound: Map<string, Bound>): void {
  const complain = (why: string): never => {
    const [found, wanted] = [`${feed.dtype} [${feed.dims}]`, `${spec.dtype} ${show(spec.shape)}`];
    throw new FeedError(`The feed '${spec.name}' is ${found}, the program takes ${wanted}: ${why}.`);
  };
  if (feed.dtype !== spec.dtype) complain('the types differ');
  if (feed.dims.length !== spec.shape.length) complain('the number of axes differs');
  const wrong = whatIsWrong(feed.dtype, feed.dims, feed.data);
  if (wrong !== undefined) complain(wrong);
  spec.shape.forEach((dim, axis) => {
    const size = feed.dims[axis] ?? 0;
    if (isSymbol(dim) && !bound.has(dim)) bound.set(dim, { value: size, by: spec.name });
    const values = new Map([...bound].map(([symbol, { value }]) => [symbol, value]));
    const wanted = resolve(dim, values);
    if (wanted === undefined || wanted === size) return;
    const setBy = typeof dim === 'string' ? bound.get(dim)?.by : undefined;
    complain(`axis ${axis} must be ${wanted}${setBy && setBy !== spec.name ? `, as in '${setBy}'` : ''}`);
  });
}
