// The tasks of trajectories: the built-in ones, and those of the task folders of runs.

import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type RunId, type TaskId, taskId } from '../../core/ids.ts';
import type { Suite, TaskKind, Tier } from '../../environments/suite.ts';
import { BUILT_IN, openPocketSuite } from '../../run/suite.ts';
import { TaskFolders } from '../task-folders.ts';

export interface TaskAbout {
  readonly task: TaskId;
  /** The kind of desktops, or the task folder. */
  readonly suite: string;
  readonly tier: Tier;
  readonly isUnseen: boolean;
  readonly apps: readonly string[];
  /** The instruction of one instance. */
  readonly example: string;
  /** When its file changed last, in milliseconds since 1970; absent for built-in tasks. */
  readonly changedAt?: number;
}

export interface SuitesOptions {
  readonly runs: () => Promise<readonly RunId[]>;
  /** The task folder of a run, if any; rejects when the run does not exist. */
  readonly folderOf: (run: RunId) => Promise<string | undefined>;
}

type Tasks = ReadonlyMap<TaskId, TaskAbout>;

export class Suites {
  readonly #options: SuitesOptions;
  /** The task folder of a run never changes. */
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
      // The run is being created: the next call finds it.
      this.#folders.delete(run);
      return undefined;
    }
  }

  /** The tasks of a run, or of all runs. */
  async tasks(run?: RunId): Promise<Tasks> {
    const runs = run === undefined ? await this.#options.runs() : [run];
    const folders = new Set([undefined, ...(await Promise.all(runs.map(each => this.folderOf(each))))]);
    const each = await Promise.all([...folders].map(folder => this.#tasksIn(folder)));
    return new Map(each.flatMap(tasks => [...tasks]));
  }

  /** Empty for a missing folder: its trajectories are shown without details of the task. */
  async #tasksIn(folder: string | undefined): Promise<Tasks> {
    return folder === undefined ? this.#builtIn : this.#ofFolders.of(folder).catch(() => new Map());
  }
}

const builtIn = (): Tasks =>
  new Map(Object.entries(BUILT_IN).flatMap(([kind, suite]) => [...tasksOf(suite, () => kind)]));

/** The tasks of a folder, and the built-in ones. */
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
