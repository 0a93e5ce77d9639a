// Getters of files: of the machine, of addresses, and of the task's own cache.

import { posix } from 'node:path';
import * as z from 'zod';
import type { TaskFile } from '../../../tasks/metrics/metric.ts';
import { taskError } from '../../task-function.ts';
import { dayAt, pythonDate } from '../relative-date.ts';
import { checked, flag, type OsworldFunction, type TaskRun, text } from '../task-run.ts';

const oneOrMore = z.union([text, z.array(text).nonempty()]);
const files = {
  path: oneOrMore,
  /** The name of a local copy. Files that are fetched together lie beside each other under these names. */
  dest: oneOrMore.optional(),
  multi: flag,
  gives: z.array(z.int().nonnegative()).default([0]),
  /** A single file whose name contains the day of the episode. */
  time_suffix: flag,
  time_format: z
    .string()
    .regex(/^([^%]|%[Ymd])*$/, 'can contain %Y, %m and %d')
    .default('%Y_%m_%d'),
};

/** Before the extension; as in OSWorld, only the first two parts of a name count. */
function withSuffix(path: string, suffix: string): string {
  const [stem = '', extension] = path.split('.');
  return extension === undefined ? path : `${stem}${suffix}.${extension}`;
}

/** Fetches all files of a getter, and returns those that it gives to the metric. */
const fileGetter = (
  type: string,
  read: (run: TaskRun, path: string) => Promise<Uint8Array | undefined>,
): OsworldFunction<TaskFile | null | readonly (TaskFile | null)[]> =>
  checked(`getter ${type}`, files, async (run, { path, dest, multi, gives, time_suffix, time_format }) => {
    const suffix = time_suffix && !multi ? pythonDate(time_format, dayAt(run.now(), run.timeZone)) : '';
    const named = (each: string): string => (suffix === '' ? each : withSuffix(each, suffix));
    const paths = (typeof path === 'string' ? [path] : path).map(named);
    if (paths.length > 1 && !multi) throw taskError(`getter ${type}`, 'several paths need "multi": true.');
    const names = (typeof dest === 'string' ? [dest] : (dest ?? [])).map(named);
    const fetched: (TaskFile | null)[] = [];
    for (const [index, each] of paths.entries()) {
      const bytes = await read(run, each);
      const name = names[index] ?? posix.basename(each);
      fetched.push(bytes === undefined ? null : { name, bytes });
    }
    for (const file of fetched) if (file !== null) run.cache.set(file.name, file);
    const given = multi ? fetched.filter((_, index) => gives.includes(index)) : fetched;
    const results = given.map(file => file && withSiblings(file, fetched));
    return results.length === 1 ? (results[0] ?? null) : results;
  });

const withSiblings = (file: TaskFile, fetched: readonly (TaskFile | null)[]): TaskFile => {
  const siblings = fetched.flatMap(each => (each === null || each === file ? [] : [each]));
  return siblings.length === 0 ? file : { ...file, siblings };
};

export const FILE_GETTERS: Readonly<Record<string, OsworldFunction<unknown>>> = {
  vm_file: fileGetter('vm_file', ({ machine }, path) => machine.readFile(path)),
  cloud_file: fileGetter('cloud_file', ({ downloads }, url) => downloads.fetch(url)),
  cache_file: checked('getter cache_file', { path: text }, async ({ cache }, { path }) => {
    const file = cache.get(path);
    if (file !== undefined) return file;
    const names = [...cache.keys()].join(', ') || 'none';
    throw taskError(
      'getter cache_file',
      `no step or getter made ${JSON.stringify(path)}. The files are: ${names}. Correct the path.`,
    );
  }),
};
