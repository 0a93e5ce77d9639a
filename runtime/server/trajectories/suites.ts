// The tasks of trajectories: the built-in ones, and those of the task folders of runs and of the workspace.

import { stat } from 'node:fs/promises';
import { type RunId, type TaskId, taskId } from '../../core/ids.ts';
import { osworldSuite } from '../../environments/osworld/suite.ts';
import { POCKET, suiteOf } from '../../environments/pocket/tasks/suite.ts';
import {
  folderOfTask,
  type Suite,
  type TaskKind,
  type Tier,
  taskIfPossible,
} from '../../environments/suite.ts';
import { PAGES_FOLDER } from '../../environments/web/miniwob/suite.ts';
import { webSuite } from '../../environments/web/open-web.ts';
import type { DesktopKind } from '../../protocol/desktop-kinds.ts';
import { BUILT_IN, openOfflineSuite } from '../../run/suite.ts';
import { ownTemplatesIn } from '../own-templates.ts';
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
  /** The folders with tasks of a run; rejects when the run does not exist. */
  readonly foldersOf: (run: RunId) => Promise<AddedTaskFolders>;
  /** Those of each kind of desktops in the workspace, for demonstrations and collected trajectories, which belong to no run. */
  readonly ofWorkspace: () => Promise<readonly AddedTaskFolders[]>;
}

/** Folders whose tasks are added to the built-in ones. */
export interface AddedTaskFolders {
  /** Task files of the user, for this kind of desktops. */
  readonly files?: string | undefined;
  readonly kind?: DesktopKind;
  /** Pages of MiniWoB++. */
  readonly miniwob?: string | undefined;
}

type Tasks = ReadonlyMap<TaskId, TaskAbout>;

export class Suites {
  readonly #options: SuitesOptions;
  /** The folders of a run never change. */
  readonly #folders = new Map<RunId, Promise<AddedTaskFolders>>();
  readonly #builtIn = builtIn();
  readonly #ofFiles = {
    pocket: new TaskFolders(folder => tasksIn(folder, 'pocket')),
    docker: new TaskFolders(async () => new Map<TaskId, TaskAbout>()),
    web: new TaskFolders(folder => tasksIn(folder, 'web')),
    guest: new TaskFolders(folder => tasksIn(folder, 'guest'), { isRecursive: true }),
    offline: new TaskFolders(async folder => tasksOf(await openOfflineSuite(folder), () => 'offline')),
  };
  readonly #ofMiniwob = new TaskFolders(async miniwob => tasksOf(await webSuite({ miniwob }), () => 'web'), {
    inner: PAGES_FOLDER,
  });

  constructor(options: SuitesOptions) {
    this.#options = options;
  }

  /** The folder with task files of a run, or that of the workspace which has the task, if any; none for a built-in pocket task. */
  async folderOf(run: RunId | undefined, task: TaskId): Promise<string | undefined> {
    if (POCKET.templates.some(({ id }) => id === task)) return undefined;
    if (run !== undefined) return (await this.#foldersOf(run)).files;
    for (const { files, kind = 'pocket' } of await this.#options.ofWorkspace()) {
      const tasks = files === undefined ? undefined : await orNone(this.#ofFiles[kind].of(files));
      // Built-in tasks have no date.
      if (tasks?.get(task)?.changedAt !== undefined) return files;
    }
    return undefined;
  }

  async #foldersOf(run: RunId): Promise<AddedTaskFolders> {
    const known = this.#folders.get(run) ?? this.#options.foldersOf(run);
    this.#folders.set(run, known);
    try {
      return await known;
    } catch {
      // The run is being created: the next call finds it.
      this.#folders.delete(run);
      return {};
    }
  }

  /** The tasks of a run, or of all runs. */
  async tasks(run?: RunId): Promise<Tasks> {
    const runs = run === undefined ? await this.#options.runs() : [run];
    const ofRuns = await Promise.all(runs.map(each => this.#foldersOf(each)));
    const folders = run === undefined ? [...(await this.#options.ofWorkspace()), ...ofRuns] : ofRuns;
    const files = new Map(
      folders.flatMap(({ files, kind = 'pocket' }) => (files === undefined ? [] : [[files, kind]])),
    );
    const miniwob = new Set(folders.flatMap(each => each.miniwob ?? []));
    const each = await Promise.all([
      this.#builtIn,
      ...[...files].map(([folder, kind]) => orNone(this.#ofFiles[kind].of(folder))),
      ...[...miniwob].map(folder => orNone(this.#ofMiniwob.of(folder))),
    ]);
    return new Map(each.flatMap(tasks => [...tasks]));
  }
}

/** The trajectories of a missing folder are shown without details of the task. */
const orNone = (tasks: Promise<Tasks>): Promise<Tasks> => tasks.catch(() => new Map());

const builtIn = (): Tasks =>
  new Map(Object.entries(BUILT_IN).flatMap(([kind, suite]) => [...tasksOf(suite, () => kind)]));

type FolderKind = Exclude<DesktopKind, 'docker' | 'offline'>;

const SUITE_OF_FOLDER: Readonly<Record<FolderKind, (folder: string) => Promise<Suite>>> = {
  pocket: async folder => suiteOf([...POCKET.templates, ...(await ownTemplatesIn(folder)).templates]),
  web: folder => webSuite({ files: folder }),
  guest: osworldSuite,
};

/** The tasks of a folder, and the built-in ones. */
async function tasksIn(folder: string, kind: FolderKind): Promise<Tasks> {
  const suite = await SUITE_OF_FOLDER[kind](folder);
  const tasks = tasksOf(suite, task => folderOfTask(task) ?? kind);
  const dated = suite.templates.map(async task => {
    const { id, file } = task;
    const about = tasks.get(taskId(id));
    if (about === undefined || file === undefined || folderOfTask(task) === undefined) return;
    return { ...about, changedAt: (await stat(file)).mtimeMs };
  });
  const changed = (await Promise.all(dated)).filter(each => each !== undefined);
  return new Map([...tasks, ...changed.map(each => [each.task, each] as const)]);
}

const tasksOf = (suite: Suite, from: (task: TaskKind) => string): Tasks =>
  new Map(suite.templates.flatMap(each => aboutOf(suite, each, from(each))).map(each => [each.task, each]));

/** Empty for a task file whose instances cannot be made. */
function aboutOf(suite: Suite, { id, tier, apps, unseen }: TaskKind, from: string): readonly TaskAbout[] {
  const example = taskIfPossible(suite, id, suite.seed('train', 0))?.instruction;
  if (example === undefined) return [];
  return [{ task: taskId(id), suite: from, tier, isUnseen: unseen === true, apps, example }];
}
