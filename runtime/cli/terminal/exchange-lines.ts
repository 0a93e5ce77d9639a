// The report of an import or an export as lines of text. Pure.

import { type ExportReport, FORMAT_TITLES, type ImportReport } from '../../protocol/daemon/exchange.ts';
import { count } from '../../run/number-format.ts';

/** Files with the same reason are one line with their number; this many reasons are printed. */
const MAX_REASONS = 20;

export function importLines({ source, counts, trajectories, skipped }: ImportReport): readonly string[] {
  const { stored, known, steps, unreadable } = counts;
  const trainable = trajectories.filter(({ untrained }) => untrained === undefined).length;
  return [
    `${many(stored, 'trajectory', 'trajectories')} imported from ${source}${known > 0 ? `, ${count(known)} were imported before` : ''}.`,
    ...(trajectories.length > 0 ? [`They have ${many(steps, 'step', 'steps')}.`] : []),
    ...(unreadable > 0
      ? [
          `${many(unreadable, 'step has', 'steps have')} no action that Dartboard can perform: the reply is kept as text.`,
        ]
      : []),
    ...reasons(
      trajectories.flatMap(({ file, notes }) => notes.map(why => ({ name: file, why }))),
      'Incomplete',
    ),
    ...reasons(
      trajectories.flatMap(({ trajectory, task, untrained }) =>
        untrained === undefined ? [] : [{ name: `${trajectory} (task '${task}')`, why: untrained }],
      ),
      'Not for training',
    ),
    ...(trainable > 0
      ? [
          `${trainable === trajectories.length ? 'They' : 'The others'} train once they are in the success pool: accept them in the panel Annotate.`,
        ]
      : []),
    ...reasons(
      skipped.map(({ file, why }) => ({ name: file, why })),
      'Skipped',
    ),
    ...(counts.skipped > skipped.length
      ? [`${count(counts.skipped - skipped.length)} more files were skipped.`]
      : []),
  ];
}

export function exportLines({ format, folder, counts, skipped }: ExportReport): readonly string[] {
  const { trajectories, examples } = counts;
  return [
    `${many(trajectories, 'trajectory', 'trajectories')} exported to ${folder} as ${FORMAT_TITLES[format]}${examples > 0 ? `: ${many(examples, 'example', 'examples')}` : ''}.`,
    ...reasons(
      skipped.map(({ trajectory, why }) => ({ name: trajectory, why })),
      'Skipped',
    ),
    ...(counts.skipped > skipped.length
      ? [`${count(counts.skipped - skipped.length)} more trajectories were skipped.`]
      : []),
  ];
}

interface Reason {
  readonly name: string;
  readonly why: string;
}

function reasons(all: readonly Reason[], title: string): readonly string[] {
  const names = new Map<string, string[]>();
  for (const { name, why } of all) names.set(why, [...(names.get(why) ?? []), name]);
  const lines = [...names].map(([why, [first = '', ...others]]) =>
    others.length === 0
      ? `${title}: ${first}. ${why}`
      : `${title}: ${first} and ${count(others.length)} more. ${why}`,
  );
  return lines.length <= MAX_REASONS
    ? lines
    : [
        ...lines.slice(0, MAX_REASONS),
        `${count(lines.length - MAX_REASONS)} more reasons: --json prints all.`,
      ];
}

const many = (number: number, one: string, several: string): string =>
  `${count(number)} ${number === 1 ? one : several}`;
