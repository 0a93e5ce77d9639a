// The JSON schema that is published for dartboard.json: the shape, and with each setting its default, or how that depends on others.

import { CONFIG_FILE } from './config-file.ts';
import { type Path, pathText, shown, valueAt } from './leaves.ts';
import { type Chosen, defaults } from './presets.ts';
import { ROOT, type SchemaNode } from './schema-node.ts';

/** As media/dartboard.schema.json has it. */
export function jsonSchema(): SchemaNode {
  const { $schema, ...rest } = withDefaults(ROOT, []);
  return { $schema, title: CONFIG_FILE, ...rest };
}

const DEFAULTS = defaults({});

/** One value of each setting with which other defaults move. */
const MOVED: Readonly<Record<string, Chosen>> = {
  preset: { preset: 'taught' },
  demonstrations: { demonstrations: 5 },
  minutes: { minutes: 60 },
  mode: { mode: 'screenshot' },
  // With another preset too, which moves its own.
  'environments.kind': { preset: 'scratch', environments: { kind: 'docker' } },
  'environments.desktops': { environments: { desktops: 7 } },
  'curation.preset': { curation: { preset: 'grpo' } },
};
const OF_PRESETS: readonly string[] = ['preset', 'demonstrations'];

function withDefaults(node: SchemaNode, path: Path): SchemaNode {
  if (node.properties !== undefined) {
    const inside = Object.entries(node.properties).map(
      ([name, inner]) => [name, withDefaults(inner, [...path, name])] as const,
    );
    return { ...node, properties: Object.fromEntries(inside) };
  }
  const value = valueAt(DEFAULTS, path);
  if (value === undefined) return node;
  const movers = Object.entries(MOVED)
    .filter(
      ([name, chosen]) => name !== pathText(path) && shown(valueAt(defaults(chosen), path)) !== shown(value),
    )
    .map(([name]) => name);
  if (movers.length === 0) return { ...node, default: value };
  // What depends on more is told by its description, and which preset is the default too.
  if (!movers.every(name => OF_PRESETS.includes(name)) || pathText(path) === 'preset') return node;
  const taught = valueAt(defaults({ preset: 'taught' }), path);
  return { ...node, description: `${node.description} Default: ${shown(value)}; taught: ${shown(taught)}.` };
}
