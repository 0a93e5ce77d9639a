// Adds visits to a database of Chrome's history.

interface Visit {
  readonly url: string;
  readonly title: string;
  readonly time: Date;
}

/** Chrome counts microseconds since 1601. */
const CHROME_EPOCH_MS = Date.UTC(1601, 0, 1);
const chromeTime = (time: Date): number => (time.getTime() - CHROME_EPOCH_MS) * 1000;

/** A typed address whose page was the first and the last of a chain of redirects. */
const TRANSITION = 805_306_368;

type AddVisits = (database: Uint8Array, visits: readonly Visit[]) => Uint8Array;

/** Loads SQLite. The result throws for a file that is not a history. */
export async function loadHistoryWriter(): Promise<AddVisits> {
  const { default: initSqlJs } = await import('sql.js');
  const { Database } = await initSqlJs();
  return (database, visits) => {
    const history = new Database(database);
    try {
      for (const { url, title, time } of visits) {
        history.run(
          'INSERT INTO urls (url, title, visit_count, typed_count, last_visit_time, hidden) VALUES (?, ?, 1, 0, ?, 0)',
          [url, title, chromeTime(time)],
        );
        history.run(
          'INSERT INTO visits (url, visit_time, from_visit, transition, segment_id, visit_duration) ' +
            'VALUES (last_insert_rowid(), ?, 0, ?, 0, 0)',
          [chromeTime(time), TRANSITION],
        );
      }
      return history.export();
    } finally {
      history.close();
    }
  };
}
