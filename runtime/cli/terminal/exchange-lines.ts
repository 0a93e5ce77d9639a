// The report of an import or an export as lines of text. Pure.

import { type ExportReport, FORMAT_TITLES, type ImportReport } from '../../protocol/daemon/exchange.ts';
import { exportReasons, importReasons } from '../../protocol/daemon/exchange-reasons.ts';
import { count, plural } from '../../run/number-format.ts';

/** This many lines of reasons are printed. */
const MAX_REASONS = 20;

export function importLines(report: ImportReport): readonly string[] {
  const { source, counts, trajectories, isOffline = false, skipped } = report;
  const { stored, known, steps, unreadable } = counts;
  const trainable = trajectories.filter(({ untrained }) => untrained === undefined).length;
  const reasons = importReasons(report);
  return [
    `${plural(stored, 'trajectory', 'trajectories')} imported from ${source}${known > 0 ? `, ${count(known)} were imported before` : ''}.`,
    ...(trajectories.length > 0 ? [`They have ${plural(steps, 'step')}.`] : []),
    ...(unreadable > 0
      ? [
          `${plural(unreadable, 'step has', 'steps have')} no action that Dartboard can perform: the reply is kept as text.`,
        ]
      : []),
    ...cut(reasons.incomplete),
    ...cut(reasons.untrained),
    ...(trainable > 0
      ? [
          `${trainable === trajectories.length ? 'They' : 'The others'} train ${isOffline ? "where 'environments.kind' is 'offline', as here" : 'once they are in the success pool: accept them in the panel Annotate'}.`,
        ]
      : []),
    ...cut(reasons.skipped),
    ...(counts.skipped > skipped.length
      ? [`${count(counts.skipped - skipped.length)} more files were skipped.`]
      : []),
  ];
}

export function exportLines(report: ExportReport): readonly string[] {
  const { format, folder, counts, skipped } = report;
  const { trajectories, trimmed, examples } = counts;
  return [
    `${plural(trajectories, 'trajectory', 'trajectories')} exported to ${folder} as ${FORMAT_TITLES[format]}${examples > 0 ? `: ${plural(examples, 'example')}` : ''}.`,
    ...(trimmed > 0
      ? [
          `${count(trimmed)} of them ${trimmed === 1 ? 'has' : 'have'} only the part to learn from: --whole exports all steps.`,
        ]
      : []),
    ...cut(exportReasons(report)),
    ...(counts.skipped > skipped.length
      ? [`${count(counts.skipped - skipped.length)} more trajectories were skipped.`]
      : []),
  ];
}

const cut = (lines: readonly string[]): readonly string[] =>
  lines.length <= MAX_REASONS
    ? lines
    : [
        ...lines.slice(0, MAX_REASONS),
        `${count(lines.length - MAX_REASONS)} more reasons: --json prints all.`,
      ];
