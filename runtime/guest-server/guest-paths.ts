// Paths of clients: `~/` and variables stand for values of the desktop, as os.path expands them.

import { taskError } from '../environments/task-function.ts';
import type { ServedMachine } from './served-machine.ts';

/** The path without variables. An unknown variable stays as it is. */
export async function expandedPath(machine: ServedMachine, path: string): Promise<string> {
  if (path.includes('\0'))
    throw taskError('files', `the path ${JSON.stringify(path)} contains a NUL; remove it`);
  if (!path.includes('$') && !path.startsWith('~')) return path;
  const { output } = await machine.run('env -0');
  return expanded(path, parseVariables(Buffer.from(output).toString('utf8')));
}

/** Each as NAME=VALUE, and a zero. */
const parseVariables = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split('\0').map(each => {
      const end = each.indexOf('=');
      return [each.slice(0, end), each.slice(end + 1)] as const;
    }),
  );

const HOME = /^~(?=\/|$)/;
const VARIABLE = /\$(?:(\w+)|\{([^{}]*)\})/g;

const expanded = (path: string, variables: ReadonlyMap<string, string>): string =>
  path
    .replace(HOME, written => variables.get('HOME') ?? written)
    .replaceAll(
      VARIABLE,
      (written: string, plain?: string, braced?: string) => variables.get(plain ?? braced ?? '') ?? written,
    );
