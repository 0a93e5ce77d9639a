// The result of an evaluated agent: a table of its tasks, and the figures of all episodes in words. Pure.

import type { EpisodeFigures, EvaluationReport, TaskReport } from '../../collect/evaluation-report.ts';
import { count, money, percent, range } from '../../run/number-format.ts';
import { faint, filled, plain, type StyledLine } from './line.ts';
import { type TableColumn, table } from './table.ts';

const BAR_COLUMNS = 10;

/** A figure that the agent does not report is '–'. */
const figure = (
  title: string,
  dropOrder: number,
  of: (task: TaskReport) => number | undefined,
  format: (value: number) => string,
): TableColumn<TaskReport> => ({
  ...{ title, dropOrder, isNumber: true },
  cell: task => {
    const value = of(task);
    return [value === undefined ? faint('–') : plain(format(value))];
  },
});

const COLUMNS: readonly TableColumn<TaskReport>[] = [
  { title: 'task', cell: ({ task }) => [plain(task)] },
  { title: '', cell: ({ rate }) => filled(rate, BAR_COLUMNS, true), dropOrder: 7 },
  { title: 'solved', cell: ({ successes, trials }) => [plain(`${successes}/${trials}`)], isNumber: true },
  { title: '95 %', cell: row => [faint(range(row))], dropOrder: 1 },
  figure('steps', 2, ({ steps }) => steps, oneDigit),
  figure('malformed', 4, ({ malformed }) => malformed, percent),
  figure('tokens', 5, tokensPerEpisode, value => count(Math.round(value))),
  figure('per turn', 3, ({ latencyMs }) => latencyMs, seconds),
  figure('cost', 6, costPerEpisode, money),
];

/** Columns whose figure no task has are left out. */
export function evaluationTable({ tasks }: EvaluationReport, width: number): readonly StyledLine[] {
  const known = COLUMNS.filter(({ title }) => {
    if (title === 'malformed') return tasks.some(({ latencyMs }) => latencyMs !== undefined);
    if (title === 'tokens') return tasks.some(task => tokensPerEpisode(task) !== undefined);
    if (title === 'per turn') return tasks.some(({ latencyMs }) => latencyMs !== undefined);
    return title !== 'cost' || tasks.some(({ cost }) => cost !== undefined);
  });
  return table(known, tasks, width);
}

/** Steps, latency, tokens and cost of all episodes; then what went wrong. */
export function figureLines(
  report: EvaluationReport,
  failedRequests: Readonly<Record<string, number>>,
): readonly string[] {
  const { steps, turns, malformed, truncated, broken, brokenBy, latencyMs } = report;
  const perEpisode = [
    ...(steps === undefined ? [] : [`${oneDigit(steps)} steps`]),
    ...(turns === undefined || turns === steps ? [] : [`${oneDigit(turns)} turns`]),
  ];
  const isServed = latencyMs !== undefined;
  return [
    ...(perEpisode.length > 0 ? [`${perEpisode.join(' and ')} per episode`] : []),
    ...(isServed ? [`${seconds(latencyMs)} per turn${costText(report)}`] : []),
    ...(isServed && malformed !== undefined && truncated !== undefined
      ? [`${share(malformed)} of the replies were malformed, ${share(truncated)} were cut at the token limit`]
      : []),
    ...(Object.keys(failedRequests).length > 0 ? [`failed requests: ${countsText(failedRequests)}`] : []),
    ...(broken > 0
      ? [
          `${count(broken)} ${broken === 1 ? 'episode' : 'episodes'} broke and ${broken === 1 ? 'does' : 'do'} not count: ${countsText(brokenBy)}`,
        ]
      : []),
  ];
}

function costText({ promptTokens, completionTokens, cost }: EpisodeFigures): string {
  const tokens = [
    ...(promptTokens === undefined ? [] : [`${count(promptTokens)} tokens of prompts`]),
    ...(completionTokens === undefined ? [] : [`${count(completionTokens)} of replies`]),
  ];
  return [...tokens, ...(cost === undefined ? [] : [`cost ${money(cost)}`])]
    .map(text => ` · ${text}`)
    .join('');
}

/** '2 environment, 1 provider' */
export const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, number]) => `${count(number)} ${name}`)
    .join(', ');

function tokensPerEpisode({
  promptTokens,
  completionTokens,
  trials,
  broken,
}: TaskReport): number | undefined {
  if (promptTokens === undefined && completionTokens === undefined) return undefined;
  return ((promptTokens ?? 0) + (completionTokens ?? 0)) / (trials + broken);
}

function costPerEpisode({ cost, trials, broken }: TaskReport): number | undefined {
  return cost === undefined ? undefined : cost / (trials + broken);
}

function oneDigit(value: number): string {
  return value.toFixed(1);
}

/** Below 1 % with a decimal: one malformed reply in 500 is worth a look. */
const share = (value: number): string =>
  value > 0 && value < 0.01 ? `${(100 * value).toFixed(1)} %` : percent(value);

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
