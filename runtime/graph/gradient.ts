// Reverse mode: walks the nodes backward from the loss, asks each for its gradient, and adds up what arrives at a
// value by several ways. The result is more nodes in the same graph. Each operation's own rule stands in ops/.

import { GraphError, type Node, type Value } from './graph.ts';
import type { Gradient } from './operation.ts';
import { add } from './ops/elementwise.ts';
import { sameShape, show } from './shape.ts';
import { isFloat } from './tensor.ts';

/** The gradient of a scalar with respect to each of some values. */
export function gradients(loss: Value, wrt: readonly Value[]): readonly Value[] {
  if (loss.shape.length !== 0) {
    throw new GraphError(`Only a scalar can be differentiated; '${loss.name}' is ${show(loss.shape)}.`);
  }
  const jumping = wrt.find(value => !isFloat(value.dtype));
  if (jumping !== undefined) {
    throw new GraphError(
      `'${jumping.name}' is ${jumping.dtype}: only what is floating-point can change a little.`,
    );
  }
  const { graph } = loss;
  const affected = affectedBy(wrt, graph.nodes);
  const arrived = new Map<Value, Value>([[loss, graph.scalar(loss.dtype, 1)]]);
  for (const node of [...graph.nodes].reverse()) {
    const ofOutputs = node.outputs.map(output => arrived.get(output));
    const matters = node.operation.gradient !== 'stopped' && node.inputs.some(input => affected.has(input));
    if (!matters || ofOutputs.every(dy => dy === undefined)) continue;
    const ofInputs = ruleOf(node, loss)(node, ofOutputs);
    node.inputs.forEach((input, index) => {
      if (!affected.has(input)) return;
      const dx = checked(ofInputs[index], input, node);
      const before = arrived.get(input);
      arrived.set(input, before === undefined ? dx : add(before, dx));
    });
  }
  return wrt.map(value => arrived.get(value) ?? unreached(value, loss));
}

/** All values that change when the given ones change a little. What is not floating-point only ever jumps. */
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
    `${node.name}: the operation ${node.operation.type} has no gradient, and '${loss.name}' depends on what is ` +
      'learned through it. Put stopGradient around it if that is meant.',
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
  throw new GraphError(`'${loss.name}' does not depend on '${value.name}', so there is no gradient to give.`);
}
