// Finds the configuration with which weights were trained: from run.json beside them, or else from the names of their tasks.

import { basename, dirname, resolve } from 'node:path';
import { type Config, parseConfig } from '../config/config.ts';
import type { RunId } from '../core/ids.ts';
import { DESKTOP_KINDS, type DesktopKind } from '../protocol/desktop-kinds.ts';
import { RunFolders } from './run-folders.ts';
import { BUILT_IN } from './suite.ts';

/** `file` is the file of the weights. */
export async function configOfWeights(file: string, tasks: readonly string[]): Promise<Config> {
  const folder = dirname(resolve(file));
  const about = await new RunFolders(dirname(folder)).read(basename(folder) as RunId);
  return about?.config ?? parseConfig({ environments: { kind: kindOf(tasks) } });
}

/** The kinds have no task name in common. Unknown tasks are those of a folder of the pocket desktop. */
const kindOf = (tasks: readonly string[]): DesktopKind =>
  DESKTOP_KINDS.find(kind => BUILT_IN[kind].templates.some(({ id }) => tasks.includes(id))) ?? 'pocket';
