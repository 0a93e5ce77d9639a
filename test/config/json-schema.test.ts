// The published JSON schema equals the one that validates settings, with descriptions, defaults and bounds.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { jsonSchema } from '../../runtime/config/json-schema.ts';
import { formatJson } from '../../runtime/config/leaves.ts';
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

test('every number has its bounds', () => {
  const numbers = leaves.filter(({ node }) => node.type === 'number' || node.type === 'integer');
  expect(numbers.length).toBeGreaterThan(30);
  const boundless = numbers.filter(
    ({ node }) => (node.minimum ?? node.exclusiveMinimum) === undefined || node.maximum === undefined,
  );
  expect(boundless.map(({ path }) => path)).toEqual([]);
});
