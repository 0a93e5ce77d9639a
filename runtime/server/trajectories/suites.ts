// The tasks that trajectories are about: those that are built in, and those of the folders that runs were given.

import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type RunId, type TaskId, taskId } from '../../core/ids.ts';
import type { Suite, TaskKind, Tier } from '../../environments/suite.ts';
import { BUILT_IN, openPocketSuite } from '../../run/suite.ts';
import { TaskFolders } from '../task-folders.ts';

export interface TaskAbout {
  readonly task: TaskId;
  /** The kind of desktops, or the folder that it is from. */
  readonly suite: string;
  readonly tier: Tier;
  readonly isUnseen: boolean;
  readonly apps: readonly string[];
  /** The instruction of one instance. */
  readonly example: string;
  /** When the file that it is from was changed last, in milliseconds since 1970; absent where the program brings it along. */
  readonly changedAt?: number;
}

export interface SuitesOptions {
  readonly runs: () => Promise<readonly RunId[]>;
  /** The folder of tasks that a run was given, if any; rejects as long as there is no such run. */
  readonly folderOf: (run: RunId) => Promise<string | undefined>;
}

type Tasks = ReadonlyMap<TaskId, TaskAbout>;

export class Suites {
  readonly #options: SuitesOptions;
  /** Folders do not change for a run that was begun. */
  readonly #folders = new Map<RunId, Promise<string | undefined>>();
  readonly #builtIn = builtIn();
  readonly #ofFolders = new TaskFolders(tasksIn);

  constructor(options: SuitesOptions) {
    this.#options = options;
  }

  async folderOf(run: RunId): Promise<string | undefined> {
    const known = this.#folders.get(run) ?? this.#options.folderOf(run);
    this.#folders.set(run, known);
    try {
      return await known;
    } catch {
      // One that begins is there a moment later.
      this.#folders.delete(run);
      return undefined;
    }
  }

  /** Of a run; of all runs without one. */
  async tasks(run?: RunId): Promise<Tasks> {
    const runs = run === undefined ? await this.#options.runs() : [run];
    const folders = new Set([undefined, ...(await Promise.all(runs.map(each => this.folderOf(each))))]);
    const each = await Promise.all([...folders].map(folder => this.#tasksIn(folder)));
    return new Map(each.flatMap(tasks => [...tasks]));
  }

  /** Of a folder that is gone, none are known: its trajectories are shown without what only the task says. */
  async #tasksIn(folder: string | undefined): Promise<Tasks> {
    return folder === undefined ? this.#builtIn : this.#ofFolders.of(folder).catch(() => new Map());
  }
}

const builtIn = (): Tasks =>
  new Map(Object.entries(BUILT_IN).flatMap(([kind, suite]) => [...tasksOf(suite, () => kind)]));

/** Of a folder, with those that are built in. */
async function tasksIn(folder: string): Promise<Tasks> {
  const suite = await openPocketSuite(folder);
  const tasks = tasksOf(suite, ({ file }) => (file === undefined ? 'pocket' : dirname(file)));
  const dated = suite.templates.map(async ({ id, file }) => {
    const about = tasks.get(taskId(id));
    if (about === undefined || file === undefined) return;
    return { ...about, changedAt: (await stat(file)).mtimeMs };
  });
  const changed = (await Promise.all(dated)).filter(each => each !== undefined);
  return new Map([...tasks, ...changed.map(each => [each.task, each] as const)]);
}

const tasksOf = (suite: Suite, from: (task: TaskKind) => string): Tasks =>
  new Map(suite.templates.map(each => [taskId(each.id), aboutOf(suite, each, from(each))]));

function aboutOf(suite: Suite, { id, tier, apps, unseen }: TaskKind, from: string): TaskAbout {
  const { instruction } = suite.task(id, suite.seed('train', 0));
  return { task: taskId(id), suite: from, tier, isUnseen: unseen === true, apps, example: instruction };
}
