// Finds the configuration of saved weights: that of the run beside them, or else their kind of desktops by the names of their tasks. Weights
// that name no tasks act on the desktops of the workspace.

import { basename, dirname, resolve } from 'node:path';
import { type Config, parseConfig } from '../../config/config.ts';
import type { RunId } from '../../core/ids.ts';
import { isMiniwobTask } from '../../environments/web/miniwob/suite.ts';
import { DESKTOP_KINDS, type DesktopKind } from '../../protocol/desktop-kinds.ts';
import { BUILT_IN } from '../suite.ts';
import { RunFolders } from './run-folders.ts';

/**
 * `file` is the file of the weights. Outside a run, the settings of the workspace apply if it has the same kind of desktops: its browser, its
 * engines, its folder of tasks.
 */
export async function configOfWeights(
  file: string,
  tasks: readonly string[],
  workspace?: () => Promise<Config>,
): Promise<Config> {
  const folder = dirname(resolve(file));
  const about = await new RunFolders(dirname(folder)).read(basename(folder) as RunId);
  if (about !== undefined) return withPathsFrom(resolve(dirname(folder), '../..'), about.config);
  const here = await workspace?.();
  const isOfWorkspace = tasks.length === 0 || here?.suite.files !== undefined;
  const kind = kindOf(tasks) ?? (isOfWorkspace ? here?.environments.kind : undefined) ?? 'pocket';
  if (here?.environments.kind !== kind) return parseConfig({ environments: { kind } });
  const { environments, suite, evaluation } = here;
  return parseConfig({ environments, suite, evaluation });
}

/** The kinds have no task name in common. Undefined for tasks of a folder. */
function kindOf(tasks: readonly string[]): DesktopKind | undefined {
  if (tasks.some(isMiniwobTask)) return 'web';
  return DESKTOP_KINDS.find(kind => BUILT_IN[kind].templates.some(({ id }) => tasks.includes(id)));
}

/** Relative paths of a configuration are those of its workspace. */
function withPathsFrom(workspace: string, config: Config): Config {
  if (workspace === resolve('')) return config;
  const { environments, suite } = config;
  const { web, guest } = environments;
  const path = (value: string | undefined, name: string) =>
    value !== undefined && { [name]: resolve(workspace, value) };
  return {
    ...config,
    suite: { ...suite, ...path(suite.files, 'files') },
    environments: {
      ...environments,
      web: { ...web, ...path(web.miniwob, 'miniwob') },
      guest:
        environments.kind === 'guest'
          ? { ...guest, ...path(guest.mirror, 'mirror'), ...path(guest.downloads, 'downloads') }
          : guest,
    },
  };
}
