// The comparison of two agents in words and numbers. Pure.

import type {
  AgentComparisonResult,
  ComparedAgent,
  ComparedTask,
  ListedAgent,
} from '../../../runtime/protocol/daemon/agents.ts';
import type { TrajectoryRow } from '../../../runtime/protocol/daemon/trajectories.ts';
import { byTrajectories } from '../../shared/agents.ts';
import {
  COMPACT,
  formatCost,
  formatCount,
  formatDuration,
  formatPercent,
  formatShort,
  plural,
} from '../../shared/labels.ts';

export type AgentPair = readonly [string, string];

/** The agents with the most trajectories; undefined if fewer than two have played. */
export function usualPair(agents: readonly ListedAgent[]): AgentPair | undefined {
  const [first, second] = byTrajectories(agents);
  return first === undefined || second === undefined ? undefined : [first.agent, second.agent];
}

export interface Headline {
  readonly title: string;
  readonly detail: string;
}

/** Who solves more, if the interval excludes 0. Undefined without a common instance. */
export function headlineOf({ agents, difference, tasks }: AgentComparisonResult): Headline | undefined {
  if (difference === undefined) return undefined;
  const { value, low, high } = difference;
  const [first, second] = agents;
  const on = `on ${plural(first.instances, 'instance')} of ${plural(tasks.length, 'task')} that both played`;
  if (low > 0 || high < 0) {
    const [better, worse] = value > 0 ? [first, second] : [second, first];
    const bounds = [Math.abs(low), Math.abs(high)].sort((a, b) => a - b).map(points);
    return {
      title: `${better.agent} solves ${pointsLabel(Math.abs(value))} more than ${worse.agent}.`,
      detail: `95 % interval: ${bounds.join(' to ')} points, ${on}.`,
    };
  }
  return {
    title: `No clear difference between ${first.agent} and ${second.agent}.`,
    detail: `Measured: ${signedPoints(value)} points; the 95 % interval, ${signedPoints(low)} to ${signedPoints(high)}, contains 0. Compared ${on}.`,
  };
}

const points = (share: number): string => String(Math.round(100 * Math.abs(share)));
const pointsLabel = (share: number): string => plural(Math.round(100 * share), 'percentage point');
/** '+9', '−9' or '0'. */
export const signedPoints = (share: number): string =>
  points(share) === '0' ? '0' : `${share < 0 ? '−' : '+'}${points(share)}`;

export const rateOf = ({
  successes,
  trials,
}: {
  readonly successes: number;
  readonly trials: number;
}): number => (trials === 0 ? 0 : successes / trials);

export interface Measure {
  readonly name: string;
  /** How it is counted. */
  readonly note: string;
  readonly values: readonly [string, string];
}

/** Rows of the table after the success rates. A row that is unknown for both agents is omitted. */
export function measuresOf([first, second]: readonly [ComparedAgent, ComparedAgent]): readonly Measure[] {
  const row = (name: string, note: string, of: (agent: ComparedAgent) => string | undefined) => {
    const [one, two] = [of(first), of(second)];
    const isUnknown = one === undefined && two === undefined;
    return isUnknown ? [] : [{ name, note, values: [one ?? '–', two ?? '–'] as const }];
  };
  return [
    ...row('Trials', '', ({ trials }) => formatCount(trials)),
    ...row('Steps', 'per trial', ({ meanSteps }) => meanSteps.toFixed(1)),
    ...row('Tokens', 'per trial, prompt + reply', ({ promptTokens, completionTokens, trials }) =>
      promptTokens === undefined || completionTokens === undefined
        ? undefined
        : `${formatShort(promptTokens / trials)} + ${formatShort(completionTokens / trials)}`,
    ),
    ...row('Latency', 'per step', ({ latencyMs }) =>
      latencyMs === undefined ? undefined : formatDuration(latencyMs),
    ),
    ...row('Cost', 'per trial', ({ cost, trials }) =>
      cost === undefined ? undefined : formatCost(cost / trials),
    ),
    ...row('Cost', 'per solved trial', ({ cost, successes }) =>
      cost === undefined || successes === 0 ? undefined : formatCost(cost / successes),
    ),
  ];
}

export const intervalLabel = ({ low, high }: Pick<ComparedAgent, 'low' | 'high'>): string =>
  `${formatPercent(low)} to ${formatPercent(high)}`;

/** The tasks with the largest difference first; equal ones by name. */
export const mostDifferentFirst = (tasks: readonly ComparedTask[]): readonly ComparedTask[] =>
  [...tasks].sort(
    (a, b) => Math.abs(taskDifference(b)) - Math.abs(taskDifference(a)) || a.task.localeCompare(b.task),
  );

/** The success rate of the first agent minus that of the second. */
export const taskDifference = ({ tallies: [first, second] }: ComparedTask): number =>
  rateOf(first) - rateOf(second);

/** The parts of the instances of a task, in the order of the bar. */
export const partsOf = ({ both, onlyFirst, onlySecond, neither }: ComparedTask, [first, second]: AgentPair) =>
  [
    { part: 'both', count: both, label: 'both solve it' },
    { part: 'first', count: onlyFirst, label: `only ${first}` },
    { part: 'second', count: onlySecond, label: `only ${second}` },
    { part: 'neither', count: neither, label: 'neither' },
  ] as const;

/** An instance that both agents played, with the latest trajectory of each. */
export interface InstancePair {
  readonly seed: number;
  readonly rows: readonly [TrajectoryRow, TrajectoryRow];
}

/** By seed. `rows` are those of one task. */
export function playedInstances(
  rows: readonly TrajectoryRow[],
  [first, second]: AgentPair,
): readonly InstancePair[] {
  const judged = rows.filter(({ outcome }) => outcome !== 'broken');
  const latest = (agent: string, seed: number) =>
    judged
      .filter(row => (row.agent ?? COMPACT) === agent && row.seed === seed)
      .reduce<TrajectoryRow | undefined>(
        (best, row) => (best === undefined || row.endedAt > best.endedAt ? row : best),
        undefined,
      );
  return [...new Set(judged.map(({ seed }) => seed))]
    .sort((a, b) => a - b)
    .flatMap(seed => {
      const [one, two] = [latest(first, seed), latest(second, seed)];
      return one === undefined || two === undefined ? [] : [{ seed, rows: [one, two] }];
    });
}
