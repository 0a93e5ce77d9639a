// One row per module: its utilisation, then its figures, the most important first. Pure.

import { isOver, type RunState } from '../../protocol/daemon/state.ts';
import { count, decimal, percent, plural } from '../../run/number-format.ts';
import { faint, filled, plain, type StyledLine, type StyledText } from './line.ts';
import { modelRunParts } from './model-run.ts';

interface ModuleRow {
  readonly name: string;
  /** Utilisation, from 0 to 1. The data module has none: it only decides. */
  readonly share?: number;
  readonly parts: readonly string[];
}

/** The most lines of a row. */
export interface LineBudget {
  readonly data: number;
  readonly others: number;
}

/** Width of the column of names. */
export const NAME_COLUMNS = 14;
const BAR_COLUMNS = 10;
/** Narrower terminals get no bars. */
const MIN_WIDTH_OF_BARS = 66;

export function moduleRows(state: RunState, width: number, lines: LineBudget): readonly StyledLine[] {
  return [
    ...rowLines(environments(state), width, lines.others),
    ...rowLines(rollout(state), width, lines.others),
    ...rowLines(data(state), width, lines.data),
    ...rowLines(trainer(state), width, lines.others),
    ...modelRunParts(state).flatMap(row => rowLines(row, width, lines.others)),
  ];
}

function rowLines({ name, share, parts }: ModuleRow, width: number, most: number): readonly StyledLine[] {
  const head: readonly StyledText[] = [
    faint(name.padEnd(NAME_COLUMNS)),
    ...(share === undefined || width < MIN_WIDTH_OF_BARS ? [] : [...filled(share, BAR_COLUMNS), plain('  ')]),
    ...(share === undefined ? [] : [plain(`${percent(share).padStart(5)}   `)]),
  ];
  const taken = head.reduce((sum, { text }) => sum + [...text].length, 0);
  return flowed(parts, Math.max(1, width - taken), most).map((text, index) => [
    ...(index === 0 ? head : [plain(' '.repeat(taken))]),
    plain(text),
  ]);
}

const SEPARATOR = ' · ';

/** Wraps the parts into at most `most` lines and drops the rest. Returns at least one line. */
export function flowed(parts: readonly string[], width: number, most: number): readonly string[] {
  const [first = '', ...rest] = parts;
  const lines = [first];
  for (const part of rest) {
    const longer = `${lines.at(-1)}${SEPARATOR}${part}`;
    if (longer.length <= width) lines[lines.length - 1] = longer;
    else if (lines.length < most) lines.push(part);
    else break;
  }
  return lines;
}

const environments = ({ environments: { desktops, broken, occupancy, stepping } }: RunState): ModuleRow => ({
  name: 'environments',
  share: occupancy,
  parts: [
    plural(desktops, 'desktop'),
    ...(broken > 0 ? [`${count(broken)} broken`] : []),
    `stepping ${percent(stepping)}`,
  ],
});

const rollout = ({ rollout: of }: RunState): ModuleRow => ({
  name: 'rollout',
  share: of.utilisation,
  parts: [
    plural(of.workers, 'worker'),
    `${decimal(of.episodesPerSecond)} episodes/s`,
    `${decimal(of.stepsPerSecond)} steps/s`,
    plural(of.episodes, 'episode'),
    plural(of.steps, 'step'),
  ],
});

const data = ({ status, data: { books, queues, staleness, ...of } }: RunState): ModuleRow => ({
  name: 'data',
  parts: [
    `accepted ${count(books.accepted)}`,
    `filtered ${count(books.filtered)}`,
    `dropped ${count(books.dropped)}`,
    `failed ${count(books.failed)}`,
    `${isOver({ status }) ? 'unfinished' : 'running'} ${count(books.running)}`,
    `staleness ${decimal(staleness.mean)}, at most ${decimal(staleness.max)}`,
    `queues: orders ${count(queues.orders)}`,
    `trajectories ${count(queues.trajectories)}`,
    `batches ${count(queues.batches)}`,
    `lessons ${count(queues.lessons)}`,
    `groups: ${count(of.trainableGroups)} to train, ${count(of.filteredGroups)} filtered`,
    `from the pool ${count(of.injections)}`,
  ],
});

const trainer = ({
  trainer: { keptSteps, imitatedShare, personTransferShare = 0, ...of },
}: RunState): ModuleRow => ({
  name: 'trainer',
  share: of.utilisation,
  parts: [
    `version ${count(of.version)}`,
    `${decimal(of.updatesPerSecond)} updates/s`,
    plural(of.updates, 'update'),
    ...(imitatedShare === undefined ? [] : [`${percent(imitatedShare)} of rows imitated`]),
    ...(personTransferShare === 0
      ? []
      : [`${percent(personTransferShare)} of lessons transferred from people`]),
    ...(keptSteps === undefined ? [] : [`${percent(keptSteps)} of steps kept`]),
  ],
});
