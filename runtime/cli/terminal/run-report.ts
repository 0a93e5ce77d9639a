// Reports without a live display: progress lines for logs, and the summary at the end. Pure.

import type { RunState } from '../../protocol/daemon/state.ts';
import { aboutRun, clock, count, decimal, oneLine, percent, rated } from '../../run/number-format.ts';
import {
  accent,
  cut,
  faint,
  filled,
  indented,
  plain,
  poor,
  type StyledLine,
  strong,
  widthOf,
} from './line.ts';
import { modelRunParts, spentTotal } from './model-run.ts';
import { flowed } from './module-rows.ts';
import { MARGIN } from './output.ts';
import { type TableColumn, table } from './table.ts';
import { wrapped } from './wrap.ts';

/** The state that earlier lines have reported. */
export interface ReportedState {
  readonly status: RunState['status'];
  readonly seconds: number;
  readonly measured: number;
  /** The lines of the problems in the last state. */
  readonly problems: ReadonlySet<string>;
}

const REPORT_INTERVAL_S = 30;

/** New lines for a log: evaluations, problems and changes of status at once, progress at intervals. */
export function newLines(
  state: RunState,
  told: ReportedState | undefined,
): { readonly lines: readonly string[]; readonly told: ReportedState } {
  const { run, about, status, seconds, problems } = state;
  const measured = tested(state).length;
  const isDue =
    told === undefined ||
    measured > told.measured ||
    status !== told.status ||
    seconds - told.seconds >= REPORT_INTERVAL_S;
  // A problem that occurs again moves to the end and has a count: it is no new one.
  const problemLines = problems.map(({ thing, message }) => `problem: ${thing}: ${oneLine(message)}`);
  const lines = [
    ...(told === undefined ? [`Run ${run}: ${aboutRun(about).join(', ')}`] : []),
    ...problemLines.filter(line => told?.problems.has(line) !== true),
    ...(isDue ? [progressLine(state)] : []),
  ];
  return {
    lines,
    told: {
      status,
      seconds: isDue ? roundedDown(seconds) : told.seconds,
      measured,
      problems: new Set(problemLines),
    },
  };
}

const roundedDown = (seconds: number): number => seconds - (seconds % REPORT_INTERVAL_S);

/** '1:15 of 5:00  running · solved 41 of 92 · 45 % (31–60 %) · 1,204 episodes, 7.4/s …' */
function progressLine(state: RunState): string {
  const { seconds, of, status, message, rollout, trainer, data, spent } = state;
  const last = tested(state).at(-1);
  const why = message === undefined ? '' : ` (${oneLine(message)})`;
  return [
    `${clock(seconds)} of ${clock(of)}  ${status}${why}`,
    ...(last === undefined ? [] : [`solved ${rated(last)}`]),
    `${count(rollout.episodes)} episodes, ${decimal(rollout.episodesPerSecond)}/s`,
    `${count(trainer.updates)} updates, ${decimal(trainer.updatesPerSecond)}/s`,
    `accepted ${count(data.books.accepted)}, filtered ${count(data.books.filtered)}`,
    ...(spent === undefined ? [] : [`cost ${spentTotal(spent)}`]),
  ].join(' · ');
}

const tested = ({ curve }: RunState) => curve.filter(({ split }) => split === 'test');

export interface LabelledName {
  readonly name: string;
  readonly what: string;
}

export interface RunOutput {
  readonly folder: string;
  readonly files: readonly LabelledName[];
  readonly nextCommands: readonly LabelledName[];
}

/** Fits the width. Only names of files and commands are never cut, since users copy them. */
export function runSummary(
  state: RunState,
  { folder, files, nextCommands }: RunOutput,
  room: number,
): readonly StyledLine[] {
  const width = room - MARGIN;
  const last = tested(state).at(-1);
  const { label, note } = testTexts(state.about.desktops);
  const measured =
    last === undefined ? [faint('never evaluated')] : [strong(rated(last)), ...note.map(faint)];
  return indented(
    [
      [],
      cut(ending(state), width),
      [],
      cut([plain(`  ${label.padEnd(LABEL_COLUMNS)}`), ...measured], width),
      ...modelRunLines(state, width),
      [],
      ...taskTable(state.tasks, width),
      [],
      [plain(`Stored in ${folder}`)],
      ...listed(files, width),
      [],
      [plain('Next')],
      ...listed(nextCommands, width),
      [],
    ],
    MARGIN,
  );
}

function ending({ status, message, seconds, of }: RunState): StyledLine {
  const how = `${clock(seconds)} of ${clock(of)}`;
  if (status === 'failed')
    return [poor(`Failed after ${how}`), plain(message === undefined ? '' : `: ${oneLine(message)}`)];
  if (isEarly({ seconds, of })) return [strong(`Stopped after ${how}`), plain(' with a checkpoint.')];
  return [strong(`Trained for ${clock(seconds)}`), plain('.')];
}

const LABEL_COLUMNS = 'test instances  '.length;

/** Guests test the tasks that train. Stored trajectories do if none is reserved for tests. */
function testTexts(desktops: RunState['about']['desktops']): {
  readonly label: string;
  readonly note: readonly string[];
} {
  if (desktops === 'guest') return { label: 'trained tasks', note: ['   each has one instance'] };
  return { label: 'test instances', note: desktops === 'offline' ? [] : ['   not in the training data'] };
}

/** The learner, the servers and the cost, each with as many lines as its parts need. */
const modelRunLines = (state: RunState, width: number): readonly StyledLine[] =>
  modelRunParts(state).flatMap(({ name, parts }) => {
    const room = Math.max(1, width - LABEL_COLUMNS - 2);
    const lines = flowed(parts, room, parts.length).flatMap(text => wrapped(text, room));
    return lines.map((text, index) =>
      cut([plain(`  ${(index === 0 ? name : '').padEnd(LABEL_COLUMNS)}`), plain(text)], width),
    );
  });

/** The run stopped before its training time was over. */
const isEarly = ({ seconds, of }: Pick<RunState, 'seconds' | 'of'>): boolean => seconds < of - 1;

/** More tasks would push the rest off the screen. */
const MAX_TASKS = 20;
const BAR_COLUMNS = 10;

const TASK_COLUMNS: readonly TableColumn<RunState['tasks'][number]>[] = [
  { title: 'task', cell: ({ task }) => [plain(task)] },
  {
    title: '',
    cell: ({ rate }) => (rate === undefined ? [] : filled(rate, BAR_COLUMNS, true)),
    dropOrder: 1,
  },
  { title: 'recent', cell: ({ rate }) => [plain(rate === undefined ? '·' : percent(rate))], isNumber: true },
  { title: 'rollouts', cell: ({ rollouts }) => [faint(count(rollouts))], isNumber: true },
];

/** By the success of the latest rollouts, the worst first. Tasks without rollouts come last. */
function taskTable(tasks: RunState['tasks'], width: number): readonly StyledLine[] {
  const worst = tasks.toSorted((a, b) => (a.rate ?? 2) - (b.rate ?? 2) || (a.task < b.task ? -1 : 1));
  const more = worst.length - MAX_TASKS;
  return [
    ...table(TASK_COLUMNS, worst.slice(0, MAX_TASKS), width),
    ...(more > 0 ? [cut([accent('… '), faint(`and ${count(more)} more`)], width)] : []),
  ];
}

/** Descriptions appear where they fit. */
export function listed(all: readonly LabelledName[], width: number): readonly StyledLine[] {
  const longest = Math.max(0, ...all.map(({ name }) => name.length));
  return all.map(({ name, what }) => {
    const line: StyledLine = [plain(`  ${name.padEnd(longest)}`), faint(`   ${what}`)];
    return widthOf(line) <= width ? line : line.slice(0, 1);
  });
}
