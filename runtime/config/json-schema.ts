// The published JSON schema of dartboard.json, with the default of each setting.

import { DESKTOP_KINDS } from '../protocol/desktop-kinds.ts';
import { CONFIG_FILE } from './config-file.ts';
import { formatValue, pathText, type SettingPath, valueAt } from './leaves.ts';
import { type DefaultInputs, defaults } from './presets.ts';
import { ROOT, type SchemaNode } from './schema-node.ts';
import { RECIPES } from './shape.ts';

/** The content of media/dartboard.schema.json, which scripts/schema.mjs writes. */
export function jsonSchema(): SchemaNode {
  const { $schema, ...rest } = withDefaults(ROOT, []);
  return { $schema, title: CONFIG_FILE, ...rest };
}

const DEFAULTS = defaults({});

const MODEL: DefaultInputs = { agent: 'vlm', agents: { vlm: { profile: 'ui-tars-1.5' } } };

/** Settings, each with a value that changes other defaults. */
const CHOICES: readonly (readonly [name: string, chosen: DefaultInputs])[] = [
  ['preset', { preset: 'taught' }],
  ['demonstrations', { demonstrations: 5 }],
  ['minutes', { minutes: 60 }],
  ['mode', { mode: 'screenshot' }],
  // With a preset, which changes its own defaults.
  ...DESKTOP_KINDS.map(kind => ['environments.kind', { preset: 'scratch', environments: { kind } }] as const),
  ['environments.desktops', { environments: { desktops: 7 } }],
  ['environments.docker.image', { environments: { docker: { image: 'large' } } }],
  ['data.trajectoriesPerBatch', { data: { trajectoriesPerBatch: 7 } }],
  ['curation.preset', { curation: { preset: 'grpo' } }],
  ['agent', MODEL],
  // Some values of a recipe are for one kind of agents or of desktops alone.
  ...RECIPES.flatMap(recipe =>
    [{}, MODEL, { preset: 'scratch' as const, environments: { kind: 'offline' as const } }].map(
      chosen => ['recipe', { recipe, ...chosen }] as const,
    ),
  ),
];
const VARIATIONS = CHOICES.map(([name, chosen]) => ({ name, chosen, varied: defaults(chosen) }));
const PRESET_SETTINGS: readonly string[] = ['preset', 'demonstrations'];

function withDefaults(node: SchemaNode, path: SettingPath): SchemaNode {
  if (node.properties !== undefined) {
    const inside = Object.entries(node.properties).map(
      ([name, inner]) => [name, withDefaults(inner, [...path, name])] as const,
    );
    return { ...node, properties: Object.fromEntries(inside) };
  }
  const value = valueAt(DEFAULTS, path);
  if (value === undefined) return node;
  const dependsOn = VARIATIONS.filter(
    ({ chosen, varied }) =>
      valueAt(chosen, path) === undefined && formatValue(valueAt(varied, path)) !== formatValue(value),
  ).map(({ name }) => name);
  if (dependsOn.length === 0) return { ...node, default: value };
  // Descriptions explain defaults that depend on other settings, and the default preset.
  if (!dependsOn.every(name => PRESET_SETTINGS.includes(name)) || pathText(path) === 'preset') return node;
  const taught = valueAt(defaults({ preset: 'taught' }), path);
  return {
    ...node,
    description: `${node.description} Default: ${formatValue(value)}; taught: ${formatValue(taught)}.`,
  };
}
