// The task suite of a configuration: the built-in tasks of its kind of desktops, also those of a folder; and
// the tasks that it trains.

import { closestName } from '../config/closest-name.ts';
import type { Config } from '../config/config.ts';
import type { TaskId } from '../core/ids.ts';
import { DOCKER_LARGE, suiteOfImage } from '../environments/docker/tasks/suite.ts';
import { whyNone } from '../environments/offline/open-offline.ts';
import { NO_TRAJECTORIES, offlineSuite } from '../environments/offline/suite.ts';
import { NO_TASKS, osworldSuite } from '../environments/osworld/suite.ts';
import { templatesFrom } from '../environments/pocket/tasks/from-folder.ts';
import type { Phrasings } from '../environments/pocket/tasks/phrasing.ts';
import { POCKET, type PocketSuite, suiteOf } from '../environments/pocket/tasks/suite.ts';
import type { Suite, TaskSplit } from '../environments/suite.ts';
import { webSuite } from '../environments/web/open-web.ts';
import { WEB } from '../environments/web/tasks/suite.ts';
import type { DesktopKind } from '../protocol/desktop-kinds.ts';
import { expertsIn } from './expert-files.ts';

type SuiteConfig = Pick<Config, 'suite'> & {
  readonly environments: Pick<Config['environments'], 'kind' | 'docker' | 'web'>;
};

const SUITES: Readonly<Record<DesktopKind, (config: SuiteConfig) => Promise<Suite>>> = {
  pocket: ({ suite }) => openPocketSuite(suite.files, suite.phrasings),
  docker: async ({ environments }) => suiteOfImage(environments.docker.image),
  web: ({ environments, suite }) => webSuite({ miniwob: environments.web.miniwob, files: suite.files }),
  guest: ({ suite }) => guestSuite(suite.files),
  offline: ({ suite }) => openOfflineSuite(suite.files),
};

export const openSuite = (config: SuiteConfig): Promise<Suite> => SUITES[config.environments.kind](config);

export async function openPocketSuite(
  folder: string | undefined,
  phrasings?: Phrasings,
): Promise<PocketSuite> {
  if (folder === undefined && phrasings !== 'varied') return POCKET;
  const own = folder === undefined ? [] : await templatesFrom(folder);
  return suiteOf([...POCKET.templates, ...own], phrasings);
}

const guestSuite = async (folder: string | undefined): Promise<Suite> =>
  folder === undefined ? NO_TASKS : osworldSuite(folder);

export async function openOfflineSuite(folder: string | undefined): Promise<Suite> {
  const source = await expertsIn(folder);
  const suite = offlineSuite(source.experts);
  return source.experts.length > 0 ? suite : { ...suite, whyNone: whyNone(source) };
}

/** The suites of the program; for Docker that of the large image, which contains the other one. */
export const BUILT_IN: Readonly<Record<DesktopKind, Suite>> = {
  pocket: POCKET,
  docker: DOCKER_LARGE,
  web: WEB,
  guest: NO_TASKS,
  offline: NO_TRAJECTORIES,
};

/** Throws a RangeError when a task or tier cannot be trained. */
export function trainingTasks(
  {
    suite: chosen,
    environments,
  }: Pick<Config, 'suite'> & { readonly environments?: Pick<Config['environments'], 'kind'> },
  suite: Suite,
): readonly TaskId[] {
  if ('tasks' in chosen) return chosen.tasks.map(id => trainingTask(suite, id, "'suite.tasks'"));
  // The tasks of guests are the user's, perhaps none of several applications.
  const mayMiss =
    environments?.kind === 'guest' && chosen.tiers.some(tier => suite.tasks('train', tier).length > 0);
  return chosen.tiers.flatMap(tier => {
    const tasks = suite.tasks('train', tier);
    if (tasks.length > 0 || mayMiss) return tasks;
    if (suite.whyNone !== undefined) throw new RangeError(suite.whyNone);
    const tiers = new Set(suite.templates.map(each => each.tier).toSorted());
    throw new RangeError(
      `'suite.tiers': these desktops have no tasks of tier ${tier} to train. Use tiers among ${[...tiers].join(', ')}.`,
    );
  });
}

/** The tasks that weights were trained on, as far as this suite has them. Weights that name none act on all. */
export const trainedTasks = (suite: Suite, trained: readonly string[]): readonly TaskId[] =>
  suite.tasks('train').filter(task => trained.length === 0 || trained.includes(task));

/** `where` names the setting or option in errors. */
export const trainingTask = (suite: Suite, id: string, where: string): TaskId =>
  taskOfSplit(suite, id, 'train', where);

/** Tasks of the split 'test' are those of training, with other instances. */
export function taskOfSplit(suite: Suite, id: string, split: TaskSplit, where: string): TaskId {
  const all = suite.tasks(split);
  const found = all.find(task => task === id);
  if (found !== undefined) return found;
  const isUnseen = split === 'unseen';
  if (suite.tasks(isUnseen ? 'train' : 'unseen').some(task => task === id))
    throw new RangeError(
      isUnseen
        ? `${where}: the task '${id}' is a training task. Choose one of unseen kinds, or another split.`
        : `${where}: the task '${id}' is reserved for tests ('dartboard eval --split unseen'). Choose a training task.`,
    );
  const near = closestName(id, all);
  throw new RangeError(
    `${where}: no ${isUnseen ? 'task of unseen kinds' : 'training task'} is called '${id}'. ${near === undefined ? `Choose one of the ${all.length}, such as '${all[0]}'.` : `Did you mean '${near}'?`}`,
  );
}
