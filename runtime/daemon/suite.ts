// The suite that a run is about, by its kind of desktops: what is built in and, for the pocket desktop, the tasks of a folder beside it;
// and which of its tasks are trained.

import { type TaskId, taskId } from '../contracts/ids.ts';
import { DOCKER } from '../environments/docker/tasks/suite.ts';
import { templatesFrom } from '../environments/pocket/tasks/from-folder.ts';
import { POCKET, type PocketSuite, suiteOf } from '../environments/pocket/tasks/suite.ts';
import type { Suite } from '../environments/suite.ts';
import type { Config } from './config/config.ts';

type Chosen = Pick<Config, 'suite'> & { readonly environments: Pick<Config['environments'], 'kind'> };

export const openSuite = async ({ environments, suite }: Chosen): Promise<Suite> =>
  environments.kind === 'docker' ? DOCKER : openPocketSuite(suite.files);

export const openPocketSuite = async (folder: string | undefined): Promise<PocketSuite> =>
  folder === undefined ? POCKET : suiteOf([...POCKET.templates, ...(await templatesFrom(folder))]);

/** All that come with the program, by the kind of desktops that they are for. */
export const BUILT_IN: Readonly<Record<Config['environments']['kind'], Suite>> = {
  pocket: POCKET,
  docker: DOCKER,
};

export function tasksOf({ suite: wanted }: Pick<Config, 'suite'>, suite: Suite): readonly TaskId[] {
  if ('tiers' in wanted) return wanted.tiers.flatMap(tier => suite.tasks('train', tier));
  return wanted.tasks.map(id => taskId(suite.template(id).id));
}
