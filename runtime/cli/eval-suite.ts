// The suite and the tasks of an evaluation, from dartboard.json and the options of the command.

import { stat } from 'node:fs/promises';
import { resolve as absolute, join } from 'node:path';
import { type Config, parseConfig, resolve } from '../config/config.ts';
import { CONFIG_FILE, readConfig } from '../config/config-file.ts';
import { configOfKind } from '../config/kind-config.ts';
import { treeOf, valueAt } from '../config/leaves.ts';
import { type Settings, settingsFromOptions } from '../config/settings.ts';
import { folderOfTask, type Suite, type TaskSplit, type Tier } from '../environments/suite.ts';
import { defaultInstances, type WantedTasks } from '../protocol/daemon/collection.ts';
import { DESKTOP_KINDS, type DesktopKind } from '../protocol/desktop-kinds.ts';
import { openSuite } from '../run/suite.ts';

export interface SuiteOptions {
  /** A kind of desktops, or a folder of task files; by default the suite of dartboard.json. */
  readonly suite?: string;
  readonly split: TaskSplit;
  readonly tier?: readonly Tier[];
  readonly tasks?: readonly string[];
}

export interface EvaluatedSuite {
  readonly config: Config;
  readonly suite: Suite;
  /** All tasks of the split if absent. */
  readonly wanted?: WantedTasks;
}

/** The default of `--instances`. */
export const instancesToEvaluate = (kind: DesktopKind): number => defaultInstances(kind, 20);

const INSTANCES: Readonly<Record<TaskSplit, string>> = {
  test: 'test instances',
  train: 'training instances',
  unseen: 'unseen kinds of tasks',
};

/** The instances of an evaluation in words. Guests and stored trajectories have one instance of each task. */
export const instancesText = ({ trainSeeds }: Pick<Suite, 'trainSeeds'>, split: TaskSplit): string =>
  split === 'test' && trainSeeds === 1
    ? 'tasks that may have trained: each has one instance'
    : INSTANCES[split];

/** `folder` is the workspace. */
export async function evaluatedSuite(folder: string, options: SuiteOptions): Promise<EvaluatedSuite> {
  const settings = await readConfig(join(folder, CONFIG_FILE));
  const config = await configOf(options.suite, folder, settings);
  const suite = await openSuite(config);
  const { tasks, tier } = options;
  if (tasks !== undefined) return { config, suite, wanted: { tasks: [...tasks] } };
  if (options.suite === undefined || isKind(options.suite))
    return { config, suite, ...(tier !== undefined && { wanted: { tiers: [...tier] } }) };
  return { config, suite, wanted: { tasks: [...tasksOfFiles(suite, options.suite, options)] } };
}

const isKind = (name: string): name is DesktopKind => DESKTOP_KINDS.some(kind => kind === name);

/** A folder has tasks of the kind of dartboard.json. */
async function configOf(suite: string | undefined, folder: string, settings: Settings): Promise<Config> {
  if (suite !== undefined && isKind(suite)) return configOfKind(settings, suite);
  if (suite === undefined) return resolve(settings).config;
  const files = await taskFolder(suite, folder);
  const isDocker = valueAt(treeOf(settings.leaves), ['environments', 'kind']) === 'docker';
  // Guests without tasks are an error, and so are task files for Docker desktops.
  const options = isDocker ? undefined : settingsFromOptions({ suite: { files } });
  const { environments, agents } = resolve(settings, options).config;
  const given = {
    environments: environments.kind === 'docker' ? { kind: 'pocket' } : environments,
    suite: { files },
    ...(Object.keys(agents).length > 0 && { agents }),
  };
  return parseConfig(given, settings.user);
}

async function taskFolder(name: string, folder: string): Promise<string> {
  const path = absolute(folder, name);
  // A path that cannot be read is no folder either.
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return path;
  throw new RangeError(
    `--suite '${name}' is no folder. Give a folder of task files (docs/tasks.md), or one of ${DESKTOP_KINDS.join(', ')}.`,
  );
}

/** The tasks of the folder, without the built-in ones, whose files have no folder. */
function tasksOfFiles(suite: Suite, folder: string, { split, tier }: SuiteOptions): readonly string[] {
  const tasks = (tier ?? [undefined])
    .flatMap(each => suite.tasks(split, each))
    .filter(task => folderOfTask(suite.template(task)) !== undefined);
  if (tasks.length > 0) return tasks;
  throw new RangeError(
    `--suite '${folder}' has no such tasks. Choose another folder, or others with --split and --tier.`,
  );
}
