// The index as it stands: loaded from its file, brought up to date with the files and journals, changed as they change, and saved now
// and then. A saved index that is missing, damaged or of another schema is one that has everything still to read.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type RunId, trajectoryId } from '../../core/ids.ts';
import type { TrajectoryHead } from '../files/head.ts';
import { type Mark, parseMark } from '../files/marks.ts';
import { INDEX, LEDGER, MARKS, placeOf, UNFINISHED } from '../files/places.ts';
import { type LedgerLine, parseLedgerLine } from '../files/summary.ts';
import { IndexAnswers } from './answers.ts';
import { Database } from './database.ts';
import { TextDictionary } from './dictionary.ts';
import { isAsLong, readLines } from './journal-lines.ts';
import { type Listed, listed, readHead } from './listing.ts';
import { PoolAnswers } from './pool-answers.ts';
import { Records } from './records.ts';
import { RowReader } from './rows.ts';
import { INDEXES, SCHEMA_VERSION, TABLES } from './tables.ts';
import { UncertainSteps } from './uncertain-steps.ts';

export interface CaughtUp {
  readonly isRebuilt: boolean;
  /** Files that were not in the saved index. */
  readonly read: number;
  readonly complaints: readonly string[];
}

/** Saved after so many changes, and after a tenth of all there is: saving takes as long as there is much. */
const LEAST_CHANGES = 1000;
const SHARE_CHANGED = 0.1;

const JOURNALS = { ledger: LEDGER, marks: MARKS } as const;
type Journal = keyof typeof JOURNALS;

export class Catalogue {
  readonly answers: IndexAnswers;
  readonly pool: PoolAnswers;
  readonly uncertain: UncertainSteps;
  readonly caughtUp: CaughtUp;
  readonly #root: string;
  readonly #database: Database;
  readonly #records: Records;
  readonly #progressed: () => void;
  #changes = 0;
  #mostChanges: number;

  private constructor(root: string, database: Database, isNew: boolean, progressed: () => void) {
    this.#root = root;
    this.#progressed = progressed;
    this.#database = database;
    const words = new TextDictionary(database);
    const rows = new RowReader(database, words);
    this.answers = new IndexAnswers(database, words, rows);
    this.uncertain = new UncertainSteps(database, words);
    this.pool = new PoolAnswers(database, words, rows, this.answers);
    this.#records = new Records(database, words);
    const complaints: string[] = [];
    let [read, lines] = [0, 0];
    database.change(() => {
      const files = [...listed(root)];
      const ids = new Set(files.map(({ id }) => id));
      const forgotten = new Map<string, number>();
      const forget = (line: LedgerLine): void => {
        this.#records.forget(line);
        if (ids.has(line.id)) forgotten.set(line.id, line.deletedAt);
      };
      lines += this.#follow('ledger', parseLedgerLine, forget, complaints);
      lines += this.#follow('marks', parseMark, mark => this.#records.mark(mark), complaints);
      read = this.#readFiles(files, forgotten, complaints);
    });
    if (isNew)
      for (const index of INDEXES) {
        database.script(index);
        progressed();
      }
    if (isNew || read >= LEAST_CHANGES) database.script('ANALYZE');
    this.caughtUp = { isRebuilt: isNew, read, complaints };
    this.#changes = read + lines;
    this.#mostChanges = this.#dueAfter();
    if (isNew) this.save();
    else this.#saveNowAndThen();
  }

  /** Calls `progressed` after each step: bringing the index up to date may take minutes, and is one synchronous computation. */
  static async open(root: string, progressed: () => void = () => undefined): Promise<Catalogue> {
    const saved = await Database.load(join(root, INDEX));
    const [[schema = 0] = []] = saved?.all('PRAGMA user_version') ?? [];
    if (saved !== undefined && schema === SCHEMA_VERSION && isOf(saved, root))
      return new Catalogue(root, saved, false, progressed);
    saved?.close();
    const database = await Database.empty();
    database.script(`${TABLES}; PRAGMA user_version = ${SCHEMA_VERSION}`);
    return new Catalogue(root, database, true, progressed);
  }

  add(head: TrajectoryHead, bytes: number): void {
    this.#change(() => this.#records.add(head, bytes));
  }

  /** `end` is where the last of the lines ends in its journal. */
  forget(lines: readonly LedgerLine[], end: number): void {
    this.#change(() => {
      for (const line of lines) this.#records.forget(line);
      this.#reached('ledger', end);
    }, lines.length);
  }

  forgetRun(run: RunId): void {
    this.#change(() => this.#records.dropRun(run));
  }

  mark(mark: Mark, end: number): void {
    this.#change(() => {
      this.#records.mark(mark);
      this.#reached('marks', end);
    });
  }

  save(): void {
    // Where it fails, it is tried again only after as many changes more.
    this.#changes = 0;
    this.#mostChanges = this.#dueAfter();
    this.#database.save(join(this.#root, INDEX));
  }

  /** Saves what is not saved yet. */
  close(): void {
    if (this.#changes > 0) this.save();
    this.#database.close();
  }

  #change(change: () => void, changes = 1): void {
    this.#database.change(change, changes);
    this.#changes += changes;
    this.#saveNowAndThen();
  }

  #saveNowAndThen(): void {
    if (this.#changes >= this.#mostChanges) this.save();
  }

  #dueAfter(): number {
    return Math.max(LEAST_CHANGES, SHARE_CHANGED * this.answers.volume().count);
  }

  /** What was added to a journal since it was last read; gives how many lines. */
  #follow<T>(
    journal: Journal,
    parse: (value: unknown) => T | undefined,
    take: (record: T) => void,
    complaints: string[],
  ): number {
    const from = reached(this.#database, journal);
    const lines = readLines(join(this.#root, JOURNALS[journal]), from, parse, take);
    this.#reached(journal, lines.end);
    complaints.push(...lines.complaints);
    return lines.count;
  }

  #reached(journal: Journal, end: number): void {
    this.#database.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', [journal, end]);
  }

  /**
   * Those that are not known yet; those that are known and gone are dropped. What the ledger has, and is there all the same, was being
   * deleted when it all ended: it is deleted now, unless it was made again since. Gives how many were read.
   */
  #readFiles(files: Iterable<Listed>, forgotten: ReadonlyMap<string, number>, complaints: string[]): number {
    const gone = new Set(this.#database.all('SELECT id FROM trajectories').map(([id]) => String(id)));
    let read = 0;
    for (const { id, place } of files) {
      this.#progressed();
      if (place.endsWith(UNFINISHED)) rmSync(join(this.#root, place), { force: true });
      else if (id !== undefined && !gone.delete(id)) read += this.#read(place, forgotten.get(id), complaints);
    }
    for (const id of gone) this.#records.drop(trajectoryId(id));
    return read;
  }

  #read(place: string, deletedAt: number | undefined, complaints: string[]): 0 | 1 {
    try {
      const { head, bytes } = readHead(join(this.#root, place));
      if (deletedAt !== undefined && head.endedAt <= deletedAt) {
        rmSync(join(this.#root, place), { force: true });
        return 0;
      }
      const due = placeOf(head.id, head.run);
      if (join(due) !== join(place)) throw new RangeError(`'${place}' belongs at '${due}': move it there.`);
      this.#records.add(head, bytes);
      return 1;
    } catch (error) {
      complaints.push(error instanceof Error ? error.message : String(error));
      return 0;
    }
  }
}

/** Of its journals nothing is gone that it has read. */
const isOf = (saved: Database, root: string): boolean =>
  Object.entries(JOURNALS).every(([journal, name]) =>
    isAsLong(join(root, name), reached(saved, journal as Journal)),
  );

function reached(database: Database, journal: Journal): number {
  const [[end = 0] = []] = database.all('SELECT value FROM meta WHERE name = ?', [journal]);
  return Number(end);
}
