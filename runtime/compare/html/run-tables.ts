// The tables of a report about its runs: what they are, and in which settings their arms differ. Pure.

import { duration } from '../../run/number-format.ts';
import type { RunRow, RunsComparison } from '../comparison.ts';
import { formatCount, formatInterval, formatRate } from '../numbers.ts';
import { distinctTable, UNKNOWN } from './distinct-columns.ts';
import { el, type Markup, type MarkupChild, nameMarkup, table } from './markup.ts';

export function runTable({ runs }: RunsComparison): readonly Markup[] {
  const columns = [
    'Run',
    ...['Status', 'Agent', 'Desktops', 'Preset', 'Observation', 'Seed', 'Tasks'],
    ...['Trained', 'Steps', 'Updates', 'Episodes', 'Cost', 'Solved, last', 'Solved, best'],
  ].map((title, index) => ({ title, isNumber: index > 6 }));
  return distinctTable(
    'The runs',
    columns,
    runs.map(row => ({ cells: cellsOf(row) })),
  );
}

function cellsOf(row: RunRow): readonly MarkupChild[] {
  const { arm, name, kind, status, message, success, best } = row;
  return [
    [
      el('b', {}, arm),
      ' ',
      nameMarkup(name),
      kind === 'evaluation' ? el('span', { class: 'faint' }, ' evaluation') : '',
    ],
    message === undefined ? status : [status, el('span', { class: 'faint' }, ` ${message}`)],
    nameMarkup(row.agent),
    row.desktops ?? UNKNOWN,
    [row.preset ?? UNKNOWN, row.from === undefined ? '' : ' from a checkpoint'],
    row.mode ?? UNKNOWN,
    row.seed === undefined ? UNKNOWN : nameMarkup(row.seed),
    count(row.tasks),
    trainedText(row),
    count(row.steps),
    count(row.updates),
    count(row.episodes),
    costText(row.cost),
    success === undefined ? UNKNOWN : formatInterval(success),
    best === undefined ? UNKNOWN : formatRate(best),
  ];
}

/** '12 min of 40 min', if it did not train its planned time. */
function trainedText({ seconds, plannedSeconds }: RunRow): string {
  if (seconds === undefined) return UNKNOWN;
  return plannedSeconds === undefined || seconds >= plannedSeconds - 1
    ? duration(seconds)
    : `${duration(seconds)} of ${duration(plannedSeconds)}`;
}

const count = (value: number | undefined): string => (value === undefined ? UNKNOWN : formatCount(value));

/** '12.40, 1,200,000 tokens, 3.2 h of hardware' */
function costText(cost: RunRow['cost']): string {
  if (cost === undefined) return UNKNOWN;
  const parts = [
    ...(cost.money === undefined ? [] : [cost.money.toFixed(2)]),
    ...(cost.tokens === undefined ? [] : [`${formatCount(cost.tokens)} tokens`]),
    ...(cost.hardwareSeconds === undefined
      ? []
      : [`${(cost.hardwareSeconds / 3600).toFixed(1)} h of hardware`]),
  ];
  return parts.length === 0 ? UNKNOWN : parts.join(', ');
}

/** One row per program that trained a run. */
export function programTable({ runs }: RunsComparison): readonly Markup[] {
  const columns = ['Run', 'Dartboard', 'Node', 'Packages', 'System', 'Processor'].map(title => ({ title }));
  const rows = runs
    .filter(({ kind }) => kind === 'run')
    .flatMap(({ arm, name, programs }) => {
      const head = [el('b', {}, arm), ' ', nameMarkup(name)];
      if (programs.length === 0)
        return [{ cells: [head, 'not recorded', UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN] }];
      return programs.map(({ dartboard, node, packages, system, processor, cores }) => ({
        cells: [
          head,
          dartboard,
          node,
          Object.entries(packages)
            .map(([each, version]) => `${each} ${version}`)
            .join(', '),
          system,
          `${processor}, ${cores} ${cores === 1 ? 'core' : 'cores'}`,
        ],
      }));
    });
  return distinctTable('Versions of the programs', columns, rows);
}

export function settingsTable({ settings, arms }: RunsComparison): Markup {
  const columns = [{ title: 'Setting' }, ...arms.map(({ letter }) => ({ title: letter }))];
  const rows = settings.map(({ path, values }) => ({
    cells: [
      el('code', {}, path),
      ...values.map(value => (value === undefined ? UNKNOWN : el('code', {}, value))),
    ],
  }));
  return table('Settings that differ', columns, rows);
}
