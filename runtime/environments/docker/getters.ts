// What evaluators can ask of a desktop in a container, by the names and parameters of OSWorld's task files: one small function
// each, in one table. They look at the desktop as it is now. What an agent left in a file's place is an answer, never an error.

import { z } from 'zod';
import { BoundaryError } from '../../core/failure.ts';
import type { Getter } from '../../core/task.ts';
import { shellLine } from './command.ts';
import { readFile } from './files.ts';
import type { TaskContext } from './setup.ts';

type Asked = (bench: TaskContext, getter: unknown) => Promise<unknown>;

const command = {
  command: z.union([z.string().min(1), z.array(z.string()).nonempty()]),
  shell: z.boolean().optional(),
};
const names = z.union([z.string().min(1), z.array(z.string().min(1)).nonempty()]);

const GETTERS: Readonly<Record<string, Asked>> = {
  /** What a command prints. */
  vm_command_line: getter('vm_command_line', command, async ({ shell }, asked) =>
    text((await shell.run(shellLine(asked))).output),
  ),
  /** What a command complains of. */
  vm_command_error: getter('vm_command_error', command, async ({ shell }, asked) =>
    text((await shell.run(shellLine(asked))).errors),
  ),
  /** A file's text; null where there is none. With `multi`, those of the paths whose numbers `gives` lists. */
  vm_file: getter(
    'vm_file',
    {
      path: names,
      dest: names.optional(),
      multi: z.boolean().default(false),
      gives: z.array(z.int().nonnegative()).default([0]),
    },
    async ({ shell }, { path, multi, gives }) => {
      if (!multi && typeof path !== 'string') throw fault('vm_file', 'several paths need "multi": true');
      const paths = typeof path === 'string' ? [path] : path;
      const wanted = multi ? paths.filter((_, index) => gives.includes(index)) : paths;
      const found: (string | null)[] = [];
      for (const each of wanted) {
        const data = await readFile(shell, each);
        found.push(data === undefined ? null : text(data));
      }
      return found.length === 1 ? found[0] : found;
    },
  ),
  /** What an element holds, or its name where it holds nothing; null where no window of that title has one of that role. */
  vm_element: getter(
    'vm_element',
    { window: z.string().min(1), role: z.string().min(1), name: z.string().optional() },
    async ({ tree }, asked) => {
      const { windows, nodes } = await tree();
      const ofTitle = new Set(
        windows.filter(({ title }) => title.includes(asked.window)).map(({ xid }) => xid),
      );
      const found = nodes.find(
        node =>
          ofTitle.has(node.w) &&
          node.role === asked.role &&
          (asked.name === undefined || node.name === asked.name),
      );
      return found === undefined ? null : found.value || found.name;
    },
  ),
  /** What a set-up step or a step after the episode printed, under the name that it was given there. */
  cache_file: getter('cache_file', { path: z.string().min(1) }, async ({ printed }, { path }) => {
    const found = printed.get(path);
    if (found === undefined)
      throw fault('cache_file', `no step has printed anything to ${JSON.stringify(path)}`);
    return found;
  }),
};

export async function runGetter(bench: TaskContext, asked: Getter): Promise<unknown> {
  const found = Object.hasOwn(GETTERS, asked.type) ? GETTERS[asked.type] : undefined;
  if (found !== undefined) return found(bench, asked);
  throw fault(asked.type, `there is no such getter; known are rule, ${Object.keys(GETTERS).join(', ')}`);
}

/** What else OSWorld writes into a getter, such as where it would keep a copy, is passed over. */
function getter<Shape extends z.ZodRawShape>(
  type: string,
  shape: Shape,
  answers: (bench: TaskContext, asked: z.infer<z.ZodObject<Shape>>) => Promise<unknown>,
): Asked {
  const schema = z.object(shape);
  return async (bench, asked) => {
    const read = schema.safeParse(asked);
    if (read.success) return answers(bench, read.data);
    const complaints = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw fault(type, complaints.join('; '));
  };
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

const fault = (type: string, message: string): BoundaryError =>
  new BoundaryError({ boundary: 'task', thing: `getter ${type}`, message });
