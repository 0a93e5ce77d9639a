// Getters of Chrome's databases: the history and the cookies.

import { checked, type OsworldFunction, type TaskRun } from '../task-run.ts';

/** The rows of a query; null if the browser has no such database, or it is damaged. */
async function rows({ machine }: TaskRun, file: string, query: string): Promise<unknown> {
  const bytes = await machine.readFile(`~/.config/google-chrome/Default/${file}`);
  if (bytes === undefined) return null;
  const { default: initSqlJs } = await import('sql.js');
  const { Database } = await initSqlJs();
  const database = new Database(bytes);
  try {
    return database.exec(query)[0]?.values ?? [];
  } catch {
    return null;
  } finally {
    database.close();
  }
}

export const DATABASE_GETTERS: Readonly<Record<string, OsworldFunction<unknown>>> = {
  history: checked('getter history', {}, run =>
    rows(run, 'History', 'SELECT url, title, last_visit_time FROM urls'),
  ),
  cookie_data: checked('getter cookie_data', {}, run => rows(run, 'Cookies', 'SELECT * FROM cookies')),
};
