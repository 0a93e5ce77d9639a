// The questions of `Dartboard: Import Trajectories…` and `Dartboard: Export Trajectories…`, and their results as text. Pure.

import {
  EXPORT_FORMATS,
  type ExportFormat,
  type ExportReport,
  FORMAT_TITLES,
  type ImportReport,
} from '../../runtime/protocol/daemon/exchange.ts';
import { exportReasons, importReasons } from '../../runtime/protocol/daemon/exchange-reasons.ts';
import type { DaemonParams } from '../../runtime/protocol/daemon/messages.ts';
import type { CommandTarget } from '../command-table.ts';

type ExportParams = DaemonParams<'trajectories.export'>;
/** The trajectories to export. */
export type ExportScope = Pick<ExportParams, 'runs' | 'trajectories' | 'only'>;

interface Choice<T> {
  readonly label: string;
  readonly detail: string;
  readonly answer: T;
}

const DETAILS: Readonly<Record<ExportFormat, string>> = {
  osworld: 'Folders with traj.jsonl, result.txt and screenshots. Holds every action.',
  dart: 'final_messages.json in the grammar of UI-TARS, with pictures.',
  agentnet: 'One JSON line for each trajectory, with pyautogui code.',
  trl: 'Messages and images for fine-tuning with TRL.',
  'llama-factory': 'Messages and images for fine-tuning with LLaMA-Factory.',
};

export const FORMAT_CHOICES: readonly Choice<ExportFormat>[] = EXPORT_FORMATS.map(format => ({
  label: FORMAT_TITLES[format],
  detail: DETAILS[format],
  answer: format,
}));

export const SOURCE_CHOICES: readonly Choice<{ canSelectFolders: boolean; canSelectFiles: boolean }>[] = [
  {
    label: 'A folder',
    detail: 'Results of OSWorld, or trajectories of DART or AgentNet.',
    answer: { canSelectFolders: true, canSelectFiles: false },
  },
  {
    label: 'A file or archive',
    detail: 'One .json or .jsonl file, or a .zip archive.',
    answer: { canSelectFolders: false, canSelectFiles: true },
  },
];

/** On a trajectory or a run there is less to choose. */
export function scopeChoices({ run, trajectory }: CommandTarget): readonly Choice<ExportScope>[] {
  if (trajectory !== undefined)
    return [{ label: 'This trajectory', detail: trajectory, answer: { trajectories: [trajectory] } }];
  const runs = run === undefined ? {} : { runs: [run] };
  const where = run === undefined ? 'of this folder' : `of the run '${run}'`;
  return [
    {
      label: 'Successes',
      detail: `All successful trajectories ${where}.`,
      answer: { ...runs, only: 'successes' },
    },
    { label: 'All', detail: `All trajectories ${where}, also failures.`, answer: runs },
  ];
}

/** Which steps of each trajectory. Results of OSWorld always have all, so there is no choice. */
export const stepChoices = (format: ExportFormat): readonly Choice<Pick<ExportParams, 'whole'>>[] => [
  ...(format === 'osworld'
    ? []
    : [{ label: 'Part to learn from', detail: 'Without the steps that a trim leaves out.', answer: {} }]),
  { label: 'All steps', detail: 'Also the steps that a trim leaves out.', answer: { whole: true } },
];

export interface ExchangeResult {
  readonly text: string;
  /** Reasons for the log. */
  readonly details: readonly string[];
  /** Whether something was left out. */
  readonly isIncomplete: boolean;
}

export function importResult(report: ImportReport): ExchangeResult {
  const { source, counts, trajectories } = report;
  const { stored, known } = counts;
  const reasons = importReasons(report);
  const untrained = trajectories.filter(each => each.untrained !== undefined);
  return {
    text: [
      `${many(stored, 'trajectory', 'trajectories')} imported from '${source}'.`,
      ...(known > 0 ? [`${known} were imported before.`] : []),
      ...(counts.skipped > 0
        ? [`${many(counts.skipped, 'file', 'files')} skipped: the log has the reasons.`]
        : []),
      ...(untrained.length > 0 ? [`${untrained.length} cannot train here: the log has the reasons.`] : []),
    ].join(' '),
    details: [...reasons.skipped, ...reasons.incomplete, ...reasons.untrained],
    isIncomplete: counts.skipped > 0,
  };
}

export function exportResult(report: ExportReport): ExchangeResult {
  const { format, folder, counts } = report;
  const { trajectories, trimmed, examples } = counts;
  return {
    text: [
      `${many(trajectories, 'trajectory', 'trajectories')} exported to '${folder}' as ${FORMAT_TITLES[format]}${examples > 0 ? `, ${many(examples, 'example', 'examples')}` : ''}.`,
      ...(trimmed > 0
        ? [`${trimmed} of them ${trimmed === 1 ? 'has' : 'have'} only the part to learn from.`]
        : []),
      ...(counts.skipped > 0 ? [`${counts.skipped} skipped: the log has the reasons.`] : []),
    ].join(' '),
    details: exportReasons(report),
    isIncomplete: counts.skipped > 0,
  };
}

const many = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`;
