// What clients narrow lists by, as the index is asked: tiers and suites become their tasks. Pure.

import { groupId, runId, seed, type TaskId, taskId } from '../../core/ids.ts';
import type { Filter, StepFilter } from '../../data/index/questions.ts';
import type {
  TrajectoryFilter as AskedFilter,
  UncertainStepFilter as AskedStepFilter,
} from '../../protocol/daemon/trajectories.ts';
import type { TaskAbout } from './suites.ts';

interface Narrowing {
  readonly tasks?: readonly string[] | undefined;
  readonly tiers?: readonly number[] | undefined;
  readonly suite?: string | undefined;
}

type Known = ReadonlyMap<TaskId, TaskAbout>;

/** Undefined where all tasks are meant. */
export function tasksMeant({ tasks, tiers, suite }: Narrowing, known: Known): readonly TaskId[] | undefined {
  const named = tasks?.map(taskId);
  if (tiers === undefined && suite === undefined) return named;
  const meant = [...known.values()]
    .filter(about => tiers?.includes(about.tier) ?? true)
    .filter(about => suite === undefined || about.suite === suite)
    .map(({ task }) => task);
  return named === undefined ? meant : named.filter(task => meant.includes(task));
}

export function filterFrom(asked: AskedFilter, known: Known): Filter {
  const { run, tasks: _tasks, tiers: _tiers, suite: _suite, seed: number, group, ended, ...same } = asked;
  const tasks = tasksMeant(asked, known);
  return {
    ...defined(same),
    ...(run !== undefined && { run: runId(run) }),
    ...(tasks !== undefined && { tasks }),
    ...(number !== undefined && { seed: seed(number) }),
    ...(group !== undefined && { group: groupId(group) }),
    ...(ended?.from !== undefined && { since: ended.from }),
    // Times are whole milliseconds.
    ...(ended?.to !== undefined && { until: ended.to + 1 }),
  };
}

export function stepFilterFrom(asked: AskedStepFilter, known: Known): StepFilter {
  const { run, outcomes, kinds } = asked;
  const tasks = tasksMeant(asked, known);
  return {
    ...defined({ outcomes, kinds }),
    ...(run !== undefined && { run: runId(run) }),
    ...(tasks !== undefined && { tasks }),
  };
}

type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

const defined = <T extends object>(some: T): Defined<T> =>
  Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined)) as Defined<T>;
