// Compares two agents on the task instances that both played: success of each with an interval, their paired difference with an
// interval, steps, tokens and cost. Pure.

import {
  clustered,
  type Interval,
  NORMAL_QUANTILE,
  type RateDifference,
  rateDifference,
  type SuccessTally,
  total,
} from './interval.ts';

/** One judged episode. */
export interface AgentEpisode {
  readonly agent: string;
  readonly task: string;
  readonly seed: number;
  readonly success: boolean;
  readonly steps: number;
  /** Absent if no language model played. */
  readonly usage?: EpisodeUsage;
}

export interface EpisodeUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly latencyMs: number;
  readonly cost?: number;
}

/** On the common instances. A number that is unknown for one of the trials is absent. */
export interface AgentScore extends Interval {
  readonly agent: string;
  readonly instances: number;
  /** Per trial; 0 without trials. */
  readonly meanSteps: number;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  /** Per step. */
  readonly latencyMs?: number;
  readonly cost?: number;
}

/** An instance counts as solved if at least half of the agent's trials solved it. */
export interface TaskComparison {
  readonly task: string;
  /** The trials of each agent. */
  readonly tallies: readonly [SuccessTally, SuccessTally];
  /** Numbers of instances. */
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly neither: number;
}

export interface AgentComparison {
  readonly agents: readonly [AgentScore, AgentScore];
  /** The success rate of the first agent minus that of the second; absent without a common instance. */
  readonly difference?: RateDifference;
  readonly tasks: readonly TaskComparison[];
}

/** An instance with the episodes of both agents. */
interface Pair {
  readonly task: string;
  readonly seed: number;
  readonly episodes: readonly [readonly AgentEpisode[], readonly AgentEpisode[]];
  readonly tallies: readonly [SuccessTally, SuccessTally];
}

export function compareAgents(
  episodes: readonly AgentEpisode[],
  [first, second]: readonly [string, string],
): AgentComparison {
  const pairs = pairsOf(episodes, first, second);
  const byTask = grouped(pairs, ({ task }) => task);
  // The instances of a single task are its clusters.
  const clusters = byTask.size > 1 ? [...byTask.values()] : pairs.map(pair => [pair]);
  const talliesOf = (side: 0 | 1) =>
    clusters.map(cluster => total(cluster.map(({ tallies }) => tallies[side])));
  const tallies = [talliesOf(0), talliesOf(1)] as const;
  const agents = [
    scoreOf(first, pairs, 0, clustered(tallies[0])),
    scoreOf(second, pairs, 1, clustered(tallies[1])),
  ] as const;
  return {
    agents,
    ...(pairs.length > 0 && { difference: differenceOf(agents, tallies, pairs.length) }),
    tasks: [...byTask].map(([task, each]) => taskOf(task, each)),
  };
}

/** Ordered by task and seed: the order of the episodes, and those of other agents, change no number. */
function pairsOf(episodes: readonly AgentEpisode[], first: string, second: string): readonly Pair[] {
  return [...grouped(episodes, ({ task, seed }) => `${seed} ${task}`).values()]
    .flatMap(each => {
      const [one, two] = [first, second].map(agent => each.filter(episode => episode.agent === agent));
      const [begin] = each;
      if (begin === undefined || one === undefined || two === undefined) return [];
      if (one.length === 0 || two.length === 0) return [];
      const { task, seed } = begin;
      return [{ task, seed, episodes: [one, two] as const, tallies: [tallyOf(one), tallyOf(two)] as const }];
    })
    .sort((a, b) => (a.task === b.task ? a.seed - b.seed : a.task < b.task ? -1 : 1));
}

function grouped<T>(all: readonly T[], keyOf: (each: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const group = groups.get(keyOf(each));
    if (group === undefined) groups.set(keyOf(each), [each]);
    else group.push(each);
  }
  return groups;
}

const tallyOf = (episodes: readonly AgentEpisode[]): SuccessTally => ({
  successes: episodes.filter(({ success }) => success).length,
  trials: episodes.length,
});

/**
 * Newcombe's interval for paired rates, with their correlation over the clusters. `instances` limits a positive correlation: that few
 * pairs agree does not prove that all do. The limit gives Tango's width, z² / (n + z²), if all n pairs agree.
 */
function differenceOf(
  [one, two]: readonly [Interval, Interval],
  [ones, twos]: readonly [readonly SuccessTally[], readonly SuccessTally[]],
  instances: number,
): RateDifference {
  const found = correlation(residuals(ones, one.rate), residuals(twos, two.rate));
  const limited = (found * instances) / (instances + 2 * NORMAL_QUANTILE ** 2);
  return rateDifference(one, two, found > 0 ? limited : found);
}

const residuals = (tallies: readonly SuccessTally[], rate: number): readonly number[] =>
  tallies.map(({ successes, trials }) => successes - rate * trials);

/** From −1 to 1; 0 if one side does not vary. Both have the mean 0. */
function correlation(ones: readonly number[], twos: readonly number[]): number {
  const product = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, each, index) => sum + each * (b[index] ?? 0), 0);
  const scale = Math.sqrt(product(ones, ones) * product(twos, twos));
  return scale > 0 ? Math.max(-1, Math.min(1, product(ones, twos) / scale)) : 0;
}

function scoreOf(agent: string, pairs: readonly Pair[], side: 0 | 1, interval: Interval): AgentScore {
  const episodes = pairs.flatMap(pair => pair.episodes[side]);
  const steps = sumOf(episodes, each => each.steps) ?? 0;
  const [promptTokens, completionTokens, latency, cost] = [
    sumOf(episodes, ({ usage }) => usage?.promptTokens),
    sumOf(episodes, ({ usage }) => usage?.completionTokens),
    sumOf(episodes, ({ usage }) => usage?.latencyMs),
    sumOf(episodes, ({ usage }) => usage?.cost),
  ];
  return {
    ...interval,
    agent,
    instances: pairs.length,
    meanSteps: steps / Math.max(1, episodes.length),
    ...(promptTokens !== undefined && { promptTokens }),
    ...(completionTokens !== undefined && { completionTokens }),
    ...(latency !== undefined && steps > 0 && { latencyMs: latency / steps }),
    ...(cost !== undefined && { cost }),
  };
}

/** Undefined without episodes, or if one has no such number. */
function sumOf(
  episodes: readonly AgentEpisode[],
  of: (episode: AgentEpisode) => number | undefined,
): number | undefined {
  const numbers = episodes.flatMap(each => of(each) ?? []);
  return numbers.length === 0 || numbers.length < episodes.length
    ? undefined
    : numbers.reduce((sum, each) => sum + each, 0);
}

function taskOf(task: string, pairs: readonly Pair[]): TaskComparison {
  const counts = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 };
  for (const { tallies } of pairs) {
    const [one, two] = [isSolved(tallies[0]), isSolved(tallies[1])];
    counts[one ? (two ? 'both' : 'onlyFirst') : two ? 'onlySecond' : 'neither'] += 1;
  }
  return {
    task,
    tallies: [total(pairs.map(({ tallies }) => tallies[0])), total(pairs.map(({ tallies }) => tallies[1]))],
    ...counts,
  };
}

const isSolved = ({ successes, trials }: SuccessTally): boolean => 2 * successes >= trials;
