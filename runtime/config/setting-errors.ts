// Describes invalid settings: the setting, its value, the allowed values, and for an unknown setting the closest known one.

import type * as z from 'zod';
import { safeParse } from '../core/safe-parse.ts';
import { closestName } from './closest-name.ts';
import { formatValue, pathText, type SettingPath, valueAt } from './leaves.ts';
import { nodeAt, ROOT, type SchemaNode } from './schema-node.ts';
import { partialConfig } from './shape.ts';

export interface SettingProblem {
  readonly path: SettingPath;
  readonly why: string;
}

export function settingProblems(value: unknown): readonly SettingProblem[] {
  const { error } = safeParse(partialConfig, value);
  return error === undefined ? [] : error.issues.flatMap(issue => problemsOf(issue, value));
}

/** A suggestion compares a key with all settings, so that only the first few keys get one. */
const MAX_SUGGESTIONS = 10;

function problemsOf(issue: z.core.$ZodIssue, root: unknown): readonly SettingProblem[] {
  const path = issue.path.map(key => (typeof key === 'symbol' ? String(key) : key));
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key, index) => ({
      path: [...path, key],
      why: unknownSetting(path, key, index < MAX_SUGGESTIONS),
    }));
  if (issue.code === 'custom') return [{ path, why: issue.message }];
  const node = nodeAt(path);
  const allowed = node === undefined ? issue.message : describeAllowed(node);
  const subject = pathText(path) || 'The file';
  if (node?.writeOnly === true) return [{ path, why: `${subject} must be ${allowed}.` }];
  const value = valueAt(root, path);
  if (value === undefined) return [{ path, why: `${subject} is missing. It must be ${allowed}.` }];
  return [{ path, why: `${subject} must be ${allowed}, but is ${formatValue(value)}.` }];
}

function unknownSetting(path: SettingPath, key: string, withSuggestion: boolean): string {
  const problem = `The setting '${pathText([...path, key])}' does not exist.`;
  if (!withSuggestion) return `${problem} Remove it.`;
  const known = Object.keys(nodeAt(path)?.properties ?? {});
  const sibling = closestName(key, known);
  const suggestion = sibling === undefined ? elsewhere(key) : [...path, sibling];
  if (suggestion !== undefined) return `${problem} Did you mean '${pathText(suggestion)}'?`;
  const where = path.length === 0 ? '' : ` of '${pathText(path)}'`;
  return `${problem} Remove it, or use one of the settings${where}: ${known.join(', ')}.`;
}

/** The path of a setting with this name in any section. */
function elsewhere(key: string, node = ROOT, path: SettingPath = []): SettingPath | undefined {
  const inside = Object.entries(node.properties ?? {});
  if (path.length > 0 && inside.some(([name]) => name === key)) return [...path, key];
  for (const [name, inner] of inside) {
    const found = elsewhere(key, inner, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** In words, from the schema. */
function describeAllowed(node: SchemaNode): string {
  if (node.enum !== undefined) return `one of ${node.enum.join(', ')}`;
  if (node.patternErrorMessage !== undefined) return node.patternErrorMessage;
  switch (node.type) {
    case 'boolean':
      return 'true or false';
    case 'string':
      return 'a non-empty string';
    case 'array':
      return `a ${node.minItems === undefined ? '' : 'non-empty '}list without duplicates, each item ${describeAllowed(node.items ?? {})}`;
    case 'object':
      return `an object with ${Object.keys(node.properties ?? {}).join(', ')}`;
    default:
      return `${node.type === 'integer' ? 'an integer' : 'a number'} ${describeRange(node)}`;
  }
}

const describeRange = ({ minimum, exclusiveMinimum, maximum }: SchemaNode): string =>
  exclusiveMinimum === undefined
    ? `from ${minimum} to ${maximum}`
    : `above ${exclusiveMinimum} and up to ${maximum}`;
