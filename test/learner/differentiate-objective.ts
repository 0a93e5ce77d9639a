// Automatic differentiation of the token objective: the same formula in graph operations, in a session of ONNX Runtime.

import { at } from '../../runtime/core/at.ts';
import { gradients } from '../../runtime/graph/gradient.ts';
import { Graph, type Value } from '../../runtime/graph/graph.ts';
import { only } from '../../runtime/graph/operation.ts';
import * as op from '../../runtime/graph/ops/index.ts';
import { forwardProgram } from '../../runtime/graph/program.ts';
import { openSession } from '../../runtime/graph/session.ts';
import { type Tensor, tensor, tensorNamed, tensorValue } from '../../runtime/graph/tensor.ts';
import {
  MAX_LOG_RATIO,
  type RecordedReply,
  type TokenObjective,
} from '../../runtime/learner/token-objective.ts';
import { runtime } from '../graph/differences.ts';

/** Replies are padded to this number of tokens. */
export const LENGTH = 6;
const NAMES = ['present', 'old', 'rollout', 'reference', 'used'] as const;

/** The formula once more, as graph operations on a table of tokens. */
export function gainOf(
  table: Readonly<Record<(typeof NAMES)[number] | 'advantage', Value>>,
  objective: TokenObjective,
): Value {
  const { present, old, rollout, reference, used } = table;
  const advantage = op.unsqueeze(table.advantage, 1);
  const total = (value: Value) => op.reduceSum(op.mul(value, used), [1], { keepDims: true });
  const count = total(used);
  const limited = (value: Value) => op.clip(value, -MAX_LOG_RATIO, MAX_LOG_RATIO);

  const logRatios = op.sub(present, old);
  const logRatio = objective.ratio === 'token' ? logRatios : op.div(total(logRatios), count);
  const ratio = op.exp(limited(logRatio));
  const clipped = op.clip(ratio, 1 - objective.clipLow, 1 + objective.clipHigh);
  const least = op.min(op.mul(ratio, advantage), op.mul(clipped, advantage));
  const surrogate =
    objective.dualClip > 0
      ? op.where(op.less(advantage, 0), op.max(least, op.mul(advantage, objective.dualClip)), least)
      : least;

  const apart = op.sub(old, rollout);
  const importance = op.exp(limited(objective.importance === 'token' ? apart : total(apart)));
  const aligned =
    objective.truncation > 0 ? op.mul(op.min(importance, objective.truncation), surrogate) : surrogate;

  const fromReference = limited(op.sub(reference, present));
  const divergence = op.sub(op.sub(op.exp(fromReference), fromReference), 1);
  const terms = op.sub(op.mul(aligned, used), op.mul(op.mul(divergence, used), objective.divergence));
  return op.reduceSum(op.div(op.reduceSum(terms, [1], { keepDims: true }), count), [1]);
}

/** A row for each reply, padded; a missing rollout is equal to π_old. */
function feedsOf(batch: readonly RecordedReply[], dtype: 'float32' | 'float64') {
  const made = (dims: readonly number[], numbers: readonly number[]): Tensor =>
    tensor(dtype, dims, dtype === 'float32' ? Float32Array.from(numbers) : Float64Array.from(numbers));
  const table = (of: (reply: RecordedReply, token: number) => number) =>
    made(
      [batch.length, LENGTH],
      batch.flatMap(reply =>
        Array.from({ length: LENGTH }, (_, token) => (token < reply.present.length ? of(reply, token) : 0)),
      ),
    );
  return {
    advantage: made(
      [batch.length],
      batch.map(({ advantage }) => advantage),
    ),
    present: table(({ present }, token) => at(present, token)),
    old: table(({ old }, token) => at(old, token)),
    rollout: table(({ rollout, old }, token) => at(rollout ?? old, token)),
    reference: table(({ reference, old }, token) => at(reference ?? old, token)),
    used: table(() => 1),
  };
}

function inputsOf(graph: Graph, dtype: 'float32' | 'float64') {
  const table = (name: (typeof NAMES)[number]) => graph.input(name, dtype, ['B', LENGTH]);
  return {
    advantage: graph.input('advantage', dtype, ['B']),
    ...{ present: table('present'), old: table('old'), rollout: table('rollout') },
    ...{ reference: table('reference'), used: table('used') },
  };
}

interface Differentiated {
  readonly gain: number;
  readonly weights: readonly number[];
}

/** The gain of each reply, and its derivative by the log-probabilities under the present weights. */
export async function differentiate(
  batch: readonly RecordedReply[],
  dtype: 'float32' | 'float64',
  gainsOf: (inputs: ReturnType<typeof inputsOf>) => Value,
): Promise<readonly Differentiated[]> {
  const graph = new Graph();
  const inputs = inputsOf(graph, dtype);
  const gains = gainsOf(inputs);
  const derivative = only(gradients(op.reduceSum(gains), [inputs.present]));
  const program = forwardProgram(graph, { gains, derivative });
  const session = await openSession(runtime, program);
  try {
    // A feed that this formula does not use is not an input of its program.
    const used = new Set(program.feeds.map(({ name }) => name));
    const feeds = Object.entries(feedsOf(batch, dtype)).filter(([name]) => used.has(name));
    const outputs = await session.run(Object.fromEntries(feeds));
    return batch.map(({ present }, row) => ({
      gain: tensorValue(tensorNamed(outputs, 'gains'), row),
      weights: present.map((_, token) =>
        tensorValue(tensorNamed(outputs, 'derivative'), row * LENGTH + token),
      ),
    }));
  } finally {
    await session.close();
  }
}
