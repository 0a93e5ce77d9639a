// Reverse-mode differentiation: walks the nodes backward from the loss, applies the gradient rule of each operation (ops/) and sums
// the contributions to each value. The gradients are new nodes of the same graph.

import type { Gradient } from './graph.ts';
import { GraphError, type Node, type Value } from './graph.ts';
import { add } from './ops/elementwise.ts';
import { sameShape, show } from './shape.ts';
import { isFloat } from './tensor.ts';

/** Gradients of a scalar with respect to `wrt`. */
export function gradients(loss: Value, wrt: readonly Value[]): readonly Value[] {
  if (loss.shape.length !== 0) {
    throw new GraphError(`Only a scalar can be differentiated; '${loss.name}' is ${show(loss.shape)}.`);
  }
  const discrete = wrt.find(value => !isFloat(value.dtype));
  if (discrete !== undefined) {
    throw new GraphError(
      `'${discrete.name}' is ${discrete.dtype}. Only floating-point values have gradients; cast it first.`,
    );
  }
  const { graph } = loss;
  const affected = affectedBy(wrt, graph.nodes);
  const accumulated = new Map<Value, Value>([[loss, graph.scalar(loss.dtype, 1)]]);
  for (const node of [...graph.nodes].reverse()) {
    const ofOutputs = node.outputs.map(output => accumulated.get(output));
    const isRelevant =
      node.operation.gradient !== 'stopped' && node.inputs.some(input => affected.has(input));
    if (!isRelevant || ofOutputs.every(dy => dy === undefined)) continue;
    const ofInputs = ruleOf(node, loss)(node, ofOutputs);
    node.inputs.forEach((input, index) => {
      if (!affected.has(input)) return;
      const dx = checked(ofInputs[index], input, node);
      const before = accumulated.get(input);
      accumulated.set(input, before === undefined ? dx : add(before, dx));
    });
  }
  return wrt.map(value => accumulated.get(value) ?? unreached(value, loss));
}

/** Floating-point values that depend on `values`. */
function affectedBy(values: readonly Value[], nodes: readonly Node[]): ReadonlySet<Value> {
  const affected = new Set(values);
  for (const node of nodes) {
    if (node.operation.gradient === 'stopped' || !node.inputs.some(input => affected.has(input))) continue;
    for (const output of node.outputs) if (isFloat(output.dtype)) affected.add(output);
  }
  return affected;
}

function ruleOf(node: Node, loss: Value): Gradient {
  const { gradient } = node.operation;
  if (gradient !== undefined && gradient !== 'stopped') return gradient;
  throw new GraphError(
    `${node.name}: the operation ${node.operation.type} has no gradient, and '${loss.name}' depends on parameters ` +
      'through it. Wrap it in stopGradient if that is intended.',
  );
}

function checked(dx: Value | undefined, input: Value, node: Node): Value {
  if (dx === undefined) {
    throw new GraphError(
      `${node.name}: ${node.operation.type} has no gradient with respect to '${input.name}'.`,
    );
  }
  if (dx.dtype !== input.dtype || !sameShape(dx.shape, input.shape)) {
    throw new GraphError(
      `${node.name}: the gradient of ${node.operation.type} with respect to '${input.name}' is ` +
        `${dx.dtype}${show(dx.shape)}, not ${input.dtype}${show(input.shape)}.`,
    );
  }
  return dx;
}

function unreached(value: Value, loss: Value): never {
  throw new GraphError(`'${loss.name}' does not depend on '${value.name}', so it has no gradient.`);
}
