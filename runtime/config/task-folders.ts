// The folders of a workspace with tasks of its own: task files of the user, one folder for each kind of desktops, whose files have different
// formats; and trajectories that belong to no run. Where it exists and 'suite.files' names no other, its tasks are added to the built-in ones.

import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isMissing, messageOf } from '../core/errors.ts';
import { NO_RUN, TRAJECTORIES } from '../data/files/places.ts';
import type { DesktopKind } from '../protocol/desktop-kinds.ts';
import { type Leaf, valueAt } from './leaves.ts';
import { ConfigError, type OwnTaskFolders } from './settings.ts';

/** Docker desktops have no task files of users. */
const KINDS = ['pocket', 'web', 'guest'] as const satisfies readonly DesktopKind[];
const TASKS = join('.dartboard', 'tasks');

/** Imported trajectories, demonstrations and collected episodes. */
const STORED = join('.dartboard', 'runs', NO_RUN, TRAJECTORIES);

/** Looks each time: users add a folder while the daemon runs. Throws a ConfigError. */
export const ownTaskFolders = (workspace: string): OwnTaskFolders =>
  Object.fromEntries(
    [...KINDS.map(kind => [kind, join(TASKS, kind)] as const), ['offline', STORED] as const].flatMap(
      ([kind, place]) => {
        const path = join(workspace, place);
        return isFolder(path) ? [[kind, relative('', path)]] : [];
      },
    ),
  );

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw new ConfigError([`The folder '${path}' cannot be read: ${messageOf(error)}`], { cause: error });
  }
}

/** The setting that follows from them for this kind of desktops, unless it is given. */
export function ownTaskLeaves(folders: OwnTaskFolders, kind: DesktopKind, given: unknown): readonly Leaf[] {
  const path = ['suite', 'files'];
  const folder = folders[kind];
  return folder === undefined || valueAt(given, path) !== undefined ? [] : [{ path, value: folder }];
}
