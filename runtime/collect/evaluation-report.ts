// The figures of an evaluation: success with its interval, steps, tokens, latency and cost, per task and over all tasks. Pure.

import { byRate, clustered, type Interval, type SuccessTally, wilson } from '../data/interval.ts';
import type { SpentTokens } from '../endpoints/budget.ts';
import type { EpisodeResult } from '../protocol/daemon/episode-result.ts';
import { countsOf, totalOf } from './episode-results.ts';

/** Of judged episodes. Broken ones carry no information about the agent; only their number counts. */
export interface EpisodeFigures {
  readonly broken: number;
  /** Means per episode; undefined without judged episodes. */
  readonly steps: number | undefined;
  readonly turns: number | undefined;
  /** Shares of the replies. */
  readonly malformed: number | undefined;
  readonly truncated: number | undefined;
  /** Sums; undefined if the agent reports none. */
  readonly promptTokens: number | undefined;
  readonly completionTokens: number | undefined;
  /** In the currency of the configured prices. */
  readonly cost: number | undefined;
  /** The mean of a turn. */
  readonly latencyMs: number | undefined;
}

export interface TaskReport extends Interval, EpisodeFigures {
  readonly task: string;
}

export interface EvaluationReport extends Interval, EpisodeFigures {
  /** Broken episodes by the boundary that failed. */
  readonly brokenBy: Readonly<Record<string, number>>;
  /** The lowest success rate first. */
  readonly tasks: readonly TaskReport[];
}

/** `spent`: by all requests. It includes attempts that broke and were repeated, which are no episodes. */
export function evaluationReport(episodes: readonly EpisodeResult[], spent?: SpentTokens): EvaluationReport {
  // In the order of their names: sums of fractions depend on the order, and episodes finish in any.
  const tasks = [...groupedByTask(episodes)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([task, all]) => ({ task, ...wilson(tallyOf(all)), ...figuresOf(all) }));
  const figures = figuresOf(episodes);
  return {
    ...clustered(tasks),
    ...figures,
    ...(spent !== undefined && {
      promptTokens: paid(figures.promptTokens, spent.promptTokens),
      completionTokens: paid(figures.completionTokens, spent.completionTokens),
      cost: paid(figures.cost, spent.money),
    }),
    brokenBy: countsOf(
      episodes.flatMap(({ outcome }) => (outcome.kind === 'broken' ? [outcome.boundary] : [])),
    ),
    tasks: tasks.toSorted(byRate),
  };
}

/** A sum that the agent does not report stays unknown. */
const paid = (known: number | undefined, all: number): number | undefined =>
  known === undefined ? undefined : all;

function groupedByTask(episodes: readonly EpisodeResult[]): ReadonlyMap<string, readonly EpisodeResult[]> {
  const groups = new Map<string, EpisodeResult[]>();
  for (const episode of episodes) {
    const group = groups.get(episode.task);
    if (group === undefined) groups.set(episode.task, [episode]);
    else group.push(episode);
  }
  return groups;
}

const isJudged = ({ outcome }: EpisodeResult): boolean => outcome.kind === 'judged';

const tallyOf = (episodes: readonly EpisodeResult[]): SuccessTally => ({
  successes: episodes.filter(({ outcome }) => outcome.kind === 'judged' && outcome.success).length,
  trials: episodes.filter(isJudged).length,
});

function figuresOf(episodes: readonly EpisodeResult[]): EpisodeFigures {
  const judged = episodes.filter(isJudged);
  const total = (of: (episode: EpisodeResult) => number | undefined, all = judged) => totalOf(all.map(of));
  const turns = total(each => each.turns) ?? 0;
  const per = (amount: number | undefined, units: number) =>
    amount === undefined || units === 0 ? undefined : amount / units;
  return {
    broken: episodes.length - judged.length,
    steps: per(
      total(each => each.steps),
      judged.length,
    ),
    turns: per(turns, judged.length),
    malformed: per(
      total(each => each.malformed),
      turns,
    ),
    truncated: per(
      total(each => each.truncated),
      turns,
    ),
    // Broken episodes were paid for, too.
    promptTokens: total(each => each.promptTokens, [...episodes]),
    completionTokens: total(each => each.completionTokens, [...episodes]),
    cost: total(each => each.cost, [...episodes]),
    latencyMs: per(
      total(each => each.latencyMs),
      turns,
    ),
  };
}
