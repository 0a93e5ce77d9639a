// Creates, lists, measures and deletes the folders of runs, and reads and writes run.json, which has the configuration and progress of a run.

import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type Config, parseStoredConfig } from '../../config/config.ts';
import { isMissing, messageOf, sentenceOf } from '../../core/errors.ts';
import { exists, namesIn, textIn } from '../../core/existing-file.ts';
import { isRunId, type RunId, runId } from '../../core/ids.ts';
import { type LocalProcess, thisProcess } from '../../core/process-identity.ts';
import { sum } from '../../core/sum.ts';
import { DurableFolder, makePrivateFolder } from '../../data/files/durable.ts';
import { FolderLock } from '../../data/files/lock.ts';
import { OWNER_ONLY_FILE, OWNER_ONLY_FOLDER, TRAJECTORIES } from '../../data/files/places.ts';
import { renameWithRetry } from '../../data/files/rename-retry.ts';
import { type RunSummary, runSummary } from '../../protocol/daemon/state.ts';
import { PROGRESS_FILE } from '../../trainer/tokens/progress.ts';
import { membersOf } from './pool-members.ts';
import { programVersions } from './program-versions.ts';
import { LATEST, RUNS, RunFolderError, RunInPoolError, runName, WEIGHTS_FILE } from './run-folder.ts';

/** In a run's folder. */
export const RUN_FILE = 'run.json';
/** The state from which a run resumes. */
export const RING_FILE = 'ring.json';
/** The last published state. */
export const STATE_FILE = 'state.json';
export const CHECKPOINTS = 'checkpoints';
/** In a run's folder: which weights of a model agent were evaluated last. */
export const PUBLISHED_FILE = 'published.json';
/** The decisions of the data module. */
export const DECISIONS_FILE = 'decisions.jsonl';
/** Which steps of each group trained. */
export const MASKS_FILE = 'masks.jsonl';
const LOCK = 'lock';
/** The prefix of a folder that is being deleted, which is not listed. */
const DELETED = '.deleted-';

const record = runSummary.omit({ bytes: true, canResume: true }).extend({
  format: z.literal('dartboard-run-1'),
  /** The reason of a failure. */
  message: z.string().exactOptional(),
  /** The checkpoint whose weights it started with, if any. */
  from: z.string().exactOptional(),
  /** The programs that trained it, in order. Runs of earlier versions lack it. */
  programs: z.array(programVersions).readonly().exactOptional(),
  config: z.unknown(),
});

/** The content of run.json. */
export type RunRecord = Omit<z.infer<typeof record>, 'run' | 'config' | 'format'> & {
  readonly run: RunId;
  readonly config: Config;
};

export interface RunList {
  /** Newest first. */
  readonly runs: readonly RunSummary[];
  /** Folders with an unreadable run.json, with the reason. */
  readonly damaged: readonly { readonly run: RunId; readonly why: string }[];
}

/** A process must have only one instance per workspace, since it knows which locks the process holds. */
export class RunFolders {
  readonly root: string;
  readonly #machine: LocalProcess;
  readonly #files: DurableFolder;
  readonly #locks = new Map<RunId, FolderLock>();

  constructor(root = RUNS, machine = thisProcess()) {
    this.root = root;
    this.#machine = machine;
    this.#files = new DurableFolder(root);
  }

  /** Creates the folder of runs. */
  async prepare(): Promise<void> {
    await makePrivateFolder(this.root);
    // Runs are large and reproducible, so they stay out of version control.
    await writeFile(join(this.root, '.gitignore'), '*\n', { mode: OWNER_ONLY_FILE });
  }

  /** A new folder, named by time and seed, with a number when the name is taken. */
  async create(time: Date, seed: string): Promise<RunId> {
    await this.prepare();
    const name = runName(time, seed);
    for (let number = 1; ; number++) {
      const run = runId(number === 1 ? name : `${name}-${number}`);
      try {
        await mkdir(this.path(run), { mode: OWNER_ONLY_FOLDER });
        return run;
      } catch (error) {
        if (isCode(error, 'EEXIST')) continue;
        throw failed(`The folder '${this.path(run)}' cannot be created`, error);
      }
    }
  }

  path(run: RunId): string {
    return join(this.root, run);
  }

  /** Removes the folder of a run that did not start. A run with a run.json stays, since it is listed. */
  async discard(run: RunId): Promise<void> {
    if (await exists(join(this.path(run), RUN_FILE))) return;
    await rm(this.path(run), { recursive: true, force: true, ...RM_RETRIES });
    this.#locks.delete(run);
  }

  /** Locks a run until the returned function is called. Rejects with InUse when another process has it. */
  async lock(run: RunId, now: number): Promise<() => Promise<void>> {
    const lock = this.#lockOf(run);
    await lock.take(now);
    return () => lock.release();
  }

  /** Writes run.json atomically; resolves when it is durable. */
  async write(about: RunRecord): Promise<void> {
    const text = `${JSON.stringify({ format: 'dartboard-run-1', ...about }, undefined, 2)}\n`;
    await this.#files.write(`${about.run}/${RUN_FILE}`, new TextEncoder().encode(text));
  }

  /** Makes this run the source of the latest weights. */
  async nameLatest(run: RunId): Promise<void> {
    await this.#files.write(LATEST, new TextEncoder().encode(`${run}\n`));
  }

  /** Undefined when the run does not exist; rejects when run.json cannot be read. */
  async read(run: RunId): Promise<RunRecord | undefined> {
    const file = join(this.path(run), RUN_FILE);
    try {
      const { format: _, config, ...about } = record.parse(JSON.parse(await readFile(file, 'utf8')));
      return { ...about, run, config: parseStoredConfig(config) };
    } catch (error) {
      if (isMissing(error) || isCode(error, 'ENOTDIR')) return undefined;
      throw new RunFolderError(
        `'${file}' cannot be read: ${sentenceOf(error)} Restore the file, or delete the run with 'dartboard runs delete ${run}'.`,
        { cause: error },
      );
    }
  }

  /** Whether a process has the run at the moment. */
  async isLive(run: RunId): Promise<boolean> {
    return (await this.#lockOf(run).holder()) !== undefined;
  }

  /** Runs that no process has at the moment. */
  async unheld(): Promise<readonly RunId[]> {
    const names = await this.#names();
    const live = await Promise.all(names.map(run => this.isLive(run)));
    return names.filter((_, index) => !live[index]);
  }

  /** `trajectories` has the bytes of each run's trajectories, if known: measuring many files is slow. */
  async list(trajectories?: ReadonlyMap<RunId, number>): Promise<RunList> {
    const runs: RunSummary[] = [];
    const damaged: { readonly run: RunId; readonly why: string }[] = [];
    for (const run of await this.#names()) {
      try {
        const about = await this.read(run);
        if (about !== undefined) runs.push(await this.#summary(about, trajectories));
      } catch (error) {
        if (!(error instanceof RunFolderError)) throw error;
        damaged.push({ run, why: error.message });
      }
    }
    return { runs: runs.sort((a, b) => b.startedAt - a.startedAt), damaged };
  }

  /** `trajectories` is the size of its trajectories in bytes, if known. */
  async #bytesOf(run: RunId, trajectories?: number): Promise<number> {
    const names = await namesIn(this.path(run));
    const sizes = names.map(name =>
      name === TRAJECTORIES && trajectories !== undefined
        ? trajectories
        : bytesBelow(join(this.path(run), name)),
    );
    return sum(await Promise.all(sizes));
  }

  /**
   * Deletes a run with all its files. Rejects while a process has it, or when other runs learn from its trajectories. Returns why files of deleted runs
   * are left.
   */
  async delete(run: RunId, now: number, { withPool = false } = {}): Promise<readonly string[]> {
    const path = this.path(run);
    if (!(await isFolder(path)))
      throw new RunFolderError(
        `The run '${run}' does not exist in '${this.root}'. 'dartboard runs' lists all runs.`,
      );
    const members = withPool ? [] : await membersOf(this.root, run);
    if (members.length > 0)
      throw new RunInPoolError(
        `The success pool contains ${members.length} trajectories of the run '${run}', from which other runs learn. Remove them first, or delete them too with 'dartboard runs delete ${run} --with-pool'.`,
      );
    const lock = this.#lockOf(run);
    await lock.take(now);
    // Renamed first, so that the run disappears at once: deleting its files takes a while.
    await renameWithRetry(path, join(this.root, `${DELETED}${run}`)).catch(async (error: unknown) => {
      await lock.release();
      throw failed(`The run '${run}' cannot be deleted`, error);
    });
    this.#locks.delete(run);
    await this.#replaceLatest(run);
    return await this.#removeDeleted();
  }

  /** Also what earlier deletions have left. The next deletion tries again. */
  async #removeDeleted(): Promise<readonly string[]> {
    const left: string[] = [];
    for (const name of (await readdir(this.root)).filter(each => each.startsWith(DELETED))) {
      const folder = join(this.root, name);
      await rm(folder, { recursive: true, force: true, ...RM_RETRIES }).catch((error: unknown) => {
        left.push(
          `The files of a deleted run cannot be removed: ${messageOf(error)}. Remove '${folder}' by hand.`,
        );
      });
    }
    return left;
  }

  /** Runs that a dead process left locked. */
  async stale(): Promise<readonly RunId[]> {
    const names = await this.#names();
    const stale = await Promise.all(names.map(run => this.#lockOf(run).isStale()));
    return names.filter((_, index) => stale[index]);
  }

  async #summary(
    { config: _, message: _why, from: _from, programs: _by, ...about }: RunRecord,
    trajectories?: ReadonlyMap<RunId, number>,
  ): Promise<RunSummary> {
    const isLive = await this.isLive(about.run);
    const checkpoints = await namesIn(join(this.path(about.run), CHECKPOINTS));
    const bytes = await this.#bytesOf(about.run, trajectories && (trajectories.get(about.run) ?? 0));
    return {
      ...about,
      // A run without a process that did not end has failed.
      status: isLive || about.status === 'ended' ? about.status : 'failed',
      bytes,
      canResume: !isLive && checkpoints.some(name => name.endsWith('.safetensors') || name === PROGRESS_FILE),
    };
  }

  /** Makes the newest remaining run the latest. */
  async #replaceLatest(run: RunId): Promise<void> {
    const file = join(this.root, LATEST);
    if ((await textIn(file))?.trim() !== run) return;
    await rm(file, { force: true });
    for (const other of (await this.#names()).toSorted().reverse()) {
      if (!(await namesIn(this.path(other))).includes(WEIGHTS_FILE)) continue;
      await this.nameLatest(other);
      return;
    }
  }

  #lockOf(run: RunId): FolderLock {
    const lock =
      this.#locks.get(run) ?? new FolderLock(join(this.path(run), LOCK), 'this run', this.#machine);
    this.#locks.set(run, lock);
    return lock;
  }

  /** Folders whose names can be those of runs. */
  async #names(): Promise<readonly RunId[]> {
    const entries = await readdir(this.root, { withFileTypes: true }).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw failed(`The folder of runs '${this.root}' cannot be read`, error);
    });
    const names = entries.filter(entry => entry.isDirectory()).map(({ name }) => name);
    return names.filter(isRunId);
  }
}

/** False also for a path that cannot be read. */
const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

/** The size of a file or folder in bytes. A file that cannot be measured, such as one that was deleted meanwhile, counts as 0. */
async function bytesBelow(path: string): Promise<number> {
  const about = await stat(path).catch(() => undefined);
  if (about?.isDirectory() !== true) return about?.size ?? 0;
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const files = entries.filter(entry => entry.isFile());
  let bytes = 0;
  for (let from = 0; from < files.length; from += MAX_CONCURRENT_STATS) {
    const some = files.slice(from, from + MAX_CONCURRENT_STATS);
    const found = await Promise.all(
      // It may be deleted meanwhile.
      some.map(({ parentPath, name }) => stat(join(parentPath, name)).catch(() => undefined)),
    );
    bytes += found.reduce((sum, each) => sum + (each?.size ?? 0), 0);
  }
  return bytes;
}

const MAX_CONCURRENT_STATS = 64;
/** Windows cannot delete a file that is open. */
const RM_RETRIES = { maxRetries: 10, retryDelay: 100 };

const failed = (what: string, cause: unknown): RunFolderError =>
  new RunFolderError(`${what}: ${messageOf(cause)}`, { cause });

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
