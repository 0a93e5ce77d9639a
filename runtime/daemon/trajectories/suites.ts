// The tasks that trajectories are about: those that are built in, and those of the folders that runs were given.

import { dirname } from 'node:path';
import { type RunId, type TaskId, taskId } from '../../contracts/ids.ts';
import type { Suite, TaskKind, Tier } from '../../environments/suite.ts';
import { BUILT_IN, openPocketSuite } from '../suite.ts';

export interface TaskAbout {
  readonly task: TaskId;
  /** The kind of desktops, or the folder that it is from. */
  readonly suite: string;
  readonly tier: Tier;
  readonly isUnseen: boolean;
  readonly apps: readonly string[];
  /** The instruction of one instance. */
  readonly example: string;
}

export interface SuitesOptions {
  readonly runs: () => Promise<readonly RunId[]>;
  /** The folder of tasks that a run was given, if any. */
  readonly folderOf: (run: RunId) => Promise<string | undefined>;
}

type Tasks = ReadonlyMap<TaskId, TaskAbout>;

export class Suites {
  readonly #options: SuitesOptions;
  /** Folders do not change for a run that was begun. */
  readonly #folders = new Map<RunId, Promise<string | undefined>>();
  readonly #suites = new Map<string | undefined, Promise<Tasks>>([[undefined, Promise.resolve(builtIn())]]);

  constructor(options: SuitesOptions) {
    this.#options = options;
  }

  folderOf(run: RunId): Promise<string | undefined> {
    const known = this.#folders.get(run) ?? this.#options.folderOf(run).catch(() => undefined);
    this.#folders.set(run, known);
    return known;
  }

  /** Of a run; of all runs without one. */
  async tasks(run?: RunId): Promise<Tasks> {
    const runs = run === undefined ? await this.#options.runs() : [run];
    const folders = new Set([undefined, ...(await Promise.all(runs.map(each => this.folderOf(each))))]);
    const each = await Promise.all([...folders].map(folder => this.#tasksIn(folder)));
    return new Map(each.flatMap(tasks => [...tasks]));
  }

  /** Of a folder that is gone, none are known: its trajectories are shown without what only the task says. */
  #tasksIn(folder: string | undefined): Promise<Tasks> {
    const known = this.#suites.get(folder) ?? openPocketSuite(folder).then(withFolder, () => new Map());
    this.#suites.set(folder, known);
    return known;
  }
}

const builtIn = (): Tasks =>
  new Map(Object.entries(BUILT_IN).flatMap(([kind, suite]) => [...tasksOf(suite, () => kind)]));

const withFolder = (suite: Suite): Tasks =>
  tasksOf(suite, ({ file }) => (file === undefined ? 'pocket' : dirname(file)));

const tasksOf = (suite: Suite, from: (task: TaskKind) => string): Tasks =>
  new Map(suite.templates.map(each => [taskId(each.id), aboutOf(suite, each, from(each))]));

function aboutOf(suite: Suite, { id, tier, apps, unseen }: TaskKind, from: string): TaskAbout {
  const { instruction } = suite.task(id, suite.seed('train', 0));
  return { task: taskId(id), suite: from, tier, isUnseen: unseen === true, apps, example: instruction };
}
