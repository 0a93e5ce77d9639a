// The task files of OSWorld below a folder as a suite. Each file is one task with one instance: training and tests play the same.

import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { taskId } from '../../core/ids.ts';
import type { Task } from '../../core/task.ts';
import { parseTask, TaskFileError } from '../../tasks/schema.ts';
import { type Suite, suiteFrom, type TaskKind, TIERS, type Tier } from '../suite.ts';
import { jsonOf } from '../task-folder.ts';
import { missingParts } from './missing-parts.ts';

export interface OsworldTemplate extends TaskKind {
  readonly task: Task;
}

export interface OsworldFile {
  /** Relative to the folder. */
  readonly file: string;
  readonly task?: Task;
  /** One sentence for each missing part; empty if the task can run and be judged. */
  readonly missing: readonly string[];
}

export interface OsworldSuite extends Suite<OsworldTemplate> {
  /** The files that are left out, with the reasons. */
  readonly left: readonly OsworldFile[];
}

/** In the order of the names. Rejects if the folder cannot be read. */
export async function readOsworldFolder(folder: string): Promise<readonly OsworldFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw new TaskFileError(`The folder of tasks cannot be read: ${messageOf(error)}`, { cause: error });
  });
  const files = entries
    .filter(each => each.isFile() && each.name.endsWith('.json') && !each.name.startsWith('.'))
    .map(each => relative(folder, join(each.parentPath, each.name)))
    .sort();
  return Promise.all(files.map(file => readOsworldFile(folder, file)));
}

async function readOsworldFile(folder: string, file: string): Promise<OsworldFile> {
  const path = join(folder, file);
  try {
    const task = namedByFile(parseTask(await jsonOf(path), path), file);
    return { file, task, missing: missingParts(task) };
  } catch (error) {
    return { file, missing: [messageOf(error).replace(`${path} is not a valid task. `, '')] };
  }
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** OSWorld and its results name a task by its file: the ids in ten of its files are those of other tasks. */
function namedByFile(task: Task, file: string): Task {
  const name = basename(file, '.json');
  return UUID.test(name) ? { ...task, id: taskId(name) } : task;
}

const SEEDS = { trainSeeds: 1, firstTestSeed: 1000 };

const suiteOf = (name: string, templates: readonly OsworldTemplate[]): Suite<OsworldTemplate> =>
  suiteFrom(name, templates, ({ task }) => task, SEEDS);

/** Guests have no built-in tasks. */
export const NO_TASKS: Suite = suiteOf('the suite of guests', []);

/** OSWorld has no tiers: a task of one application counts as 3, one of several as 4. */
export async function osworldSuite(folder: string): Promise<OsworldSuite> {
  const files = await readOsworldFolder(folder);
  const templates = files.flatMap(({ file, task, missing }) =>
    task === undefined || missing.length > 0 ? [] : [templateOf(join(folder, file), task)],
  );
  return { ...suiteOf(folder, templates), left: files.filter(({ missing }) => missing.length > 0) };
}

function templateOf(path: string, task: Task): OsworldTemplate {
  const apps = task.related_apps ?? [basename(dirname(path))];
  const tier = tierOf(task.dartboard?.tier) ?? (apps.length > 1 ? 4 : 3);
  return { id: task.id, tier, apps, file: path, task };
}

const tierOf = (tier: number | undefined): Tier | undefined => TIERS.find(each => each === tier);
