// The trajectory index: loaded from its file, updated from the trajectory files and journals, changed with them, and saved at intervals.
// A saved index that is missing, damaged or of another schema is rebuilt.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { type RunId, trajectoryId } from '../../core/ids.ts';
import type { TrajectoryHead } from '../files/head.ts';
import { type Mark, parseMark } from '../files/marks.ts';
import { INDEX, LEDGER, MARKS, placeOf, SUGGESTIONS, UNFINISHED } from '../files/places.ts';
import { parseSuggestion, type Suggestion } from '../files/suggestions.ts';
import { type LedgerLine, parseLedgerLine } from '../files/summary.ts';
import { agentQueries } from './agent-queries.ts';
import { Database } from './database.ts';
import { IndexReader } from './index-reader.ts';
import { isAsLong, readLines } from './journal-lines.ts';
import { type FoundFile, filesIn, readHead } from './listing.ts';
import { poolQueries } from './pool-queries.ts';
import type { TrajectoryIndex } from './queries.ts';
import { Records } from './records.ts';
import { stepQueries } from './step-queries.ts';
import { INDEXES, SCHEMA_VERSION, TABLES } from './tables.ts';
import { trajectoryQueries } from './trajectory-queries.ts';

export interface CaughtUp {
  /** The number of files that the saved index did not contain. */
  readonly read: number;
  /** Messages about damaged files and journal lines. */
  readonly complaints: readonly string[];
}

/** Saving takes time in proportion to the index, so it waits for this number of changes and this share of all trajectories. */
const MIN_CHANGES_PER_SAVE = 1000;
const MIN_SHARE_CHANGED_PER_SAVE = 0.1;

const JOURNALS = { ledger: LEDGER, marks: MARKS, suggestions: SUGGESTIONS } as const;
type JournalName = keyof typeof JOURNALS;

export class Catalogue {
  readonly queries: TrajectoryIndex;
  readonly caughtUp: CaughtUp;
  readonly #root: string;
  readonly #database: Database;
  readonly #records: Records;
  readonly #progressed: () => void;
  #changes = 0;
  #changesPerSave: number;

  private constructor(root: string, database: Database, isNew: boolean, progressed: () => void) {
    this.#root = root;
    this.#progressed = progressed;
    this.#database = database;
    const reader = new IndexReader(database);
    this.queries = {
      ...trajectoryQueries(reader),
      ...stepQueries(reader),
      ...poolQueries(reader),
      ...agentQueries(reader),
    };
    this.#records = new Records(reader);
    const complaints: string[] = [];
    let [read, lines] = [0, 0];
    database.change(() => {
      const files = [...filesIn(root)];
      const ids = new Set(files.map(({ id }) => id));
      const deleted = new Map<string, number>();
      const forget = (line: LedgerLine): void => {
        this.#records.forget(line);
        if (ids.has(line.id)) deleted.set(line.id, line.deletedAt);
      };
      lines += this.#readJournal('ledger', parseLedgerLine, forget, complaints);
      lines += this.#readJournal('marks', parseMark, mark => this.#records.mark(mark), complaints);
      const suggest = (suggestion: Suggestion): void => this.#records.suggest(suggestion);
      lines += this.#readJournal('suggestions', parseSuggestion, suggest, complaints);
      read = this.#readFiles(files, deleted, complaints);
    });
    if (isNew)
      for (const index of INDEXES) {
        database.script(index);
        progressed();
      }
    if (isNew || read >= MIN_CHANGES_PER_SAVE) database.script('ANALYZE');
    this.caughtUp = { read, complaints };
    this.#changes = read + lines;
    this.#changesPerSave = this.#changesUntilSave();
    if (isNew) this.save();
    else this.#saveIfDue();
  }

  /** Calls `progressed` after each step, because the update is one synchronous computation that can take minutes. */
  static async open(root: string, progressed: () => void = () => undefined): Promise<Catalogue> {
    const saved = await Database.load(join(root, INDEX));
    const [[schema] = []] = saved?.all('PRAGMA user_version') ?? [];
    if (saved !== undefined && schema === SCHEMA_VERSION && matchesJournals(saved, root))
      return new Catalogue(root, saved, false, progressed);
    saved?.close();
    const database = await Database.empty();
    database.script(`${TABLES}; PRAGMA user_version = ${SCHEMA_VERSION}`);
    return new Catalogue(root, database, true, progressed);
  }

  add(head: TrajectoryHead, bytes: number): void {
    this.#change(() => this.#records.add(head, bytes));
  }

  /** `end` is the offset in the journal after the last line. */
  forget(lines: readonly LedgerLine[], end: number): void {
    this.#change(() => {
      for (const line of lines) this.#records.forget(line);
      this.#setJournalEnd('ledger', end);
    }, lines.length);
  }

  forgetRun(run: RunId): void {
    this.#change(() => this.#records.dropRun(run));
  }

  mark(mark: Mark, end: number): void {
    this.#change(() => {
      this.#records.mark(mark);
      this.#setJournalEnd('marks', end);
    });
  }

  suggest(suggestion: Suggestion, end: number): void {
    this.#change(() => {
      this.#records.suggest(suggestion);
      this.#setJournalEnd('suggestions', end);
    });
  }

  save(): void {
    // After a failure, the next attempt waits for the same number of changes.
    this.#changes = 0;
    this.#changesPerSave = this.#changesUntilSave();
    this.#database.save(join(this.#root, INDEX));
  }

  close(): void {
    if (this.#changes > 0) this.save();
    this.#database.close();
  }

  #change(change: () => void, changes = 1): void {
    this.#database.change(change, changes);
    this.#changes += changes;
    this.#saveIfDue();
  }

  #saveIfDue(): void {
    if (this.#changes >= this.#changesPerSave) this.save();
  }

  #changesUntilSave(): number {
    const [[count] = []] = this.#database.all('SELECT count(*) FROM trajectories');
    return Math.max(MIN_CHANGES_PER_SAVE, MIN_SHARE_CHANGED_PER_SAVE * Number(count));
  }

  /** Reads the lines that were appended since the last read. Returns their number. */
  #readJournal<T>(
    journal: JournalName,
    parse: (value: unknown) => T | undefined,
    take: (record: T) => void,
    complaints: string[],
  ): number {
    const start = journalEnd(this.#database, journal);
    const lines = readLines(join(this.#root, JOURNALS[journal]), start, parse, take);
    this.#setJournalEnd(journal, lines.end);
    complaints.push(...lines.complaints);
    return lines.count;
  }

  #setJournalEnd(journal: JournalName, end: number): void {
    this.#database.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', [journal, end]);
  }

  /** Adds new files and drops missing ones. Returns the number of files added. */
  #readFiles(
    files: readonly FoundFile[],
    deleted: ReadonlyMap<string, number>,
    complaints: string[],
  ): number {
    const missing = new Set(this.#database.all('SELECT id FROM trajectories').map(([id]) => String(id)));
    let read = 0;
    for (const { id, place } of files) {
      this.#progressed();
      if (place.endsWith(UNFINISHED)) rmSync(join(this.#root, place), { force: true });
      else if (id !== undefined && !missing.delete(id)) {
        try {
          if (this.#readFile(place, deleted.get(id))) read += 1;
        } catch (error) {
          complaints.push(messageOf(error));
        }
      }
    }
    for (const id of missing) this.#records.drop(trajectoryId(id));
    return read;
  }

  /**
   * Returns whether the file was added. A file in the ledger belongs to a deletion that a crash interrupted, and is deleted now, unless
   * it was created again since.
   */
  #readFile(place: string, deletedAt: number | undefined): boolean {
    const { head, bytes } = readHead(join(this.#root, place));
    if (deletedAt !== undefined && head.endedAt <= deletedAt) {
      rmSync(join(this.#root, place), { force: true });
      return false;
    }
    const expected = placeOf(head.id, head.run);
    if (join(expected) !== join(place))
      throw new RangeError(
        `The trajectory file '${place}' is in the wrong folder. Move it to '${expected}'.`,
      );
    this.#records.add(head, bytes);
    return true;
  }
}

/** Whether the journals still contain all lines that the index has read. */
const matchesJournals = (saved: Database, root: string): boolean =>
  (['ledger', 'marks', 'suggestions'] as const).every(journal =>
    isAsLong(join(root, JOURNALS[journal]), journalEnd(saved, journal)),
  );

/** The offset up to which the index has read the journal; 0 before the first read. */
function journalEnd(database: Database, journal: JournalName): number {
  const [[end = 0] = []] = database.all('SELECT value FROM meta WHERE name = ?', [journal]);
  return Number(end);
}
