// The trajectories of all runs below one folder: the files are the truth, the ledger has what is left of deleted ones, the labels
// what was said of them, and the index answers questions about all three. What it acknowledged survives a kill at any instant.

import { join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import { isMissing } from '../core/errors.ts';
import type { RunId, TrajectoryId } from '../core/ids.ts';
import { thisProcess } from '../core/process-identity.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { DurableFolder, makePrivateFolder } from './files/durable.ts';
import { Journal } from './files/journal.ts';
import { FolderLock } from './files/lock.ts';
import { isMarked, markOf, type Remark } from './files/marks.ts';
import { LEDGER, LOCK, MARKS, placeOf } from './files/places.ts';
import { ledgerLineOf } from './files/summary.ts';
import { decodeTrajectory, encodeTrajectory } from './files/trajectory-file.ts';
import type { CaughtUp } from './index/catalogue.ts';
import { IndexThread } from './index/index-thread.ts';
import type {
  IndexedTrajectory,
  RetentionCandidate,
  StoreVolume,
  TrajectoryIndex,
} from './index/questions.ts';
import { type Budget, isOver, toDelete } from './retention.ts';

export interface StoreOptions {
  /** The folder of the runs. */
  readonly root: string;
  /** The bundled index/index-worker.ts. */
  readonly indexEntry: URL;
  readonly clock: Clock;
  /** Without one, nothing is ever deleted. */
  readonly budget?: Budget;
  /** Told what a user should know: damaged files, a line that was cut off, what could not be deleted. */
  readonly notice: (message: string) => void;
}

export class NoSuchTrajectory extends Error {
  override readonly name = 'NoSuchTrajectory';
}

export class TrajectoryStore {
  readonly questions: TrajectoryIndex;
  /** What it took to bring the index up to date. */
  readonly caughtUp: CaughtUp;
  readonly #options: StoreOptions;
  readonly #parts: Parts;
  /** Of the files that are there. */
  #volume: { count: number; bytes: number };
  /** What came since the index was last asked for it. */
  #since = { count: 0, bytes: 0 };
  /** Trajectories that the index was told of, and does not have yet. */
  #behind = 0;
  #retaining: Promise<void> | undefined;
  /** Where nothing could be deleted, there is no use in looking before there is as much as this. */
  #full: StoreVolume | undefined;
  /** Of what retention chose: it could not be deleted, and is not tried again. */
  readonly #stuck = new Set<TrajectoryId>();
  #closing: Promise<void> | undefined;
  #budget: Budget | undefined;
  #before: Promise<void> = Promise.resolve();

  private constructor(options: StoreOptions, parts: Parts, volume: { count: number; bytes: number }) {
    this.#options = options;
    this.#parts = parts;
    this.#volume = volume;
    this.#budget = options.budget;
    this.questions = parts.thread.index;
    this.caughtUp = parts.thread.caughtUp;
  }

  /** Brings everything into order that a crash may have left. */
  static async open(options: StoreOptions): Promise<TrajectoryStore> {
    const { root, indexEntry, notice } = options;
    await makePrivateFolder(root);
    const lock = new FolderLock(join(root, LOCK), 'this folder', thisProcess());
    await lock.take(options.clock.now());
    const unlock = () => lock.release();
    const opened: Journal[] = [];
    try {
      const journal = async (name: string): Promise<Journal> => {
        const { journal, cut } = await Journal.open(join(root, name));
        opened.push(journal);
        if (cut !== '')
          notice(`'${join(root, name)}' ended in half a record, which was cut off: ${cut.slice(0, 100)}`);
        return journal;
      };
      const ledger = await journal(LEDGER);
      const marks = await journal(MARKS);
      const thread = await IndexThread.start(indexEntry, root, notice);
      for (const complaint of thread.caughtUp.complaints) notice(complaint);
      const parts = { folder: new DurableFolder(root), ledger, marks, thread, unlock };
      const store = new TrajectoryStore(options, parts, { ...(await thread.index.volume()) });
      store.#retain();
      return store;
    } catch (error) {
      await Promise.all(opened.map(each => each.close()));
      await unlock();
      throw error;
    }
  }

  /**
   * Resolves once it is durable. The same trajectory once more changes nothing. What no run asked for may come again in another form, such as
   * a solution that is shown to each run: the new one takes its place, unless somebody said something of what is there.
   */
  async ingest(trajectory: Trajectory): Promise<void> {
    const { folder, thread } = this.#parts;
    const before = trajectory.run === undefined ? await this.#known(trajectory.id) : undefined;
    if (before !== undefined && isMarked(before)) return;
    const { head, bytes } = encodeTrajectory(trajectory);
    await folder.write(placeOf(head.id, head.run), bytes);
    this.#behind += 1;
    const indexed = this.#indexed(thread.call('add', { head, bytes: bytes.length }));
    void indexed.then(() => {
      this.#behind -= 1;
    });
    for (const volume of [this.#volume, this.#since]) {
      volume.count += before === undefined ? 1 : 0;
      volume.bytes += bytes.length - (before?.bytes ?? 0);
    }
    this.#retain();
    if (this.#behind > MOST_BEHIND) await indexed;
  }

  async read(id: TrajectoryId): Promise<Trajectory> {
    const row = await this.questions.row(id);
    if (row === undefined) throw this.#noSuch(id);
    const place = placeOf(row.id, row.run);
    const bytes = await this.#parts.folder.read(place).catch((error: unknown) => {
      throw isMissing(error) ? this.#noSuch(id) : error;
    });
    return decodeTrajectory(bytes, join(this.#options.root, place));
  }

  /** Resolves once it is durable. */
  label(id: TrajectoryId, remark: Remark, who: string): Promise<void> {
    const { marks, thread } = this.#parts;
    return this.#alone(async () => {
      if ((await this.questions.row(id)) === undefined) throw this.#noSuch(id);
      const mark = markOf(remark, id, who, this.#options.clock.now());
      const end = await marks.append(mark);
      void this.#indexed(thread.call('mark', { mark, end }));
    });
  }

  /** Its files are gone with its folder: as if it had never been. */
  forgetRun(run: RunId): Promise<void> {
    const { thread } = this.#parts;
    return this.#alone(async () => {
      await thread.call('forgetRun', { run });
      await this.#recount();
    });
  }

  /** From now on. */
  keepWithin(budget: Budget): void {
    this.#budget = budget;
    this.#full = undefined;
    this.#retain();
  }

  /** After all that is under way; once more does nothing. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { folder, ledger, marks, thread, unlock } = this.#parts;
    await folder.close();
    await this.#retaining;
    await this.#before;
    await Promise.all([ledger.close(), marks.close()]);
    try {
      await thread.close();
    } finally {
      await unlock();
    }
  }

  /** As far as an index can tell. */
  #known(id: TrajectoryId): Promise<IndexedTrajectory | undefined> {
    return this.questions.row(id).catch(() => undefined);
  }

  #noSuch(id: TrajectoryId): NoSuchTrajectory {
    return new NoSuchTrajectory(
      `There is no trajectory ${id} in '${this.#options.root}': it was never there, or gave way to newer ones.`,
    );
  }

  /** Nothing is labelled while it is being deleted, nor the other way round. */
  #alone(work: () => Promise<void>): Promise<void> {
    const done = this.#before.then(work);
    this.#before = done.catch(() => undefined);
    return done;
  }

  /** What is durable is acknowledged even when the index fails: it can be made again. */
  #indexed(change: Promise<undefined>): Promise<void> {
    return change.catch((error: unknown) => this.#options.notice(messageOf(error)));
  }

  #retain(): void {
    const { notice } = this.#options;
    const budget = this.#budget;
    if (budget === undefined || this.#retaining !== undefined || !isOver(this.#volume, budget)) return;
    if (this.#full !== undefined && isLess(this.#volume, this.#full)) return;
    this.#retaining = this.#makeRoom(budget)
      .catch((error: unknown) => {
        this.#full = moreThan(this.#volume);
        notice(`No room can be made for trajectories: ${messageOf(error)}`);
      })
      .finally(() => {
        this.#retaining = undefined;
      });
  }

  /** As long as it takes: more may have come meanwhile. */
  async #makeRoom(budget: Budget): Promise<void> {
    while (isOver(this.#volume, budget)) {
      const kept = await this.questions.kept();
      const chosen = toDelete(kept, budget).filter(({ id }) => !this.#stuck.has(id));
      for (let from = 0; from < chosen.length; from += AT_ONCE) {
        const turn = chosen.slice(from, from + AT_ONCE);
        await this.#alone(() => this.#delete(turn));
      }
      await this.#recount();
      if (chosen.length > 0 || !isOver(this.#volume, budget)) continue;
      this.#full = moreThan(this.#volume);
      this.#options.notice(
        'What is marked or in the pool takes all the room that trajectories have: give them more, or take marks off.',
      );
      return;
    }
  }

  /** The index answers in the order of asking: what comes while it is asked is not in its answer. */
  async #recount(): Promise<void> {
    this.#since = { count: 0, bytes: 0 };
    const { count, bytes } = await this.questions.volume();
    this.#volume = { count: count + this.#since.count, bytes: bytes + this.#since.bytes };
  }

  /** First the lines that keep what they came to, then the files: what a crash in between leaves is deleted with the next start. */
  async #delete(chosen: readonly RetentionCandidate[]): Promise<void> {
    const { folder, ledger, thread } = this.#parts;
    const found = await this.questions.rows(chosen.map(({ id }) => id));
    // Somebody may have said something of them since they were chosen.
    const rows = found.filter(row => !isMarked(row));
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
    for (const { id } of left) this.#stuck.add(id);
    this.#options.notice(
      `${left.length} of the trajectories that should give way cannot be deleted: ${messageOf(failed.reason)}`,
    );
  }
}

interface Parts {
  readonly folder: DurableFolder;
  readonly ledger: Journal;
  readonly marks: Journal;
  readonly thread: IndexThread;
  readonly unlock: () => Promise<void>;
}

/** Who ingests more than the index can take waits for it, so that nothing piles up in memory. */
const MOST_BEHIND = 500;
/** By how much more must be there before it is looked again for what could be deleted. */
const LOOK_AGAIN = 0.1;
/** Enough to share a sync, and not so many that labels have to wait. */
const AT_ONCE = 64;

const isLess = (one: StoreVolume, other: StoreVolume): boolean =>
  one.count < other.count && one.bytes < other.bytes;

const moreThan = ({ count, bytes }: StoreVolume): StoreVolume => ({
  count: count * (1 + LOOK_AGAIN),
  bytes: bytes * (1 + LOOK_AGAIN),
});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
