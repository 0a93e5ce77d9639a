// Reads the rules and options of the metrics in this folder.

import { isTruthy } from '../../formats/python/values.ts';
import { MetricError, type Options, rulesOf } from '../metric.ts';

/** An option that Python counts as true. */
export function isOn(options: Options, name: string, standard = false): boolean {
  const value = options[name];
  return value === undefined ? standard : isTruthy(value);
}

/** A number among the options; undefined if it is absent or null. */
export function numberOf(options: Options, name: string, metric: string): number | undefined {
  const value = options[name];
  if (value === undefined || value === null || typeof value === 'number') return value ?? undefined;
  throw new MetricError(
    `${metric} cannot use ${JSON.stringify(value)} as ${JSON.stringify(name)}. Write a number.`,
  );
}

/** A text that the rules must have. */
export function textRule(expected: unknown, name: string, metric: string): string {
  const value = rulesOf(expected)[name];
  if (typeof value === 'string') return value;
  throw new MetricError(
    `${metric} needs the rule ${JSON.stringify(name)}, but it is ${JSON.stringify(value) ?? 'missing'}. Write a text.`,
  );
}
