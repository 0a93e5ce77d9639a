// The tasks of the trajectories of a workspace, by the configurations of its runs and by its own settings.

import type { Config } from '../../config/config.ts';
import { treeOf, valueAt } from '../../config/leaves.ts';
import type { Settings } from '../../config/settings.ts';
import type { RunId } from '../../core/ids.ts';
import { DESKTOP_KINDS } from '../../protocol/desktop-kinds.ts';
import { type AddedTaskFolders, Suites, type SuitesOptions } from './suites.ts';

interface WorkspaceSuitesOptions extends Pick<SuitesOptions, 'runs'> {
  /** Of a run; rejects when it does not exist. */
  readonly configOf: (run: RunId) => Promise<Config>;
  /** Of dartboard.json. */
  readonly settings: () => Promise<Settings>;
}

export const workspaceSuites = ({ runs, configOf, settings }: WorkspaceSuitesOptions): Suites =>
  new Suites({
    runs,
    foldersOf: async run => {
      const { suite, environments } = await configOf(run);
      return { files: suite.files, kind: environments.kind, miniwob: environments.web.miniwob };
    },
    // A faulty dartboard.json has no tasks to show: other requests report its error.
    ofWorkspace: () => settings().then(addedFolders, () => []),
  });

/**
 * Of each kind of desktops, by the settings alone: a complete configuration for each takes longer than a list of trajectories. Stored
 * trajectories are tasks only where they train.
 */
function addedFolders({ leaves, tasks = {} }: Settings): readonly AddedTaskFolders[] {
  const given = treeOf(leaves);
  const textAt = (...path: readonly string[]): string | undefined => {
    const value = valueAt(given, path);
    return typeof value === 'string' ? value : undefined;
  };
  const own = textAt('environments', 'kind') ?? 'pocket';
  return DESKTOP_KINDS.filter(kind => kind !== 'offline' || own === kind).map(kind => ({
    ...{ kind, miniwob: textAt('environments', 'web', 'miniwob') },
    files: (kind === own ? textAt('suite', 'files') : undefined) ?? tasks[kind],
  }));
}
