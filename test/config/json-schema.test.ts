// The published JSON schema equals the one that validates settings, with descriptions, defaults and bounds.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { jsonSchema } from '../../runtime/config/json-schema.ts';
import { formatJson, valueAt } from '../../runtime/config/leaves.ts';
import { type DefaultInputs, defaults } from '../../runtime/config/presets.ts';
import { RECIPES } from '../../runtime/config/shape.ts';
import { leafNodes } from './config-text.ts';

test('media/dartboard.schema.json is current; otherwise run: node scripts/schema.mjs', () => {
  const published = readFileSync(new URL('../../media/dartboard.schema.json', import.meta.url), 'utf8');
  expect(`${formatJson(jsonSchema())}\n`).toBe(published);
});

const leaves = leafNodes(jsonSchema()).map(({ path, node }) => ({ path: path.join('.'), node }));

test('every setting has a description in sentences', () => {
  const silent = leaves.filter(({ node }) => !/^[A-Z0-9].*\.$/.test(node.description ?? ''));
  expect(silent.map(({ path }) => path)).toEqual([]);
});

test('every setting has a default or describes what it depends on', () => {
  const open = leaves.filter(({ node }) => !('default' in node) && !/default/i.test(node.description ?? ''));
  expect(open.map(({ path }) => path)).toEqual(['$schema', 'suite.tasks']);
});

const MODEL: DefaultInputs = { agent: 'vlm', agents: { vlm: { profile: 'ui-tars-1.5' } } };
const OFFLINE: DefaultInputs = { preset: 'scratch', environments: { kind: 'offline' } };
const CHOSEN = RECIPES.flatMap((recipe): readonly DefaultInputs[] => [
  { recipe },
  { recipe, ...MODEL },
  { recipe, ...OFFLINE },
]);

test.each(CHOSEN)('every published default holds with %j', chosen => {
  const actual = defaults(chosen);
  const wrong = leaves.filter(
    ({ path, node }) =>
      'default' in node &&
      valueAt(chosen, path.split('.')) === undefined &&
      JSON.stringify(valueAt(actual, path.split('.'))) !== JSON.stringify(node['default']),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('every number has its bounds', () => {
  const numbers = leaves.filter(({ node }) => node.type === 'number' || node.type === 'integer');
  expect(numbers.length).toBeGreaterThan(30);
  const boundless = numbers.filter(
    ({ node }) => (node.minimum ?? node.exclusiveMinimum) === undefined || node.maximum === undefined,
  );
  expect(boundless.map(({ path }) => path)).toEqual([]);
});
