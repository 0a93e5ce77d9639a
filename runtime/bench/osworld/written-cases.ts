// Cases as files for the Python program. Each metric has a JSON file with its calls; a file in a call is `{"$file": PATH}`.

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isFile } from '../../tasks/metrics/metric.ts';
import type { MetricCase } from './metric-case.ts';

export interface WrittenCases {
  /** The calls as JSON. */
  readonly calls: string;
  /** The files of the calls, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Of the calls and of all files. */
  readonly hash: string;
}

export function writtenCases(metric: string, cases: readonly MetricCase[]): WrittenCases {
  const files = new Map<string, Uint8Array>();
  const written = (value: unknown, place: string): unknown => {
    if (Array.isArray(value)) return value.map((each, index) => written(each, join(place, `${index}`)));
    if (!isFile(value)) return value;
    for (const { name, bytes } of [value, ...(value.siblings ?? [])]) files.set(join(place, name), bytes);
    return { $file: join(place, value.name) };
  };
  const calls = cases.map(({ result, expected, options = {} }, index) => {
    const place = join(metric, `${index}`);
    const args = [written(result, join(place, 'result'))];
    return {
      args: expected === undefined ? args : [...args, written(expected, join(place, 'expected'))],
      options,
    };
  });
  const text = JSON.stringify(calls);
  const hash = createHash('sha256').update(text);
  for (const bytes of files.values()) hash.update(bytes);
  return { calls: text, files, hash: hash.digest('hex') };
}

export function writeCases(folder: string, metric: string, { calls, files }: WrittenCases): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${metric}.json`), calls);
  for (const [path, bytes] of files) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}
