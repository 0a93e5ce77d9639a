// Writes cases into a folder for the Python program, and hashes them. Each metric has a JSON file with its calls; a file in a call is
// `{"$file": PATH}`.

import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isFile } from '../../tasks/metrics/metric.ts';
import type { MetricCase } from './metric-case.ts';

/** Writes the cases of a metric below a folder, and returns the hash of all their values and bytes. */
export async function writeCases(
  folder: string,
  metric: string,
  cases: readonly MetricCase[],
): Promise<string> {
  const hash = createHash('sha256');
  const calls: unknown[] = [];
  for (const [index, { result, expected, options = {} }] of cases.entries()) {
    const files: [path: string, bytes: Uint8Array][] = [];
    const written = (value: unknown, side: string): unknown => {
      if (Array.isArray(value)) return value.map((each, place) => written(each, join(side, `${place}`)));
      if (!isFile(value)) return value;
      const path = join(metric, `${index}`, side, value.name);
      files.push([path, value.bytes]);
      return { $file: path };
    };
    const args = [written(result, 'result')];
    if (expected !== undefined) args.push(written(expected, 'expected'));
    for (const [path, bytes] of files) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
      hash.update(bytes);
    }
    calls.push({ args, options });
  }
  const text = JSON.stringify(calls);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${metric}.json`), text);
  return hash.update(text).digest('hex');
}
