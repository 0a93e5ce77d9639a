// On which desktops weights were trained: their run says it, beside them; of those that were taken elsewhere, the names of their tasks.

import { basename, dirname, resolve } from 'node:path';
import { type Config, parseConfig } from '../config/config.ts';
import type { RunId } from '../core/ids.ts';
import { RunFolders } from './run-folders.ts';
import { BUILT_IN } from './suite.ts';

/** `file` is that of the weights. */
export async function trainedAs(file: string, tasks: readonly string[]): Promise<Config> {
  const folder = dirname(resolve(file));
  const about = await new RunFolders(dirname(folder)).read(basename(folder) as RunId);
  return about?.config ?? parseConfig({ environments: { kind: kindOf(tasks) } });
}

/** No two kinds have a task of the same name. */
function kindOf(tasks: readonly string[]): Config['environments']['kind'] {
  const known = BUILT_IN.docker.templates.some(({ id }) => tasks.includes(id));
  return known ? 'docker' : 'pocket';
}
