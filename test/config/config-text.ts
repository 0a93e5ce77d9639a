// Random settings that match the schema, without regard to conflicts.

import fc from 'fast-check';
import type { SettingPath } from '../../runtime/config/leaves.ts';
import { treeOf } from '../../runtime/config/leaves.ts';
import { ROOT, type SchemaNode } from '../../runtime/config/schema-node.ts';

export interface LeafNode {
  readonly path: SettingPath;
  readonly node: SchemaNode;
}

export function leafNodes(node = ROOT, path: SettingPath = []): readonly LeafNode[] {
  if (node.properties === undefined) return [{ path, node }];
  return Object.entries(node.properties).flatMap(([name, inner]) => leafNodes(inner, [...path, name]));
}

function allowed(node: SchemaNode): fc.Arbitrary<unknown> {
  if (node.enum !== undefined) return fc.constantFrom(...node.enum);
  const { minimum = 0, exclusiveMinimum, maximum = 0 } = node;
  switch (node.type) {
    case 'boolean':
      return fc.boolean();
    case 'string':
      return fc.string({ minLength: 1, maxLength: 20 }).map(text => `x${text.replaceAll(/\p{Cc}/gu, '')}`);
    case 'object':
      return fc.record(Object.fromEntries(Object.entries(node.properties ?? {}).map(inner)));
    case 'array':
      return fc.uniqueArray(allowed(node.items ?? {}), { minLength: 1, maxLength: 3 });
    case 'integer':
      return fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: maximum }));
    default: {
      const min = exclusiveMinimum ?? minimum;
      const number = fc.double({
        min,
        max: maximum,
        minExcluded: exclusiveMinimum !== undefined,
        noNaN: true,
      });
      // There is no -0 in JSON.
      return fc.oneof(fc.constant(maximum), number).map(value => value + 0);
    }
  }
}

/** Some settings whose schema does not describe which values fit together. */
const AGENTS = fc.dictionary(
  fc.constantFrom('vlm', 'other.model-2'),
  fc.record({
    profile: fc.constantFrom('ui-tars-1.5', 'qwen3-vl'),
    model: fc.constantFrom('m', 'org/m-7B'),
    url: fc.constantFrom('http://localhost:8000/v1', 'https://host.example/api'),
    sampling: fc.record({ maxTokens: fc.integer({ min: 1, max: 500 }) }),
  }),
);
const valueFor = ({ path, node }: LeafNode): fc.Arbitrary<unknown> => {
  if (path[0] === 'agents') return AGENTS;
  if (path.join('.') === 'fabric.servers')
    return fc.constantFrom(['nats://a:4222'], ['tls://b:1', 'nats://c']);
  if (path.join('.') === 'index.url')
    return fc.constantFrom('postgresql://dartboard@db:5432/dartboard', 'postgres:///runs');
  if (path.join('.') === 'fabric.listen') return fc.constantFrom('0.0.0.0:7070', '[::1]:0');
  return path[0] === 'agent' ? fc.constant('compact') : allowed(node);
};

const inner = ([name, node]: [string, SchemaNode]) => [name, allowed(node)] as const;

/** Some of all settings. */
export const settings: fc.Arbitrary<unknown> = fc
  .subarray([...leafNodes()].filter(({ path }) => path[0] !== '$schema'))
  .chain(some => fc.tuple(...some.map(leaf => valueFor(leaf).map(value => ({ path: leaf.path, value })))))
  .map(leaves => (leaves.length === 0 ? {} : treeOf(leaves)));
