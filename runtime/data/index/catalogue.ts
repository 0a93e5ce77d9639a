// The trajectory index: opened, updated from the trajectory files and journals, changed with them, and saved at intervals. An index that is
// missing, damaged or of another schema is rebuilt.

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { asError, messageOf } from '../../core/errors.ts';
import { type RunId, trajectoryId } from '../../core/ids.ts';
import type { TrajectoryHead } from '../files/head.ts';
import { type Mark, parseMark } from '../files/marks.ts';
import { LEDGER, MARKS, NO_RUN, placeOf, SUGGESTIONS, UNFINISHED } from '../files/places.ts';
import { parseSuggestion, type Suggestion } from '../files/suggestions.ts';
import { type LedgerLine, parseLedgerLine } from '../files/summary.ts';
import { agentQueries } from './agent-queries.ts';
import { type Database, DatabaseLost } from './database.ts';
import { IndexReader } from './index-reader.ts';
import { isAsLong, readLines } from './journal-lines.ts';
import { filesIn, readHead } from './listing.ts';
import { EMBEDDED, type IndexPlace, openDatabase } from './place.ts';
import { poolQueries } from './pool-queries.ts';
import type { TrajectoryIndex } from './queries.ts';
import { Records } from './records.ts';
import { stepQueries } from './step-queries.ts';
import { ANALYSE, indexesFor, SCHEMA_VERSION, tablesFor } from './tables.ts';
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
  readonly #root: string;
  readonly #database: Database;
  readonly #records: Records;
  readonly #progressed: () => void;
  #caughtUp: CaughtUp = { read: 0, complaints: [] };
  #changes = 0;
  #changesPerSave = MIN_CHANGES_PER_SAVE;

  private constructor(root: string, reader: IndexReader, progressed: () => void) {
    this.#root = root;
    this.#progressed = progressed;
    this.#database = reader.database;
    this.queries = {
      ...trajectoryQueries(reader),
      ...stepQueries(reader),
      ...poolQueries(reader),
      ...agentQueries(reader),
      fleet: async () => reader.database.fleet?.(),
    };
    this.#records = new Records(reader);
  }

  /** Calls `progressed` after each step, because the update can take minutes. The caller makes one change at a time. */
  static async open(
    root: string,
    progressed: () => void = () => undefined,
    place: IndexPlace = EMBEDDED,
  ): Promise<Catalogue> {
    return Catalogue.#open(root, progressed, place).catch((error: unknown) => {
      if (place.kind !== 'embedded' || !(error instanceof DatabaseLost)) throw error;
      // Its damaged file is gone.
      return Catalogue.#open(root, progressed, place);
    });
  }

  static async #open(root: string, progressed: () => void, place: IndexPlace): Promise<Catalogue> {
    const database = await openDatabase(root, place);
    try {
      const isNew = (await database.version()) !== SCHEMA_VERSION || !(await matchesJournals(database, root));
      if (isNew) await database.reset();
      // The index is built as one change: without its end, the next start builds it again.
      const catalogue = await database.change(async () => {
        if (isNew) await database.script(tablesFor(database.dialect));
        const opened = new Catalogue(root, await IndexReader.open(database), progressed);
        await opened.#catchUp(isNew);
        if (isNew) await database.setVersion(SCHEMA_VERSION);
        return opened;
      });
      await catalogue.#saveFirst(isNew);
      return catalogue;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** The result of updating the index at its start. */
  get caughtUp(): CaughtUp {
    return this.#caughtUp;
  }

  async #catchUp(isNew: boolean): Promise<void> {
    const complaints: string[] = [];
    const forgotten = new Set<string>();
    const forget = async (line: LedgerLine): Promise<void> => {
      // Each attempt to delete a file has a line.
      const deletion = `${line.id} ${line.endedAt}`;
      if (!forgotten.has(deletion)) await this.#records.forget(line);
      forgotten.add(deletion);
    };
    const mark = (one: Mark): Promise<void> => this.#records.mark(one);
    const suggest = (one: Suggestion): Promise<void> => this.#records.suggest(one);
    let lines = await this.#readJournal('ledger', parseLedgerLine, forget, complaints);
    lines += await this.#readJournal('marks', parseMark, mark, complaints);
    lines += await this.#readJournal('suggestions', parseSuggestion, suggest, complaints);
    const read = await this.#readFiles(complaints);
    if (isNew)
      for (const index of indexesFor(this.#database.dialect)) {
        await this.#database.script(index);
        this.#progressed();
      }
    if (isNew || read >= MIN_CHANGES_PER_SAVE) await this.#database.script(ANALYSE);
    this.#caughtUp = { read, complaints };
    this.#changes = read + lines;
  }

  async #saveFirst(isNew: boolean): Promise<void> {
    this.#changesPerSave = await this.#changesUntilSave();
    if (isNew) await this.save();
    else await this.#saveIfDue();
  }

  add(head: TrajectoryHead, bytes: number): Promise<void> {
    return this.#change(() => this.#records.add(head, bytes));
  }

  /** `end` is the offset in the journal after the last line. */
  forget(lines: readonly LedgerLine[], end: number): Promise<void> {
    return this.#change(async () => {
      // An index that was opened again since has read these lines in the ledger.
      const read = await journalEnd(this.#database, 'ledger');
      if (end <= read) return;
      for (const line of lines) await this.#records.forget(line);
      await this.#setJournalEnd('ledger', end);
    }, lines.length);
  }

  forgetRun(run: RunId): Promise<void> {
    return this.#change(() => this.#records.dropRun(run));
  }

  mark(mark: Mark, end: number): Promise<void> {
    return this.#change(async () => {
      await this.#records.mark(mark);
      await this.#setJournalEnd('marks', end);
    });
  }

  suggest(suggestion: Suggestion, end: number): Promise<void> {
    return this.#change(async () => {
      await this.#records.suggest(suggestion);
      await this.#setJournalEnd('suggestions', end);
    });
  }

  async save(): Promise<void> {
    // After a failure, the next attempt waits for the same number of changes.
    this.#changes = 0;
    this.#changesPerSave = await this.#changesUntilSave();
    await this.#database.save();
  }

  async close(): Promise<void> {
    if (this.#changes > 0) await this.save();
    await this.#database.close();
  }

  async #change(change: () => Promise<void>, changes = 1): Promise<void> {
    await this.#database.change(change, changes);
    this.#changes += changes;
    await this.#saveIfDue();
  }

  async #saveIfDue(): Promise<void> {
    if (this.#changes >= this.#changesPerSave) await this.save();
  }

  async #changesUntilSave(): Promise<number> {
    const [[count] = []] = await this.#database.all('SELECT count(*) FROM trajectories');
    return Math.max(MIN_CHANGES_PER_SAVE, MIN_SHARE_CHANGED_PER_SAVE * Number(count));
  }

  /** Reads the lines that were appended since the last read. Returns their number. */
  async #readJournal<T>(
    journal: JournalName,
    parse: (value: unknown) => T | undefined,
    take: (record: T) => Promise<void>,
    complaints: string[],
  ): Promise<number> {
    const start = await journalEnd(this.#database, journal);
    const lines = await readLines(join(this.#root, JOURNALS[journal]), start, parse, async record => {
      this.#progressed();
      await take(record);
    });
    await this.#setJournalEnd(journal, lines.end);
    complaints.push(...lines.complaints);
    return lines.count;
  }

  async #setJournalEnd(journal: JournalName, end: number): Promise<void> {
    await this.#database.run(
      'INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      [journal, end],
    );
  }

  /** Adds new files and drops missing ones. Returns the number of files added. */
  async #readFiles(complaints: string[]): Promise<number> {
    const rows = await this.#database.all(
      'SELECT id, word FROM trajectories LEFT JOIN words ON words.number = run',
    );
    // The folder of a run can have a copy, with the same ids.
    const missing = new Map(rows.map(([id, run]) => [`${run ?? NO_RUN}/${id}`, String(id)] as const));
    const unknown: { readonly id: string; readonly place: string }[] = [];
    for (const { run, id, place } of filesIn(this.#root)) {
      this.#progressed();
      if (place.endsWith(UNFINISHED)) removeLeftover(join(this.#root, place), complaints);
      else if (id !== undefined && !missing.delete(`${run}/${id}`)) unknown.push({ id, place });
    }
    for (const id of missing.values()) {
      this.#progressed();
      await this.#records.drop(trajectoryId(id));
    }
    const deleted = await this.#deletionsOf(new Set(unknown.map(({ id }) => id)));
    const marked = deleted.size === 0 ? NOTHING : await this.#marked();
    let read = 0;
    for (const { id, place } of unknown) {
      this.#progressed();
      // A person marked it after its deletion had failed.
      const found = this.#readFile(place, marked.has(id) ? undefined : deleted.get(id), complaints);
      if (found === undefined) continue;
      await this.#records.add(found.head, found.bytes);
      read += 1;
    }
    return read;
  }

  async #marked(): Promise<ReadonlySet<string>> {
    const rows = await this.#database.all('SELECT id FROM marks');
    return new Set(rows.map(([id]) => String(id)));
  }

  /** When these files were deleted. The whole ledger is read, because a deletion is on the disk later than its line, and than the index. */
  async #deletionsOf(files: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    const deleted = new Map<string, number>();
    if (files.size > 0)
      await readLines(join(this.#root, LEDGER), 0, parseLedgerLine, async ({ id, deletedAt }) => {
        this.#progressed();
        if (files.has(id)) deleted.set(id, deletedAt);
      });
    return deleted;
  }

  /**
   * Undefined for a file that cannot be added. A file in the ledger belongs to a deletion that a crash interrupted, and is deleted now,
   * unless it was created again since.
   */
  #readFile(place: string, deletedAt: number | undefined, complaints: string[]) {
    try {
      const { head, bytes } = readHead(join(this.#root, place));
      const expected = placeOf(head.id, head.run);
      if (join(expected) !== join(place))
        complaints.push(`The trajectory file '${place}' is in the wrong folder. Move it to '${expected}'.`);
      else if (deletedAt !== undefined && createdAt(head) <= deletedAt)
        rmSync(join(this.#root, place), { force: true });
      else return { head, bytes };
    } catch (error) {
      complaints.push(messageOf(error));
    }
    return undefined;
  }
}

const NOTHING: ReadonlySet<string> = new Set();

/** An import has the times of its source. */
const createdAt = ({ endedAt, provenance }: TrajectoryHead): number =>
  provenance.kind === 'imported' ? Math.max(endedAt, provenance.at ?? 0) : endedAt;

/** Of an earlier process. This one may still write its own: the index also opens again while the store works. */
function removeLeftover(path: string, complaints: string[]): void {
  const startedAt = Date.now() - 1000 * process.uptime();
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && found.mtimeMs < startedAt) rmSync(path, { force: true });
  } catch (error) {
    complaints.push(
      `The unfinished file '${path}' cannot be removed (${asError(error).message}). Nothing reads it: delete it by hand.`,
    );
  }
}

/** Whether the journals still contain all lines that the index has read. */
async function matchesJournals(database: Database, root: string): Promise<boolean> {
  for (const journal of ['ledger', 'marks', 'suggestions'] as const)
    if (!isAsLong(join(root, JOURNALS[journal]), await journalEnd(database, journal))) return false;
  return true;
}

/** The offset up to which the index has read the journal; 0 before the first read. */
async function journalEnd(database: Database, journal: JournalName): Promise<number> {
  const [[end = 0] = []] = await database.all('SELECT value FROM meta WHERE name = ?', [journal]);
  return Number(end);
}
