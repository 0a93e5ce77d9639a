// Compares two arms at their last evaluations: over all tasks and per task, on the instances that all of their runs played. Pure.

import { compareAgents } from '../data/compare-agents.ts';
import {
  clustered,
  type Interval,
  type RateDifference,
  rateDifference,
  type SuccessTally,
  studentT,
  total,
  wilson,
} from '../data/interval.ts';
import type { ComparedArm } from './arms.ts';
import { type ArmDifference, type EvaluatedMember, SIGNIFICANT, type TaskTest } from './comparison.ts';
import { meanOf, standardError } from './curves.ts';
import type { EvaluatedEpisode } from './record.ts';
import { fisherExact } from './statistics/fisher.ts';
import { holm } from './statistics/holm.ts';
import { labelPermutationTest, type PermutationResult, signFlipTest } from './statistics/permutation.ts';
import { neededGrowth, neededTrials } from './statistics/sample-size.ts';

/** The episodes of one run, or of one evaluation of an agent. */
interface Member {
  readonly about: EvaluatedMember;
  readonly episodes: readonly EvaluatedEpisode[];
}

type Both<T> = readonly [T, T];

/** The tallies of each member, by task. */
type MemberTallies = readonly ReadonlyMap<string, SuccessTally>[];

/** Undefined if an arm has no recorded evaluation, or if no instance was played by all. */
export function armDifference(
  arms: Both<ComparedArm>,
  tiers: Readonly<Record<string, number>>,
): ArmDifference | undefined {
  const members = [membersOf(arms[0]), membersOf(arms[1])] as const;
  if (members.some(each => each.length === 0)) return undefined;
  const everyone = [...members[0], ...members[1]];
  const common = commonInstances(everyone.map(({ episodes }) => episodes));
  if (common.size === 0) return undefined;
  const all = new Set(everyone.flatMap(({ episodes }) => episodes.map(keyOf)));
  const tallies = [talliesOf(members[0], common), talliesOf(members[1], common)] as const;
  const tasks = [...(tallies[0][0]?.keys() ?? [])];
  const hasRuns = members.every(each => each.length > 1);
  const overall = hasRuns ? betweenRuns(tallies) : betweenTasks(members, tallies, common);
  const perTask = taskDifferences(tasks, tallies, tiers);
  return {
    arms: [arms[0].letter, arms[1].letter],
    evaluated: [members[0].map(({ about }) => about), members[1].map(({ about }) => about)],
    instances: common.size,
    leftOut: all.size - common.size,
    sides: overall.sides,
    difference: overall.difference,
    tests: overall.tests,
    ...(overall.needed !== undefined && { needed: overall.needed }),
    ...perTask,
  };
}

function membersOf({ sides }: ComparedArm): readonly Member[] {
  return sides.flatMap(side => {
    if (side.kind === 'evaluation') {
      const { name, episodes, broken } = side;
      return episodes.length === 0 ? [] : [{ about: { name, episodes: episodes.length, broken }, episodes }];
    }
    if (side.evaluation === undefined) return [];
    const { version, seconds, episodes, broken } = side.evaluation;
    return [{ about: { name: side.name, version, seconds, episodes: episodes.length, broken }, episodes }];
  });
}

const keyOf = ({ task, seed }: Pick<EvaluatedEpisode, 'task' | 'seed'>): string => `${seed} ${task}`;

function commonInstances(all: readonly (readonly EvaluatedEpisode[])[]): ReadonlySet<string> {
  const [first = [], ...others] = all.map(episodes => new Set(episodes.map(keyOf)));
  return new Set([...first].filter(key => others.every(each => each.has(key))));
}

/** Every member has the same tasks, in the same order, because it played all common instances. */
const talliesOf = (members: readonly Member[], common: ReadonlySet<string>): MemberTallies =>
  members.map(({ episodes }) => {
    const tallies = new Map<string, SuccessTally>();
    for (const { task, success } of episodes
      .filter(episode => common.has(keyOf(episode)))
      .toSorted((a, b) => (a.task < b.task ? -1 : a.task > b.task ? 1 : 0))) {
      const { successes, trials } = tallies.get(task) ?? { successes: 0, trials: 0 };
      tallies.set(task, { successes: successes + Number(success), trials: trials + 1 });
    }
    return tallies;
  });

type Overall = Pick<ArmDifference, 'sides' | 'difference' | 'tests' | 'needed'>;

/** Several runs in both arms: the runs are the observations. */
function betweenRuns(tallies: Both<MemberTallies>): Overall {
  const rates = [ratesOf(tallies[0]), ratesOf(tallies[1])] as const;
  const sides = [seedInterval(tallies[0], rates[0]), seedInterval(tallies[1], rates[1])] as const;
  const errors = [errorOf(rates[0]), errorOf(rates[1])] as const;
  const value = withoutRoundingError(sides[0].rate - sides[1].rate);
  const difference = rates.some(areEqual) ? rateDifference(...sides) : welch(value, rates, errors);
  const growth = neededGrowth(value, Math.hypot(...errors));
  const runs = Math.max(rates[0].length, rates[1].length);
  const byRuns = labelPermutationTest(rates[0], rates[1]);
  return {
    ...{ sides, difference },
    tests: [...testOver('runs', byRuns), ...testOver('tasks', signFlipTest(pooledPairs(tallies)))],
    ...(growth !== undefined && {
      needed: { of: 'runs', count: Math.max(MIN_RUNS, runs + 1, Math.ceil(runs * growth)) },
    }),
  };
}

/** The sum of the same rates depends on their order. */
const withoutRoundingError = (value: number): number => (Math.abs(value) < 1e-9 ? 0 : value);

/** With fewer runs in each of two arms, no permutation of the runs has a p below 0.05. */
const MIN_RUNS = 4;

/** A single run on one side: the tasks are the observations, and the interval is clustered by task. */
function betweenTasks(
  members: Both<readonly Member[]>,
  tallies: Both<MemberTallies>,
  common: ReadonlySet<string>,
): Overall {
  const episodes = members.flatMap((each, side) =>
    each
      .flatMap(member => member.episodes)
      .filter(episode => common.has(keyOf(episode)))
      .map(episode => ({ ...episode, agent: SIDES[side] ?? '' })),
  );
  const { agents, difference } = compareAgents(episodes, SIDES);
  const [first, second] = agents.map(({ successes, trials, rate, low, high }) => ({
    ...{ successes, trials, rate, low, high },
  }));
  const sides = [first ?? EMPTY, second ?? EMPTY] as const;
  const pairs = pooledPairs(tallies);
  const growth = neededGrowth(sides[0].rate - sides[1].rate, errorOverTasks(pairs, common.size));
  return {
    sides,
    difference: difference ?? rateDifference(...sides),
    tests: testOver('tasks', signFlipTest(pairs)),
    ...(growth !== undefined && {
      needed: { of: 'instances', count: Math.max(common.size + 1, Math.ceil(common.size * growth)) },
    }),
  };
}

const SIDES = ['first', 'second'] as const;
const EMPTY: Interval = { successes: 0, trials: 0, rate: Number.NaN, low: 0, high: 1 };

const testOver = (over: 'tasks' | 'runs', result: PermutationResult | undefined): ArmDifference['tests'] =>
  result === undefined ? [] : [{ over, ...result, adjusted: result.p }];

const ratesOf = (members: MemberTallies): readonly number[] =>
  members.map(each => {
    const { successes, trials } = total([...each.values()]);
    return successes / trials;
  });

/** Equal rates have no variance, which does not prove that other seeds give the same rate. */
const areEqual = (rates: readonly number[]): boolean => rates.every(rate => rate === rates[0]);

/** The mean over the runs, with Student's interval. Runs with equal rates have Wilson's, for the tallies of the runs. */
function seedInterval(members: MemberTallies, rates: readonly number[]): Interval {
  const runs = members.map(each => total([...each.values()]));
  if (areEqual(rates)) return clustered(runs);
  const { rate, low = rate, high = rate } = meanOf(rates);
  return { ...total(runs), rate, low, high };
}

const errorOf = (rates: readonly number[]): number => (areEqual(rates) ? 0 : standardError(rates));

function welch(value: number, rates: Both<readonly number[]>, errors: Both<number>): RateDifference {
  const half = studentT(welchFreedom(rates, errors)) * Math.hypot(...errors);
  return { value, low: Math.max(-1, value - half), high: Math.min(1, value + half) };
}

/** The degrees of freedom of Welch's interval, rounded down. */
function welchFreedom(rates: Both<readonly number[]>, [one, two]: Both<number>): number {
  const part = (error: number, side: 0 | 1) => error ** 4 / (rates[side].length - 1);
  return Math.max(1, Math.floor((one ** 2 + two ** 2) ** 2 / (part(one, 0) + part(two, 1))));
}

/** The tallies of both arms on each task, over all of their runs. */
const pooledPairs = (tallies: Both<MemberTallies>): readonly Both<SuccessTally>[] =>
  [...(tallies[0][0]?.keys() ?? [])].map(task => [pooled(tallies[0], task), pooled(tallies[1], task)]);

const pooled = (members: MemberTallies, task: string): SuccessTally =>
  total(members.flatMap(each => each.get(task) ?? []));

/** The standard error of the difference, over tasks; over instances for a single task. */
function errorOverTasks(pairs: readonly Both<SuccessTally>[], instances: number): number {
  const rates = pairs.map(([one, two]) => [one.successes / one.trials, two.successes / two.trials] as const);
  if (rates.length > 1) return standardError(rates.map(([one, two]) => one - two));
  const [one = 0, two = 0] = rates[0] ?? [];
  return Math.sqrt((one * (1 - one) + two * (1 - two)) / instances);
}

type PerTask = Pick<ArmDifference, 'taskTest' | 'smallestTaskP' | 'tasks' | 'neededForTask'>;

function taskDifferences(
  tasks: readonly string[],
  tallies: Both<MemberTallies>,
  tiers: Readonly<Record<string, number>>,
): PerTask {
  const isSingle = tallies.every(members => members.length === 1);
  const taskTest: TaskTest = isSingle ? 'fisher' : 'permutation';
  let smallestTaskP = isSingle ? 0 : 1;
  const measured = tasks.map(task => {
    const each = (side: 0 | 1) => tallies[side].flatMap(member => member.get(task) ?? []);
    // The runs of an arm are its clusters.
    const intervalOf = (all: readonly SuccessTally[]) =>
      all.length === 1 ? wilson(total(all)) : clustered(all);
    const sides = [intervalOf(each(0)), intervalOf(each(1))] as const;
    const difference: RateDifference = rateDifference(...sides);
    if (isSingle) return { task, sides, difference, p: fisherExact(...sides) };
    const rates = (side: 0 | 1) => each(side).map(({ successes, trials }) => successes / trials);
    const tested = labelPermutationTest(rates(0), rates(1));
    smallestTaskP = tested?.smallest ?? 1;
    return { task, sides, difference, p: tested?.p ?? 1 };
  });
  const adjusted = holm(measured.map(({ p }) => p));
  const sorted = measured
    .map((each, index) => {
      const tier = tiers[each.task];
      return { ...each, ...(tier !== undefined && { tier }), adjusted: adjusted[index] ?? 1 };
    })
    .sort((a, b) => b.difference.value - a.difference.value || (a.task < b.task ? -1 : 1));
  const largest = sorted.toSorted((a, b) => Math.abs(b.difference.value) - Math.abs(a.difference.value))[0];
  const isAnySure = sorted.some(each => each.adjusted < SIGNIFICANT);
  const trials =
    largest === undefined || isAnySure || !isSingle
      ? undefined
      : neededTrials(largest.sides[0].rate, largest.sides[1].rate, SIGNIFICANT / sorted.length);
  return {
    ...{ taskTest, smallestTaskP, tasks: sorted },
    ...(largest !== undefined && trials !== undefined && { neededForTask: { task: largest.task, trials } }),
  };
}
