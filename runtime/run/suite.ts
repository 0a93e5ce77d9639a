// The suite that a run is about, by its kind of desktops: what is built in and, for the pocket desktop, the tasks of a folder beside it;
// and which of its tasks are trained.

import { closestName } from '../config/closest-name.ts';
import type { Config } from '../config/config.ts';
import type { TaskId } from '../core/ids.ts';
import { DOCKER } from '../environments/docker/tasks/suite.ts';
import { templatesFrom } from '../environments/pocket/tasks/from-folder.ts';
import { POCKET, type PocketSuite, suiteOf } from '../environments/pocket/tasks/suite.ts';
import type { Suite } from '../environments/suite.ts';

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

/** Throws where some of that is nothing that can be trained. */
export function trainingTasks({ suite: wanted }: Pick<Config, 'suite'>, suite: Suite): readonly TaskId[] {
  if ('tasks' in wanted) return wanted.tasks.map(id => trainingTask(suite, id, "'suite.tasks'"));
  return wanted.tiers.flatMap(tier => {
    const tasks = suite.tasks('train', tier);
    if (tasks.length > 0) return tasks;
    const tiers = new Set(suite.templates.map(each => each.tier).toSorted());
    throw new RangeError(
      `These desktops have no tasks of tier ${tier} that can be trained: there are tiers ${[...tiers].join(', ')}.`,
    );
  });
}

/** `where` it was said is for whoever reads what is wrong. */
export function trainingTask(suite: Suite, id: string, where: string): TaskId {
  const all = suite.tasks('train');
  const found = all.find(task => task === id);
  if (found !== undefined) return found;
  if (suite.tasks('unseen').some(task => task === id))
    throw new RangeError(
      `${where}: the task '${id}' is of a kind that is kept for tests ('dartboard eval --split unseen'): it is never trained.`,
    );
  const near = closestName(id, all);
  throw new RangeError(
    `${where}: there is no task '${id}' that can be trained${near === undefined ? '' : `; '${near}' is likely meant`}.`,
  );
}
