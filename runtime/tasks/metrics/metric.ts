// The contract of metrics. A metric compares a value from a desktop with the expected one and returns a score from 0 to 1. Names and meanings
// follow OSWorld. evaluate.ts obtains the values; a metric reads no file and no network itself.

import { readText } from '../formats/python/text.ts';

/** Bytes with a name: a file of a desktop, a download, or the output of a step. */
export interface TaskFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Files that were fetched together with it and lie beside it. */
  readonly siblings?: readonly TaskFile[];
}

export type Options = Readonly<Record<string, unknown>>;

/**
 * The result is what its getter returned: a JSON value, a TaskFile, null for a missing file, or a list of these. `expected` is the same,
 * or the `rules` of a getter of type rule, or undefined without a getter. A result that cannot be read scores 0, since the agent made
 * it. An expected value or an option that cannot be read throws a MetricError, since it belongs to the task.
 */
export type Metric = (result: unknown, expected: unknown, options: Options) => number | Promise<number>;

export type Metrics = Readonly<Record<string, Metric>>;

/** The task is wrong: its rules, its options or its expected file. */
export class MetricError extends Error {
  override readonly name = 'MetricError';
}

export const pass = (holds: boolean): number => (holds ? 1 : 0);

export const isRecord = (value: unknown): value is Options =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isFile(value);

export const isFile = (value: unknown): value is TaskFile =>
  typeof value === 'object' &&
  value !== null &&
  'bytes' in value &&
  value.bytes instanceof Uint8Array &&
  'name' in value &&
  typeof value.name === 'string';

/** The rules of a task. A value that is no record is itself the expected value. */
export const rulesOf = (expected: unknown): Options => (isRecord(expected) ? expected : { expected });

export const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** A text, or the text of a file in UTF-8; undefined for everything else. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return isFile(value) ? readText(value.bytes) : undefined;
}

/** The file that a task expects. */
export function expectedFile(expected: unknown, metric: string): TaskFile {
  if (isFile(expected)) return expected;
  throw new MetricError(
    `${metric} expects a file, but the task gives ${JSON.stringify(expected) ?? 'nothing'}. Use a getter of a file, such as cloud_file.`,
  );
}
