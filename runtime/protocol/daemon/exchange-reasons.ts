// The reasons of an import or an export report as lines of text: reasons of one kind are one line with their number. Pure.

import type { ExportReport, ImportReport } from './exchange.ts';

interface Reason {
  readonly name: string;
  readonly why: string;
}

/** In the order in which they were found: what is missing, why it cannot train, what was skipped. */
export function importReasons({ trajectories, skipped }: Pick<ImportReport, 'trajectories' | 'skipped'>) {
  return {
    incomplete: reasonLines(
      'Incomplete',
      trajectories.flatMap(({ file, notes }) => notes.map(why => ({ name: file, why }))),
    ),
    untrained: reasonLines(
      'Not for training',
      trajectories.flatMap(({ trajectory, task, untrained }) =>
        untrained === undefined ? [] : [{ name: `${trajectory} (task '${task}')`, why: untrained }],
      ),
    ),
    skipped: reasonLines(
      'Skipped',
      skipped.map(({ file, why }) => ({ name: file, why })),
    ),
  };
}

export const exportReasons = ({ skipped }: Pick<ExportReport, 'skipped'>): readonly string[] =>
  reasonLines(
    'Skipped',
    skipped.map(({ trajectory, why }) => ({ name: trajectory, why })),
  );

/** Each line has the first reason of its kind. */
function reasonLines(title: string, all: readonly Reason[]): readonly string[] {
  const kinds = new Map<string, Reason[]>();
  for (const reason of all) {
    const kind = kindOf(reason.why);
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, [reason]);
    else known.push(reason);
  }
  return [...kinds.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { name, why } = first;
    if (others.length === 0) return `${title}: ${name}. ${why}`;
    const isEqual = others.every(other => other.why === why);
    const more = `${others.length.toLocaleString('en')} ${isEqual ? 'more' : others.length === 1 ? 'similar one' : 'similar ones'}`;
    return `${title}: ${name} and ${more}. ${why}`;
  });
}

/** A reason without its values: the seed of an instance, a score, the name of a picture. */
const kindOf = (why: string): string => why.replaceAll(/'[^']*'|\d+(\.\d+)?/g, '…');
