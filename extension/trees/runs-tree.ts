// The runs of the workspace as plain tree nodes. Pure; view.ts shows them.

import { duration, megabytes, percent, STATUS_LABELS, successRate } from '../format.ts';
import { isLive, type ListedRun, listedRuns, type RunOverview } from '../runs/run-list.ts';

export interface ViewNode {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** Lines. */
  readonly tooltip: readonly string[];
  /** A codicon of VS Code. */
  readonly icon: string;
  /** A theme color. */
  readonly color?: string;
  /** Words that `when` clauses of the context menu test. */
  readonly context: string;
  readonly children?: readonly ViewNode[];
  /** The target of a click and of the commands in the context menu. */
  readonly run?: string;
  readonly trajectory?: string;
}

/** `formatTime` formats milliseconds since 1970 in the language of the user. */
export const runNodes = (list: RunOverview, formatTime: (time: number) => string): readonly ViewNode[] =>
  listedRuns(list).map(run => ({
    id: run.run,
    label: formatTime(run.startedAt),
    description: descriptionOf(run),
    tooltip: tooltipOf(run),
    ...ICONS[run.status],
    context: [
      ...['run', run.status],
      ...(isLive(run.status) ? ['live'] : []),
      ...(run.canResume ? ['resumable'] : []),
      // Its weights are a file here; those of a model are with its learner.
      ...(run.about.agent === undefined ? ['compact'] : []),
    ].join(' '),
    run: run.run,
  }));

const ICONS: Readonly<Record<ListedRun['status'], Pick<ViewNode, 'icon' | 'color'>>> = {
  starting: { icon: 'loading~spin' },
  running: { icon: 'sync~spin', color: 'charts.green' },
  paused: { icon: 'debug-pause', color: 'charts.yellow' },
  stopping: { icon: 'loading~spin' },
  ended: { icon: 'pass' },
  failed: { icon: 'error', color: 'charts.red' },
};

/** For these the icon is enough, because a side bar is narrow. */
const WITHOUT_LABEL: readonly ListedRun['status'][] = ['running', 'ended'];

function descriptionOf({ status, seconds, of, last }: ListedRun): string {
  const rate = last === undefined ? [] : [percent(last.rate)];
  const label = WITHOUT_LABEL.includes(status) ? [] : [STATUS_LABELS[status]];
  return [...rate, `${duration(seconds)}/${duration(of)}`, ...label].join(' · ');
}

function tooltipOf(run: ListedRun): readonly string[] {
  const { about, bytes, last, message, seconds, of, status } = run;
  const tasks = about.tasks === 1 ? '1 task' : `${about.tasks} tasks`;
  return [
    `${run.run}: ${STATUS_LABELS[status]}`,
    ...(message === undefined ? [] : [message]),
    ...(last === undefined ? [] : [successRate(last)]),
    `${duration(seconds)} of ${duration(of)} trained on ${tasks} of tier ${about.tiers.join(', ')}`,
    `Preset ${about.preset}, mode ${about.mode}, seed ${about.seed}`,
    `${megabytes(bytes)} on disk`,
  ];
}
