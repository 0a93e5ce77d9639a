// Judges a task: obtains what its evaluator names, compares, and joins the scores. It sees the desktop through `query`
// alone, and never what the agent did on the way.

import { BoundaryError } from '../contracts/failure.ts';
import { type Evaluator, type Getter, isInfeasible, type Task } from '../contracts/task.ts';
import { type Ending, judgeInfeasible, type Verdict, verdict } from '../contracts/verdict.ts';
import { METRIC_NAMES, metricOf } from './metrics.ts';

type Query = (getter: Getter) => Promise<unknown>;

/** `query` answers a getter from the desktop as it stands now; what a task states itself needs no desktop. */
export async function evaluate(task: Task, ending: Ending, query: Query): Promise<Verdict> {
  if (isInfeasible(task)) return judgeInfeasible(ending);
  // As in OSWorld: who gives up has not solved it, whatever the desktop looks like.
  if (ending === 'fail') return verdict(0, 'the task can be done, and the agent said that it cannot');
  const checks = checksOf(task.evaluator);
  const parts: Verdict[] = [];
  for (const [index, check] of checks.entries()) {
    const metric = metricOf(check.func);
    if (metric === undefined) {
      throw atFault(task, `evaluator.func ${index} is '${check.func}'; known are ${METRIC_NAMES.join(', ')}`);
    }
    const found = check.result === null ? undefined : await answered(check.result, query);
    const wanted = check.expected === null ? undefined : await answered(check.expected, query);
    const score = metric(found, wanted, check.options);
    parts.push(
      verdict(
        score,
        `${check.func}(${shown(check.result, found)}, ${shown(check.expected, wanted)}) is ${score}`,
      ),
    );
  }
  const scores = parts.map(part => part.score);
  const score = task.evaluator.conj === 'or' ? Math.max(...scores) : Math.min(...scores);
  const telling = parts.filter(part => part.score === score).map(part => part.why);
  return verdict(score, telling.join('; '));
}

interface Check {
  readonly func: string;
  readonly result: Getter | null;
  readonly expected: Getter | null;
  readonly options: Readonly<Record<string, unknown>>;
}

function checksOf({ func, result, expected, options }: Evaluator): readonly Check[] {
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

/** A rule is written in the task; everything else is the desktop's to answer. */
const answered = (getter: Getter, query: Query): Promise<unknown> =>
  getter.type === 'rule' ? Promise.resolve(getter) : query(getter);

function shown(getter: Getter | null, value: unknown): string {
  if (getter === null) return '-';
  const { type, ...rest } = getter;
  const asked =
    type === 'rule'
      ? JSON.stringify(rest['rules'])
      : `${type} ${JSON.stringify(rest)} = ${JSON.stringify(value)}`;
  return asked.length > 160 ? `${asked.slice(0, 157)}...` : asked;
}

const atFault = (task: Task, message: string): BoundaryError =>
  new BoundaryError({ boundary: 'task', thing: task.id, message });
