// Translates the filters of clients into those of the index: tiers and suites become their tasks. Pure.

import { groupId, runId, seed, type TaskId, taskId } from '../../core/ids.ts';
import type { Filter, StepFilter } from '../../data/index/queries.ts';
import type { TrajectoryFilter, UncertainStepFilter } from '../../protocol/daemon/trajectories.ts';
import type { TaskAbout } from './suites.ts';

interface TaskFilter {
  readonly tasks?: readonly string[] | undefined;
  readonly tiers?: readonly number[] | undefined;
  readonly suite?: string | undefined;
}

type KnownTasks = ReadonlyMap<TaskId, TaskAbout>;

/** Undefined when all tasks match. */
export function matchingTasks(
  { tasks, tiers, suite }: TaskFilter,
  known: KnownTasks,
): readonly TaskId[] | undefined {
  const named = tasks?.map(taskId);
  if (tiers === undefined && suite === undefined) return named;
  const matching = [...known.values()]
    .filter(about => tiers?.includes(about.tier) ?? true)
    .filter(about => suite === undefined || about.suite === suite)
    .map(({ task }) => task);
  return named === undefined ? matching : named.filter(task => matching.includes(task));
}

export function filterFrom(client: TrajectoryFilter, known: KnownTasks): Filter {
  const { run, tasks: _tasks, tiers: _tiers, suite: _suite, seed: number, group, ended, ...same } = client;
  const tasks = matchingTasks(client, known);
  return {
    ...defined(same),
    ...(run !== undefined && { run: runId(run) }),
    ...(tasks !== undefined && { tasks }),
    ...(number !== undefined && { seed: seed(number) }),
    ...(group !== undefined && { group: groupId(group) }),
    ...(ended?.from !== undefined && { since: ended.from }),
    // Times are integers, in milliseconds.
    ...(ended?.to !== undefined && { until: ended.to + 1 }),
  };
}

export function stepFilterFrom(client: UncertainStepFilter, known: KnownTasks): StepFilter {
  const { run, outcomes, kinds, agents } = client;
  const tasks = matchingTasks(client, known);
  return {
    ...defined({ outcomes, kinds, agents }),
    ...(run !== undefined && { run: runId(run) }),
    ...(tasks !== undefined && { tasks }),
  };
}

type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

const defined = <T extends object>(some: T): Defined<T> =>
  Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined)) as Defined<T>;
