// Queries an SQLite database.

import { messageOf } from '../../../core/errors.ts';
import { readFloat } from '../../formats/python/values.ts';
import { isFile, type Metric, MetricError } from '../metric.ts';
import { ruleText } from '../rules.ts';

/** The first value of the first row, limited to 0 to 1, such as the result of `select count(*) > 0`. */
export const runSqlite3: Metric = async (result, rules) => {
  const sql = ruleText(rules, 'sql', 'run_sqlite3');
  if (!isFile(result)) return 0;
  const { default: initSqlJs } = await import('sql.js');
  const { Database } = await initSqlJs();
  const database = new Database(result.bytes);
  try {
    const statements = database.iterateStatements(sql);
    const statement = statements.next();
    if (statement.done === true) throw wrongSql(sql, 'it is empty');
    const value = statement.value.step() ? statement.value.get()[0] : undefined;
    if (statements.next().done !== true) throw wrongSql(sql, 'it has more than one statement');
    const score = readFloat(value) ?? 0;
    return Math.min(1, Math.max(0, Number.isNaN(score) ? 0 : score));
  } catch (error) {
    if (error instanceof MetricError) throw error;
    const message = messageOf(error);
    if (/syntax error|incomplete input|unrecognized token/.test(message)) throw wrongSql(sql, message);
    // The file is damaged, or it lacks a table or a column.
    return 0;
  } finally {
    database.close();
  }
};

const wrongSql = (sql: string, reason: string): MetricError =>
  new MetricError(`run_sqlite3 cannot run ${JSON.stringify(sql)}: ${reason}. Write one SELECT statement.`);
