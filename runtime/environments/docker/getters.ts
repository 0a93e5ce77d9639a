// The getters of OSWorld's task files, by name: what evaluators can read from a desktop. A missing or odd file is an answer, not an error.

import { posix } from 'node:path';
import { z } from 'zod';
import type { Getter } from '../../core/task.ts';
import type { TaskFile } from '../../tasks/metrics/metric.ts';
import { shellLine } from '../command.ts';
import { functionOf, taskError } from '../task-function.ts';
import { checked, commandParameters, type DockerFunction, type TaskContext, textOf } from './setup.ts';
import { readFile, UnreadableFile } from './shell.ts';

const commandGetter = (type: string, stream: 'output' | 'errors'): DockerFunction<string> =>
  checked(`getter ${type}`, commandParameters, async ({ shell }, command) =>
    textOf((await shell.run(shellLine(command)))[stream]),
  );

const GETTERS: Readonly<Record<string, DockerFunction<unknown>>> = {
  vm_command_line: commandGetter('vm_command_line', 'output'),
  vm_command_error: commandGetter('vm_command_error', 'errors'),
  /** A file; null if there is none that can be read. With `multi`, those of the paths at the indices in `gives`. */
  vm_file: checked(
    'getter vm_file',
    {
      path: z.union([z.string().min(1), z.array(z.string().min(1)).nonempty()]),
      multi: z.boolean().default(false),
      gives: z.array(z.int().nonnegative()).default([0]),
    },
    async ({ shell }, { path, multi, gives }) => {
      if (!multi && typeof path !== 'string')
        throw taskError('getter vm_file', 'several paths need "multi": true');
      const paths = typeof path === 'string' ? [path] : path;
      const files: (TaskFile | null)[] = [];
      for (const each of multi ? paths.filter((_, index) => gives.includes(index)) : paths) {
        const data = await readFile(shell, each).catch(unreadableAsMissing);
        files.push(data === undefined ? null : { name: posix.basename(each), bytes: data });
      }
      return files.length === 1 ? files[0] : files;
    },
  ),
  /** The value of an element, or its name if it has no value; null if no matching window has such an element. */
  vm_element: checked(
    'getter vm_element',
    { window: z.string().min(1), role: z.string().min(1), name: z.string().optional() },
    async ({ tree }, { window, role, name }) => {
      const { windows, nodes } = await tree();
      const matches = new Set(windows.filter(({ title }) => title.includes(window)).map(({ xid }) => xid));
      const found = nodes.find(
        node => matches.has(node.w) && node.role === role && (name === undefined || node.name === name),
      );
      return found === undefined ? null : found.value || found.name;
    },
  ),
  /** The output of an earlier step, by the name that the step gave it. */
  cache_file: checked('getter cache_file', { path: z.string().min(1) }, async ({ printed }, { path }) => {
    const text = printed.get(path);
    if (text !== undefined) return text;
    throw taskError('getter cache_file', `no step printed to ${JSON.stringify(path)}. Correct the path.`);
  }),
};

export async function runGetter(context: TaskContext, getter: Getter): Promise<unknown> {
  return functionOf(GETTERS, getter.type, 'getter')(context, getter);
}

/** The agent made it: it scores like a file that is missing. */
const unreadableAsMissing = (error: unknown): undefined => {
  if (!(error instanceof UnreadableFile)) throw error;
};
