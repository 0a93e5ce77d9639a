// The store of all trajectories below one folder. Files are the source of truth, the ledger has the outcomes of deleted trajectories, two
// journals have the marks of people and the suggestions of models, and the index answers queries about all of them. Acknowledged data
// survives a kill at any time.

import { join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import { type Disk, nodeDisk } from '../core/disk.ts';
import { isMissing, messageOf } from '../core/errors.ts';
import type { RunId, TrajectoryId } from '../core/ids.ts';
import { thisProcess } from '../core/process-identity.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { DurableFolder, makePrivateFolder } from './files/durable.ts';
import { Journal } from './files/journal.ts';
import { FolderLock } from './files/lock.ts';
import { isMarked, markOf, type Remark } from './files/marks.ts';
import { LEDGER, LOCK, MARKS, placeOf, SUGGESTIONS } from './files/places.ts';
import type { Suggestion } from './files/suggestions.ts';
import { ledgerLineOf } from './files/summary.ts';
import { decodeTrajectory, encodeTrajectory } from './files/trajectory-file.ts';
import type { CaughtUp } from './index/catalogue.ts';
import { IndexThread } from './index/index-thread.ts';
import { EMBEDDED, type IndexPlace } from './index/place.ts';
import type { RetentionCandidate, StoreVolume, TrajectoryIndex } from './index/queries.ts';
import { type Budget, isOver, toDelete } from './retention.ts';

export interface StoreOptions {
  /** The folder of the runs. */
  readonly root: string;
  /** The bundled index/index-worker.ts. */
  readonly indexEntry: URL;
  /** In the folder of the runs by default. */
  readonly index?: IndexPlace;
  readonly clock: Clock;
  /** Without a budget nothing is deleted. */
  readonly budget?: Budget;
  /** Receives messages for the user: damaged files, truncated lines, files that cannot be deleted. */
  readonly notice: (message: string) => void;
  /** By default that of this computer. A simulation passes its own. */
  readonly machine?: StoreMachine;
}

/** The disk of a store, its lock, and its index. Passed in, so that a simulation can fail them. */
export interface StoreMachine {
  readonly disk: Disk;
  /** Creates the folder of the runs for its owner alone, and locks it. Returns the release of the lock. */
  lock(): Promise<() => Promise<void>>;
  startIndex(): Promise<Pick<IndexThread, 'caughtUp' | 'index' | 'call' | 'close'>>;
}

export class NoSuchTrajectory extends Error {
  override readonly name = 'NoSuchTrajectory';
}

export class TrajectoryStore {
  readonly index: TrajectoryIndex;
  /** The result of updating the index at the start. */
  readonly caughtUp: CaughtUp;
  readonly #options: StoreOptions;
  readonly #parts: Parts;
  /** Volume of the existing files. */
  #volume: { count: number; bytes: number };
  /** Volume added since the last volume query. */
  #added = { count: 0, bytes: 0 };
  /** Trajectories sent to the index and not yet indexed. */
  #pendingIndex = 0;
  #retaining: Promise<void> | undefined;
  /** After a retention without effect, the volume at which the next attempt starts. */
  #retryAt: StoreVolume | undefined;
  /** Trajectories that could not be deleted. They are not tried again. */
  readonly #undeletable = new Set<TrajectoryId>();
  #closing: Promise<void> | undefined;
  #budget: Budget | undefined;
  #protected: () => ReadonlySet<TrajectoryId> = () => NOTHING;
  #lastExclusive: Promise<void> = Promise.resolve();

  private constructor(options: StoreOptions, parts: Parts, volume: { count: number; bytes: number }) {
    this.#options = options;
    this.#parts = parts;
    this.#volume = volume;
    this.#budget = options.budget;
    this.index = parts.thread.index;
    this.caughtUp = parts.thread.caughtUp;
  }

  /** Opens the store and repairs what a crash may have left. */
  static async open(options: StoreOptions): Promise<TrajectoryStore> {
    const { root, notice, machine = thisMachine(options) } = options;
    const { disk } = machine;
    const unlock = await machine.lock();
    const opened: { close(): Promise<void> }[] = [];
    try {
      const journal = async (name: string): Promise<Journal> => {
        const { journal, cut } = await Journal.open(join(root, name), disk);
        opened.push(journal);
        if (cut !== '')
          notice(
            `'${join(root, name)}' ended in an incomplete record, which was removed: ${cut.slice(0, 100)}`,
          );
        return journal;
      };
      const ledger = await journal(LEDGER);
      const marks = await journal(MARKS);
      const suggestions = await journal(SUGGESTIONS);
      const thread = await machine.startIndex();
      opened.push(thread);
      for (const complaint of thread.caughtUp.complaints) notice(complaint);
      const parts = { folder: new DurableFolder(root, disk), ledger, marks, suggestions, thread, unlock };
      const store = new TrajectoryStore(options, parts, { ...(await thread.index.volume()) });
      store.#retain();
      return store;
    } catch (error) {
      // A failing close must not hide the first error.
      await Promise.allSettled(opened.map(each => each.close()));
      await unlock();
      throw error;
    }
  }

  /**
   * Resolves once the trajectory is durable. Storing it again changes nothing. A trajectory without a run, such as a scripted solution, may
   * return with other content: it then replaces the stored one, unless that one has marks. `replacesMarked`: also then; the marks stay.
   * While the index does not answer, a stored one counts as marked.
   */
  async ingest(trajectory: Trajectory, { replacesMarked = false } = {}): Promise<void> {
    const { folder, thread } = this.#parts;
    const before = trajectory.run === undefined ? await this.#stored(trajectory.id) : undefined;
    if (before?.isMarked && !replacesMarked) return;
    const { head, bytes } = encodeTrajectory(trajectory);
    await folder.write(placeOf(head.id, head.run), bytes);
    this.#pendingIndex += 1;
    const indexed = this.#indexed(thread.call('add', { head, bytes: bytes.length }));
    void indexed.then(() => {
      this.#pendingIndex -= 1;
    });
    for (const volume of [this.#volume, this.#added]) {
      volume.count += before === undefined ? 1 : 0;
      volume.bytes += bytes.length - (before?.bytes ?? 0);
    }
    this.#retain();
    if (this.#pendingIndex > MAX_PENDING_INDEX) await indexed;
  }

  async read(id: TrajectoryId): Promise<Trajectory> {
    const row = await this.index.row(id);
    if (row === undefined) throw this.#noSuch(id);
    const place = placeOf(row.id, row.run);
    const bytes = await this.#parts.folder.read(place).catch((error: unknown) => {
      throw isMissing(error) ? this.#noSuch(id) : error;
    });
    return decodeTrajectory(bytes, join(this.#options.root, place));
  }

  /** Resolves once the mark is durable. */
  label(id: TrajectoryId, remark: Remark, who: string): Promise<void> {
    const { marks, thread } = this.#parts;
    return this.#exclusively(async () => {
      if ((await this.index.row(id)) === undefined) throw this.#noSuch(id);
      const mark = markOf(remark, id, who, this.#options.clock.now());
      const end = await marks.append(mark);
      void this.#indexed(thread.call('mark', { mark, end }));
    });
  }

  /** Resolves once the suggestion of a model is durable. It protects no trajectory from retention. */
  suggest(content: Omit<Suggestion, 'at'>): Promise<void> {
    const { suggestions, thread } = this.#parts;
    return this.#exclusively(async () => {
      const suggestion = { ...content, at: this.#options.clock.now() };
      if ((await this.index.row(suggestion.trajectory)) === undefined)
        throw this.#noSuch(suggestion.trajectory);
      const end = await suggestions.append(suggestion);
      void this.#indexed(thread.call('suggest', { suggestion, end }));
    });
  }

  /** Removes a run from the index after its folder was deleted. */
  forgetRun(run: RunId): Promise<void> {
    const { thread } = this.#parts;
    return this.#exclusively(async () => {
      await thread.call('forgetRun', { run });
      await this.#recount();
    });
  }

  /** Sets the budget and applies it at once. */
  keepWithin(budget: Budget): void {
    this.#budget = budget;
    this.#retryAt = undefined;
    this.#retain();
  }

  /** Retention deletes none of these, from now on until the next call. Without `ids`, it deletes all that have no mark. */
  protect(ids: () => ReadonlySet<TrajectoryId> = () => NOTHING): void {
    this.#protected = ids;
  }

  /** Waits for pending work. Repeated calls have no effect. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { folder, ledger, marks, suggestions, thread, unlock } = this.#parts;
    await folder.close();
    await this.#retaining;
    await this.#lastExclusive;
    await Promise.all([ledger.close(), marks.close(), suggestions.close()]);
    // If this rejected, it would hide the error that ended the run.
    await this.#indexed(thread.close());
    await unlock();
  }

  /** A stored trajectory without a run. */
  async #stored(id: TrajectoryId): Promise<Pick<RetentionCandidate, 'isMarked' | 'bytes'> | undefined> {
    try {
      const row = await this.index.row(id);
      return row && { isMarked: isMarked(row), bytes: row.bytes };
    } catch {
      const isThere = await this.#parts.folder.has(placeOf(id, undefined));
      return isThere ? { isMarked: true, bytes: 0 } : undefined;
    }
  }

  #noSuch(id: TrajectoryId): NoSuchTrajectory {
    return new NoSuchTrajectory(
      `No trajectory ${id} in '${this.#options.root}'. It does not exist, or retention deleted it.`,
    );
  }

  /** Serialises labelling, suggesting and deletion. */
  #exclusively(work: () => Promise<void>): Promise<void> {
    const done = this.#lastExclusive.then(work);
    // The caller gets the error; the next work starts in any case.
    this.#lastExclusive = done.catch(() => undefined);
    return done;
  }

  /** An index failure is reported only: the trajectory is durable, and the index can be rebuilt. */
  #indexed(change: Promise<void>): Promise<void> {
    return change.catch((error: unknown) => this.#options.notice(messageOf(error)));
  }

  #retain(): void {
    const { notice } = this.#options;
    const budget = this.#budget;
    if (budget === undefined || this.#retaining !== undefined || !isOver(this.#volume, budget)) return;
    if (this.#retryAt !== undefined && !isOver(this.#volume, this.#retryAt)) return;
    this.#retaining = this.#makeRoom(budget)
      .catch((error: unknown) => {
        this.#retryAt = grown(this.#volume);
        notice(`Cannot delete old trajectories: ${messageOf(error)}`);
      })
      .finally(() => {
        this.#retaining = undefined;
      });
  }

  /** Repeats until the volume is within the budget, because trajectories may arrive meanwhile. */
  async #makeRoom(budget: Budget): Promise<void> {
    while (isOver(this.#volume, budget)) {
      const needed = this.#protected();
      const kept = (await this.index.kept()).map(each =>
        // Others are deleted instead of a file that cannot be.
        needed.has(each.id) || this.#undeletable.has(each.id) ? { ...each, isMarked: true } : each,
      );
      const chosen = toDelete(kept, budget);
      for (let from = 0; from < chosen.length; from += DELETE_BATCH) {
        const turn = chosen.slice(from, from + DELETE_BATCH);
        await this.#exclusively(() => this.#delete(turn));
      }
      await this.#recount();
      if (chosen.length > 0 || !isOver(this.#volume, budget)) continue;
      this.#retryAt = grown(this.#volume);
      this.#options.notice(
        `Marked trajectories, the success pool and the trajectories that a run needs${this.#undeletable.size === 0 ? '' : ', and files that cannot be deleted,'} exceed the storage budget. Increase the budget, or remove marks.`,
      );
      return;
    }
  }

  /** The index answers in order, so trajectories that arrive during the query are not in its answer. */
  async #recount(): Promise<void> {
    this.#added = { count: 0, bytes: 0 };
    const { count, bytes } = await this.index.volume();
    this.#volume = { count: count + this.#added.count, bytes: bytes + this.#added.bytes };
  }

  /** Writes the outcomes to the ledger first, then deletes the files. After a crash in between, the next start deletes the rest. */
  async #delete(chosen: readonly RetentionCandidate[]): Promise<void> {
    const { folder, ledger, thread } = this.#parts;
    const found = await this.index.rows(chosen.map(({ id }) => id));
    // They may have been marked, or a run may need them, since their selection.
    const needed = this.#protected();
    const rows = found.filter(row => !isMarked(row) && !needed.has(row.id));
    if (rows.length === 0) return;
    const now = this.#options.clock.now();
    const lines = rows.map(row => ledgerLineOf(row, now));
    const ends = await Promise.all(lines.map(line => ledger.append(line)));
    const removed = await Promise.allSettled(rows.map(({ id, run }) => folder.remove(placeOf(id, run))));
    const gone = lines.filter((_, index) => removed[index]?.status === 'fulfilled');
    await thread.call('forget', { lines: gone, end: Math.max(...ends) });
    const failed = removed.find(each => each.status === 'rejected');
    if (failed === undefined) return;
    const left = lines.filter(line => !gone.includes(line));
    for (const { id } of left) this.#undeletable.add(id);
    this.#options.notice(`Cannot delete ${left.length} old trajectories: ${messageOf(failed.reason)}`);
  }
}

const NOTHING: ReadonlySet<TrajectoryId> = new Set();

interface Parts {
  readonly folder: DurableFolder;
  readonly ledger: Journal;
  readonly marks: Journal;
  readonly suggestions: Journal;
  readonly thread: Awaited<ReturnType<StoreMachine['startIndex']>>;
  readonly unlock: () => Promise<void>;
}

const thisMachine = ({
  root,
  indexEntry,
  index: place = EMBEDDED,
  clock,
  notice,
}: StoreOptions): StoreMachine => ({
  disk: nodeDisk,
  lock: async () => {
    await makePrivateFolder(root);
    const lock = new FolderLock(join(root, LOCK), 'this folder', thisProcess(), notice);
    await lock.take(clock.now());
    return () => lock.release();
  },
  startIndex: () => IndexThread.start(indexEntry, { root, place }, notice),
});

/** Back-pressure: beyond this number of unindexed trajectories, `ingest` waits for the index. */
const MAX_PENDING_INDEX = 500;
/** After a retention without effect, the next one runs after this growth. */
const RETRY_GROWTH = 0.1;
/** Large enough to share a sync, small enough not to delay labels. */
const DELETE_BATCH = 64;

const grown = ({ count, bytes }: StoreVolume): StoreVolume => ({
  count: count * (1 + RETRY_GROWTH),
  bytes: bytes * (1 + RETRY_GROWTH),
});
