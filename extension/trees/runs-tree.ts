// The runs of the workspace as a tree: what each is, as plain values. Pure; view.ts puts them into VS Code.

import { allRuns, isLive, type Known, type Run } from '../runs/known.ts';
import { megabytes, percent, span, statusWord, successOf, type Translate } from '../words.ts';

export interface Node {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** Lines. */
  readonly tooltip: readonly string[];
  /** One of VS Code's; with a theme colour where it matters. */
  readonly icon: string;
  readonly colour?: string;
  /** What `when` clauses of the context menu ask for. */
  readonly context: string;
  readonly children?: readonly Node[];
  /** Of a run or a trajectory: what a click opens, and what commands of the context menu are about. */
  readonly run?: string;
  readonly trajectory?: string;
}

/** `when` says a moment as the user's language does. */
export const runNodes = (known: Known, t: Translate, when: (moment: number) => string): readonly Node[] =>
  allRuns(known).map(run => ({
    id: run.run,
    label: when(run.startedAt),
    description: describe(run, t),
    tooltip: tooltipOf(run, t),
    ...ICONS[run.status],
    context: `run ${run.status}${isLive(run.status) ? ' live' : ''}${run.canResume ? ' resumable' : ''}`,
    run: run.run,
  }));

const ICONS: Readonly<Record<Run['status'], Pick<Node, 'icon' | 'colour'>>> = {
  starting: { icon: 'loading~spin' },
  running: { icon: 'sync~spin', colour: 'charts.green' },
  paused: { icon: 'debug-pause', colour: 'charts.yellow' },
  stopping: { icon: 'loading~spin' },
  ended: { icon: 'pass' },
  failed: { icon: 'error', colour: 'charts.red' },
};

/** A side bar is narrow, and these are the plain cases. */
const SAID_BY_ICON: readonly Run['status'][] = ['running', 'ended'];

function describe({ status, seconds, of, last }: Run, t: Translate): string {
  const success = last === undefined ? [] : [percent(last.rate)];
  const time = `${span(seconds)}/${span(of)}`;
  return [...success, time, ...(SAID_BY_ICON.includes(status) ? [] : [statusWord(status, t)])].join(' · ');
}

function tooltipOf(run: Run, t: Translate): readonly string[] {
  const { about, bytes, last, message, seconds, of, status } = run;
  return [
    t('{0}: {1}', run.run, statusWord(status, t)),
    ...(message === undefined ? [] : [message]),
    ...(last === undefined ? [] : [successOf(last, t)]),
    about.tasks === 1
      ? t('{0} of {1} trained on one task of tier {2}', span(seconds), span(of), about.tiers.join(', '))
      : t(
          '{0} of {1} trained on {2} tasks of tier {3}',
          span(seconds),
          span(of),
          about.tasks,
          about.tiers.join(', '),
        ),
    t('Preset {0}, mode {1}, seed {2}', about.preset, about.mode, about.seed),
    t('{0} on disk', megabytes(bytes)),
  ];
}
