// Writes a graph as an ONNX model with only the nodes that the outputs need. Parameters are views of one flat input.

import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import {
  type AttributeProtoSchema,
  AttributeProto_AttributeType as AttributeType,
  TensorProto_DataType as DataType,
  ModelProtoSchema,
  type NodeProtoSchema,
  type TensorProtoSchema,
  type ValueInfoProtoSchema,
} from 'onnx-buf';
import { type Attribute, type Attributes, type Graph, GraphError, type Node, type Value } from './graph.ts';
import type { Layout } from './layout.ts';
import type { TensorShape } from './shape.ts';
import { bytesOf, type DType, type Tensor } from './tensor.ts';

type NodeInit = MessageInitShape<typeof NodeProtoSchema>;
type TensorInit = MessageInitShape<typeof TensorProtoSchema>;
type AttributeInit = MessageInitShape<typeof AttributeProtoSchema>;
type ValueInfoInit = MessageInitShape<typeof ValueInfoProtoSchema>;

/** ONNX 1.16: the first version with every operation used here; runtimes of the last two years support it. */
const OPSET = 21n;
const IR_VERSION = 10n;

const DATA_TYPES: Readonly<Record<DType, DataType>> = {
  float32: DataType.FLOAT,
  float64: DataType.DOUBLE,
  int32: DataType.INT32,
  int64: DataType.INT64,
  bool: DataType.BOOL,
  uint8: DataType.UINT8,
};

export interface ModelOutput {
  readonly name: string;
  readonly value: Value;
}

/** `weights` is the flat input of the parameters; undefined for a graph without parameters. */
export function modelBytes(
  graph: Graph,
  outputs: readonly ModelOutput[],
  layout: Layout,
  weights: Value | undefined,
): Uint8Array {
  const foreign = outputs.find(({ value }) => value.graph !== graph);
  if (foreign !== undefined)
    throw new GraphError(`The output '${foreign.name}' is a value of another graph.`);
  const needed = neededFor(outputs);
  const used = (value: Value): boolean => needed.has(value);
  const constants = [...needed].flatMap(value =>
    value.source.kind === 'constant' ? [tensorInit(value.name, value.source.tensor)] : [],
  );
  const names = namesOf(outputs);
  const nodes = graph.nodes.filter(node => node.outputs.some(used)).map(node => nodeInit(node, names, used));
  const views = weights && flatViews(layout, weights);
  const inputs = [...graph.inputs, ...graph.states].filter(value => used(value) || value === weights);
  const allNodes = [...(views?.nodes ?? []), ...nodes, ...copies(outputs, names)];
  const initializers = [...(views?.sizes ?? []), ...constants];
  assertUniqueNames([
    ...inputs.map(each => each.name),
    ...initializers.map(each => each.name ?? ''),
    ...allNodes.flatMap(each => each.output ?? []),
  ]);
  const model = create(ModelProtoSchema, {
    irVersion: IR_VERSION,
    opsetImport: [{ domain: '', version: OPSET }],
    producerName: 'dartboard',
    graph: {
      name: 'dartboard',
      node: allNodes,
      initializer: initializers,
      input: inputs.map(each => valueInfo(each.name, each.dtype, each.shape)),
      output: outputs.map(({ name, value }) => valueInfo(name, value.dtype, value.shape)),
    },
  });
  return toBinary(ModelProtoSchema, model);
}

/** ONNX has one namespace for all values, so an output must not have the name of an input. */
function assertUniqueNames(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name))
      throw new GraphError(`The name '${name}' is used for two values. Rename the output or the input.`);
    seen.add(name);
  }
}

/** All values that the outputs depend on. */
export function neededFor(outputs: readonly ModelOutput[]): ReadonlySet<Value> {
  const needed = new Set<Value>();
  const waiting = outputs.map(output => output.value);
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (needed.has(value)) continue;
    needed.add(value);
    if (value.source.kind === 'node') waiting.push(...value.source.node.inputs);
  }
  return needed;
}

/** One Split of the flat weights and a Reshape for each matrix; together they copy the weights once. */
function flatViews({ entries }: Layout, weights: Value) {
  const ints = (name: string, numbers: readonly number[]) =>
    tensorInit(name, { dtype: 'int64', dims: [numbers.length], data: BigInt64Array.from(numbers, BigInt) });
  const sizes = `${weights.name}/sizes`;
  const shaped = entries.filter(entry => entry.dims.length !== 1);
  const split: NodeInit = {
    name: `${weights.name}/split`,
    opType: 'Split',
    input: [weights.name, sizes],
    output: entries.map(entry => (shaped.includes(entry) ? `${entry.name}/flat` : entry.name)),
    attribute: attributeInits({ axis: 0 }),
  };
  const views = shaped.map(({ name }) => ({
    name: `${name}/view`,
    opType: 'Reshape',
    input: [`${name}/flat`, `${name}/dims`],
    output: [name],
  }));
  const lengths = entries.map(entry => entry.size);
  return {
    nodes: [split, ...views],
    sizes: [ints(sizes, lengths), ...shaped.map(({ name, dims }) => ints(`${name}/dims`, dims))],
  };
}

/** Names of values in the model: a node's value has the name of the first output that it becomes. */
function namesOf(outputs: readonly ModelOutput[]): ReadonlyMap<Value, string> {
  const names = new Map<Value, string>();
  for (const { name, value } of outputs) {
    if (value.source.kind === 'node' && !names.has(value)) names.set(value, name);
  }
  return names;
}

/** Identity nodes for outputs that are inputs, constants or aliases of another output. */
const copies = (outputs: readonly ModelOutput[], names: ReadonlyMap<Value, string>): NodeInit[] =>
  outputs
    .filter(({ name, value }) => names.get(value) !== name)
    .map(({ name, value }) => ({
      name: `${name}/copy`,
      opType: 'Identity',
      input: [names.get(value) ?? value.name],
      output: [name],
    }));

function nodeInit(node: Node, names: ReadonlyMap<Value, string>, used: (value: Value) => boolean): NodeInit {
  const named = (value: Value): string => names.get(value) ?? value.name;
  // Unused trailing results are omitted, which saves work in some kernels. A Split must name all its parts.
  const last = node.operation.type === 'Split' ? node.outputs.length : node.outputs.findLastIndex(used) + 1;
  const outputs = node.outputs.slice(0, last);
  return {
    name: node.name,
    opType: node.operation.type,
    input: node.inputs.map(named),
    output: outputs.map(named),
    attribute: attributeInits(node.attributes),
  };
}

const attributeInits = (attributes: Attributes): AttributeInit[] =>
  Object.entries(attributes).map(([name, value]) => ({ name, ...attributeValue(value) }));

function attributeValue(value: Attribute): AttributeInit {
  if (typeof value === 'number') return { type: AttributeType.INT, i: BigInt(value) };
  if (typeof value === 'string') return { type: AttributeType.STRING, s: new TextEncoder().encode(value) };
  if ('float' in value) return { type: AttributeType.FLOAT, f: value.float };
  if ('dtype' in value) return { type: AttributeType.INT, i: BigInt(DATA_TYPES[value.dtype]) };
  return { type: AttributeType.INTS, ints: value.map(BigInt) };
}

const tensorInit = (name: string, { dtype, dims, data }: Tensor): TensorInit => ({
  name,
  dataType: DATA_TYPES[dtype],
  dims: dims.map(BigInt),
  rawData: bytesOf(data),
});

const valueInfo = (name: string, dtype: DType, shape: TensorShape): ValueInfoInit => ({
  name,
  type: {
    value: {
      case: 'tensorType',
      value: { elemType: DATA_TYPES[dtype], shape: { dim: shape.map(dimension) } },
    },
  },
});

const dimension = (dim: TensorShape[number]) =>
  typeof dim === 'number'
    ? { value: { case: 'dimValue', value: BigInt(dim) } as const }
    : { value: { case: 'dimParam', value: dim } as const };
