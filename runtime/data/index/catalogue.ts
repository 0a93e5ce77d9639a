// The index as it stands: loaded from its file, brought up to date with the files and journals, changed as they change, and saved now
// and then. A saved index that is missing, damaged or of another schema is one that has everything still to read.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type RunId, trajectoryId } from '../../contracts/ids.ts';
import type { Head } from '../files/head.ts';
import { type Mark, parseMark } from '../files/marks.ts';
import { INDEX, LEDGER, MARKS, placeOf, UNFINISHED } from '../files/places.ts';
import { type LedgerLine, parseLedgerLine } from '../files/summary.ts';
import { Answers } from './answers.ts';
import { Database } from './database.ts';
import { type Lines, linesFrom } from './journal-lines.ts';
import { listed, readHead } from './listing.ts';
import { PoolAnswers } from './pool-answers.ts';
import { Records } from './records.ts';
import { Rows } from './rows.ts';
import { INDEXES, SCHEMA_VERSION, TABLES } from './tables.ts';
import { UncertainSteps } from './uncertain-steps.ts';
import { Words } from './words.ts';

export interface CaughtUp {
  readonly isRebuilt: boolean;
  /** Files that were not in the saved index. */
  readonly read: number;
  readonly complaints: readonly string[];
}

/** Saved after so many changes, and after a tenth of all there is: saving takes as long as there is much. */
const LEAST_CHANGES = 1000;
const SHARE_CHANGED = 0.1;

export class Catalogue {
  readonly answers: Answers;
  readonly pool: PoolAnswers;
  readonly uncertain: UncertainSteps;
  readonly caughtUp: CaughtUp;
  readonly #root: string;
  readonly #database: Database;
  readonly #records: Records;
  #changes = 0;
  #mostChanges: number;

  private constructor(root: string, database: Database, isNew: boolean, journals: Journals) {
    this.#root = root;
    this.#database = database;
    const words = new Words(database);
    const rows = new Rows(database, words);
    this.answers = new Answers(database, words, rows);
    this.uncertain = new UncertainSteps(database, words);
    this.pool = new PoolAnswers(database, words, rows, this.answers);
    this.#records = new Records(database, words);
    const complaints = [...journals.ledger.complaints, ...journals.marks.complaints];
    let read = 0;
    database.change(() => {
      for (const line of journals.ledger.records) this.#records.forget(line);
      for (const mark of journals.marks.records) this.#records.mark(mark);
      this.#reached('ledger', journals.ledger.end);
      this.#reached('marks', journals.marks.end);
      read = this.#readFiles(complaints);
    });
    if (isNew) for (const index of INDEXES) database.script(index);
    if (isNew || read >= LEAST_CHANGES) database.script('ANALYZE');
    this.caughtUp = { isRebuilt: isNew, read, complaints };
    this.#changes = read + journals.ledger.records.length + journals.marks.records.length;
    this.#mostChanges = this.#dueAfter();
    if (isNew) this.save();
    else this.#saveNowAndThen();
  }

  static async open(root: string): Promise<Catalogue> {
    const saved = await Database.load(join(root, INDEX));
    const [[schema = 0] = []] = saved?.all('PRAGMA user_version') ?? [];
    if (saved !== undefined && schema === SCHEMA_VERSION) {
      const journals = journalsSince(root, reached(saved, 'ledger'), reached(saved, 'marks'));
      if (journals !== undefined) return new Catalogue(root, saved, false, journals);
    }
    saved?.close();
    const database = await Database.empty();
    database.script(`${TABLES}; PRAGMA user_version = ${SCHEMA_VERSION}`);
    const journals = journalsSince(root, 0, 0);
    if (journals === undefined)
      throw new RangeError(`The journals in '${root}' cannot be read: look at its rights.`);
    return new Catalogue(root, database, true, journals);
  }

  add(head: Head, bytes: number): void {
    this.#change(() => this.#records.add(head, bytes));
  }

  /** `end` is where the line ends in its journal. */
  forget(line: LedgerLine, end: number): void {
    this.#change(() => {
      this.#records.forget(line);
      this.#reached('ledger', end);
    });
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

  #change(change: () => void): void {
    this.#database.change(change);
    this.#changes += 1;
    this.#saveNowAndThen();
  }

  #saveNowAndThen(): void {
    if (this.#changes >= this.#mostChanges) this.save();
  }

  #dueAfter(): number {
    return Math.max(LEAST_CHANGES, SHARE_CHANGED * this.answers.volume().count);
  }

  #reached(journal: 'ledger' | 'marks', end: number): void {
    this.#database.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', [journal, end]);
  }

  /** Those that are not known yet; those that are known and gone are dropped. Gives how many were read. */
  #readFiles(complaints: string[]): number {
    const gone = new Set(
      this.#database.all('SELECT id FROM trajectories WHERE kept = 1').map(([id]) => String(id)),
    );
    let read = 0;
    for (const { id, place } of listed(this.#root)) {
      if (place.endsWith(UNFINISHED)) rmSync(join(this.#root, place), { force: true });
      if (id === undefined || gone.delete(id)) continue;
      try {
        const { head, bytes } = readHead(join(this.#root, place));
        const due = placeOf(head.id, head.run);
        if (join(due) !== join(place)) throw new RangeError(`'${place}' belongs at '${due}': move it there.`);
        this.#records.add(head, bytes);
        read += 1;
      } catch (error) {
        complaints.push(error instanceof Error ? error.message : String(error));
      }
    }
    for (const id of gone) this.#records.drop(trajectoryId(id));
    return read;
  }
}

interface Journals {
  readonly ledger: Lines<LedgerLine>;
  readonly marks: Lines<Mark>;
}

function journalsSince(root: string, ledgerFrom: number, marksFrom: number): Journals | undefined {
  const ledger = linesFrom(join(root, LEDGER), ledgerFrom, parseLedgerLine);
  const marks = linesFrom(join(root, MARKS), marksFrom, parseMark);
  return ledger && marks && { ledger, marks };
}

function reached(database: Database, journal: 'ledger' | 'marks'): number {
  const [[end = 0] = []] = database.all('SELECT value FROM meta WHERE name = ?', [journal]);
  return Number(end);
}
