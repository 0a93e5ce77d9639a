// What is wrong with a value as settings, in words: which setting, what was said, what is allowed, and for a key that does not exist
// the one that is likely meant.

import type * as z from 'zod';
import { likely } from './closest-name.ts';
import { type Path, pathText, shown, valueAt } from './leaves.ts';
import { nodeAt, ROOT, type SchemaNode } from './schema-node.ts';
import { partial } from './shape.ts';

export interface Refusal {
  readonly path: Path;
  readonly why: string;
}

export function refusals(value: unknown): readonly Refusal[] {
  const { error } = partial.safeParse(value);
  return error === undefined ? [] : error.issues.flatMap(issue => refused(issue, value));
}

function refused(issue: z.core.$ZodIssue, whole: unknown): readonly Refusal[] {
  const path = issue.path.map(key => (typeof key === 'symbol' ? String(key) : key));
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(key => ({ path: [...path, key], why: unknown(path, key) }));
  if (issue.code === 'custom') return [{ path, why: issue.message }];
  const node = nodeAt(path);
  const what = node === undefined ? issue.message : allowed(node);
  return [
    { path, why: `${pathText(path) || 'The file'} takes ${what}, not ${shown(valueAt(whole, path))}.` },
  ];
}

function unknown(path: Path, key: string): string {
  const known = Object.keys(nodeAt(path)?.properties ?? {});
  const meant = likely(key, known);
  const near = meant === undefined ? elsewhere(key) : [...path, meant];
  const where = path.length === 0 ? '' : ` in '${pathText(path)}'`;
  const instead =
    near === undefined ? `Known${where} are ${known.join(', ')}.` : `'${pathText(near)}' is likely meant.`;
  return `There is no setting '${pathText([...path, key])}'. ${instead}`;
}

/** Where a setting of this name stands. */
function elsewhere(key: string, node = ROOT, path: Path = []): Path | undefined {
  const inside = Object.entries(node.properties ?? {});
  if (path.length > 0 && inside.some(([name]) => name === key)) return [...path, key];
  for (const [name, inner] of inside) {
    const found = elsewhere(key, inner, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** In words, from the schema. */
function allowed(node: SchemaNode): string {
  if (node.enum !== undefined) return `one of ${node.enum.join(', ')}`;
  if (node.patternErrorMessage !== undefined) return node.patternErrorMessage;
  switch (node.type) {
    case 'boolean':
      return 'true or false';
    case 'string':
      return 'a text that is not empty';
    case 'array':
      return `a list, each in it once and ${allowed(node.items ?? {})}`;
    case 'object':
      return `settings in { }: ${Object.keys(node.properties ?? {}).join(', ')}`;
    default:
      return `a ${node.type === 'integer' ? 'whole number' : 'number'} ${range(node)}`;
  }
}

const range = ({ minimum, exclusiveMinimum, maximum }: SchemaNode): string =>
  exclusiveMinimum === undefined
    ? `from ${minimum} to ${maximum}`
    : `above ${exclusiveMinimum} and up to ${maximum}`;
