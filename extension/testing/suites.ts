// Asks the daemon for the tasks of each kind of desktops that can run here.

import { messageOf } from '../../runtime/core/errors.ts';
import type { ConfigFile } from '../config-file.ts';
import type { DaemonClient } from '../daemon/client.ts';
import { DaemonRequestError } from '../daemon/requests.ts';
import { configOfKind, kindOf } from './plan.ts';
import type { TestSuite } from './tree.ts';

export interface LoadedSuites {
  /** The kind of dartboard.json first. */
  readonly suites: readonly TestSuite[];
  /** The folder with task files of the user. */
  readonly files?: string;
}

export async function loadSuites(
  client: Pick<DaemonClient, 'request'>,
  config: ConfigFile,
): Promise<LoadedSuites> {
  const own = kindOf(config);
  const { kinds } = await client.request('desktops.kinds', {});
  // The kind of dartboard.json is listed even if it cannot run here: its evaluation names the reason. Guests have no defaults, and stored
  // trajectories are tests only where they train.
  const others = kinds
    .filter(({ kind, is }) => is === 'here' && kind !== own)
    .filter(({ kind }) => kind !== 'guest' && kind !== 'offline');
  const suites: TestSuite[] = [];
  let files: string | undefined;
  for (const kind of [own, ...others.map(each => each.kind)]) {
    try {
      const reply = await client.request('collect.tasks', { config: { ...configOfKind(config, kind) } });
      if (kind === own) files = reply.files;
      if (reply.tasks.length > 0) suites.push({ kind, tasks: reply.tasks });
    } catch (error) {
      // Without a reply the connection is lost, which is no problem of this kind.
      if (error instanceof DaemonRequestError && error.code === undefined) throw error;
      suites.push({ kind, problem: messageOf(error) });
    }
  }
  return { suites, ...(files !== undefined && { files }) };
}
