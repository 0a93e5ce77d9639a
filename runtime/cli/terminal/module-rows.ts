// The four modules of a run as rows: how busy each is, and its numbers, the ones that matter most first. Pure.

import { isOver, type RunState } from '../../protocol/daemon/state.ts';
import { count, decimal, percent } from '../../run/number-format.ts';
import { faint, filled, type Line, type Piece, plain } from './line.ts';

interface Row {
  readonly name: string;
  /** Of its time, busy. The data manager has no such number: it only decides. */
  readonly share?: number;
  readonly parts: readonly string[];
}

/** How many lines a row may take, at most. */
export interface Lines {
  readonly data: number;
  readonly others: number;
}

/** The column of names, with the space behind it. */
export const NAME = 14;
const BAR = 10;
/** A bar is drawn from this width on. */
const BARS_FROM = 66;

export function moduleRows(state: RunState, width: number, lines: Lines): readonly Line[] {
  return [
    ...rowLines(environments(state), width, lines.others),
    ...rowLines(rollout(state), width, lines.others),
    ...rowLines(data(state), width, lines.data),
    ...rowLines(trainer(state), width, lines.others),
  ];
}

function rowLines({ name, share, parts }: Row, width: number, most: number): readonly Line[] {
  const head: readonly Piece[] = [
    faint(name.padEnd(NAME)),
    ...(share === undefined || width < BARS_FROM ? [] : [...filled(share, BAR), plain('  ')]),
    ...(share === undefined ? [] : [plain(`${percent(share).padStart(5)}   `)]),
  ];
  const taken = head.reduce((sum, { text }) => sum + [...text].length, 0);
  return flowed(parts, Math.max(1, width - taken), most).map((text, index) => [
    ...(index === 0 ? head : [plain(' '.repeat(taken))]),
    plain(text),
  ]);
}

const BETWEEN = ' · ';

/** One after another in as few lines as there is room for; what does not fit is left out. There is always a first line. */
function flowed(parts: readonly string[], width: number, most: number): readonly string[] {
  const [first = '', ...rest] = parts;
  const lines = [first];
  for (const part of rest) {
    const longer = `${lines.at(-1)}${BETWEEN}${part}`;
    if (longer.length <= width) lines[lines.length - 1] = longer;
    else if (lines.length < most) lines.push(part);
    else break;
  }
  return lines;
}

const environments = ({ environments: { desktops, broken, occupancy, stepping } }: RunState): Row => ({
  name: 'environments',
  share: occupancy,
  parts: [
    counted(desktops, 'desktop'),
    ...(broken > 0 ? [`${count(broken)} broken`] : []),
    `stepping ${percent(stepping)}`,
  ],
});

const rollout = ({ rollout: of }: RunState): Row => ({
  name: 'rollout',
  share: of.utilisation,
  parts: [
    counted(of.workers, 'worker'),
    `${decimal(of.episodesPerSecond)} episodes/s`,
    `${decimal(of.stepsPerSecond)} steps/s`,
    counted(of.episodes, 'episode'),
    counted(of.steps, 'step'),
  ],
});

const data = ({ status, data: { books, queues, staleness, ...of } }: RunState): Row => ({
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

const trainer = ({ trainer: { keptSteps, ...of } }: RunState): Row => ({
  name: 'trainer',
  share: of.utilisation,
  parts: [
    `version ${count(of.version)}`,
    `${decimal(of.updatesPerSecond)} updates/s`,
    counted(of.updates, 'update'),
    ...(keptSteps === undefined ? [] : [`${percent(keptSteps)} of steps kept`]),
  ],
});

const counted = (number: number, thing: string): string =>
  `${count(number)} ${thing}${number === 1 ? '' : 's'}`;
