// Runs a task's evaluator: queries the desktop, applies the metrics and combines their scores. The evaluator sees only the
// final state of the desktop, not the actions of the agent.

import { isUtf8 } from 'node:buffer';
import { BoundaryError } from '../core/failure.ts';
import { sum } from '../core/sum.ts';
import { type Evaluator, type Getter, isInfeasible, type Task } from '../core/task.ts';
import { type Ending, judgeInfeasible, type Verdict, verdict } from '../core/verdict.ts';
import { isFile, type Metric, MetricError, type TaskFile } from './metrics/metric.ts';
import { metricOf, unknownMetric } from './metrics.ts';

type Query = (getter: Getter) => Promise<unknown>;

/** A getter throws it if the agent left the place from which it reads. The check scores 0, even if it expects a missing value. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** `query` reads the final state of the desktop. Getters of type `rule` are values in the task and need no query. */
export async function evaluate(task: Task, ending: Ending, query: Query): Promise<Verdict> {
  if (isInfeasible(task)) return judgeInfeasible(ending);
  // As in OSWorld, `fail` scores 0 on a feasible task, whatever the state of the desktop.
  if (ending === 'fail') return verdict(0, 'the task is feasible, and the agent ended the episode with fail');
  const checks = checksOf(task.evaluator);
  const isOr = task.evaluator.conj === 'or';
  const parts: Verdict[] = [];
  for (const [index, check] of checks.entries()) {
    const metric = metricOf(check.func);
    if (metric === undefined) throw taskError(task, `evaluator.func ${index}: ${unknownMetric(check.func)}.`);
    const part = await judged(task, check, metric, query);
    // As in OSWorld, the getters after a deciding score are not asked.
    if (part.score === (isOr ? 1 : 0)) return part;
    parts.push(part);
  }
  const scores = parts.map(part => part.score);
  const score = isOr ? Math.max(...scores) : sum(scores) / scores.length;
  // With `or` the highest score decides, with `and` the lowest explains what is missing.
  const deciding = isOr ? score : Math.min(...scores);
  return verdict(
    score,
    parts
      .filter(part => part.score === deciding)
      .map(part => part.why)
      .join('; '),
  );
}

async function judged(task: Task, check: Check, metric: Metric, query: Query): Promise<Verdict> {
  let [found, expected]: [unknown?, unknown?] = [];
  try {
    if (check.result !== null) found = await resolve(check.result, query);
    if (check.expected !== null) expected = await resolve(check.expected, query);
  } catch (error) {
    if (error instanceof Unreadable) return verdict(0, `${check.func} is 0: ${error.message}`);
    throw error;
  }
  const score = await scoreOf(task, metric, [found, expected, check.options]);
  return verdict(
    score,
    `${check.func}(${describe(check.result, found)}, ${describe(check.expected, expected)}) is ${score}`,
  );
}

/** A rule that cannot be read is an error in the task file, not a failure of the desktop. */
async function scoreOf(task: Task, metric: Metric, values: Parameters<Metric>): Promise<number> {
  try {
    return await metric(...values);
  } catch (error) {
    if (error instanceof MetricError) throw taskError(task, error.message);
    throw error;
  }
}

interface Check {
  readonly func: string;
  readonly result: Getter | null;
  readonly expected: Getter | null;
  readonly options: Readonly<Record<string, unknown>>;
}

/** The metrics of an evaluator, each with its getters and its options. */
export function checksOf({ func, result, expected, options }: Evaluator): readonly Check[] {
  const functions = typeof func === 'string' ? [func] : func;
  const pick = <T>(from: T | readonly (T | null)[] | undefined, index: number): T | null => {
    if (from === undefined) return null;
    return isList(from) ? (from[index] ?? null) : from;
  };
  return functions.map((name, index) => ({
    func: name,
    result: pick(result, index),
    expected: pick(expected, index),
    options: pick(options, index) ?? {},
  }));
}

const isList = <T>(value: T | readonly (T | null)[]): value is readonly (T | null)[] => Array.isArray(value);

const resolve = (getter: Getter, query: Query): Promise<unknown> =>
  getter.type === 'rule' ? Promise.resolve('rules' in getter ? getter['rules'] : getter) : query(getter);

const MAX_DESCRIPTION_LENGTH = 160;

function describe(getter: Getter | null, value: unknown): string {
  if (getter === null) return '-';
  const { type, ...rest } = getter;
  const text =
    type === 'rule'
      ? JSON.stringify(rest['rules'] ?? null)
      : `${type} ${JSON.stringify(rest)} = ${written(value)}`;
  return text.length > MAX_DESCRIPTION_LENGTH ? `${text.slice(0, MAX_DESCRIPTION_LENGTH - 3)}...` : text;
}

/** A value as JSON; of a file its text, or its name and size if that is not a short text. */
const written = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, each: unknown) => (isFile(each) ? writtenFile(each) : each));

function writtenFile({ name, bytes }: TaskFile): string {
  if (bytes.length <= MAX_DESCRIPTION_LENGTH && isUtf8(bytes)) return new TextDecoder().decode(bytes);
  return `${name}, ${bytes.length} bytes`;
}

const taskError = (task: Task, message: string): BoundaryError =>
  new BoundaryError({ boundary: 'task', thing: task.id, message });
