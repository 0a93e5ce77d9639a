// Matrix products. For y = a·b, the gradient of a is dy·bᵀ and the gradient of b is aᵀ·dy.

import { at } from '../../core/at.ts';
import type { Operation, Value } from '../graph.ts';
import { only, typeOf } from '../operation.ts';
import { broadcast } from '../shape.ts';
import { reshape, swapLast } from './arrange.ts';
import { sumTo } from './reduce.ts';

const MATMUL: Operation = {
  type: 'MatMul',
  infer: inference => {
    const { inputs, refuse } = inference;
    const [a, b] = [at(inputs, 0), at(inputs, 1)];
    const dtype = typeOf(inference, 'floats');
    const [rows, inner] = a.shape.slice(-2);
    const [innerOfB, columns] = b.shape.slice(-2);
    if (rows === undefined || inner === undefined || innerOfB === undefined || columns === undefined) {
      return refuse('both inputs need at least two axes');
    }
    if (inner !== innerOfB) refuse(`the inner dimensions ${inner} and ${innerOfB} differ`);
    const batch = broadcast(a.shape.slice(0, -2), b.shape.slice(0, -2));
    return [
      {
        dtype,
        shape: [...(batch ?? refuse('the outer shapes cannot be broadcast')), rows, columns],
      },
    ];
  },
  gradient: (node, [dy]) => {
    const [a, b] = [at(node.inputs, 0), at(node.inputs, 1)];
    if (dy === undefined) return [];
    // One matrix for the whole batch: one product over all rows replaces a sum over the batch.
    const ofB =
      b.shape.length === 2
        ? gemm(rowsOf(a), rowsOf(dy), { transA: true })
        : sumTo(matmul(swapLast(a), dy), b);
    return [sumTo(matmul(dy, swapLast(b)), a), ofB];
  },
};

export const matmul = (a: Value, b: Value): Value => only(a.graph.apply(MATMUL, [a, b]));

/** Merges all leading axes into one. */
export const rowsOf = (x: Value): Value => reshape(x, [-1, at(x.shape, x.shape.length - 1)]);

export interface GemmOptions {
  readonly bias?: Value;
  readonly transA?: boolean;
  readonly transB?: boolean;
}

/** a·b + bias of matrices, with optional transposition. */
export function gemm(a: Value, b: Value, { bias, transA = false, transB = false }: GemmOptions = {}): Value {
  const operation: Operation = {
    type: 'Gemm',
    infer: inference => {
      const { refuse } = inference;
      const dtype = typeOf(inference, 'floats');
      if (a.shape.length !== 2 || b.shape.length !== 2) return refuse('both inputs must be matrices');
      const [left, right] = [
        transA ? a.shape.toReversed() : a.shape,
        transB ? b.shape.toReversed() : b.shape,
      ];
      const [inner, innerOfB] = [at(left, 1), at(right, 0)];
      if (inner !== innerOfB) refuse(`the inner dimensions ${inner} and ${innerOfB} differ`);
      const shape = [at(left, 0), at(right, 1)];
      if (bias && broadcast(bias.shape, shape)?.join() !== shape.join())
        refuse('the bias does not fit the product');
      return [{ dtype, shape }];
    },
    gradient: (_node, [dy]) => {
      if (dy === undefined) return [];
      const ofA = transA ? gemm(b, dy, { transA: transB, transB: true }) : gemm(dy, b, { transB: !transB });
      const ofB = transB ? gemm(dy, a, { transA: true, transB: transA }) : gemm(a, dy, { transA: !transA });
      return bias ? [ofA, ofB, sumTo(dy, bias)] : [ofA, ofB];
    },
  };
  const inputs = bias ? [a, b, bias] : [a, b];
  return only(a.graph.apply(operation, inputs, { transA: Number(transA), transB: Number(transB) }));
}
