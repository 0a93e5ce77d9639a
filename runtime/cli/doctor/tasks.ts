// `dartboard doctor --tasks FOLDER`: how many task files can run and be judged, and why the others cannot.

import type { OsworldFile } from '../../environments/osworld/suite.ts';
import { faint, plain, type StyledLine, strong } from '../terminal/line.ts';

/** The most common reasons first. */
export function taskReport(folder: string, tasks: readonly OsworldFile[]): readonly StyledLine[] {
  const ready = tasks.filter(isReady).length;
  if (tasks.length === 0) return [[plain(`${folder} has no task files (*.json).`)]];
  const files = new Map<string, string[]>();
  for (const { file, missing } of tasks)
    for (const reason of missing) files.set(reason, [...(files.get(reason) ?? []), file]);
  const reasons = [...files].sort(([, a], [, b]) => b.length - a.length);
  return [
    [strong(`${ready} of ${tasks.length} tasks`), plain(` in ${folder} can run and be judged.`)],
    ...(reasons.length === 0 ? [] : [[], [faint('What the others need:')]]),
    ...reasons.flatMap(([reason, [first = '', ...others]]) => [
      [strong(String(others.length + 1).padStart(4)), plain(`  ${reason}`)],
      [faint(`      ${first}${others.length === 0 ? '' : ` and ${others.length} more`}`)],
    ]),
  ];
}

export const taskReportJson = (tasks: readonly OsworldFile[]): string =>
  JSON.stringify({
    tasks: tasks.length,
    ready: tasks.filter(isReady).length,
    missing: tasks.filter(each => !isReady(each)).map(({ file, missing }) => ({ file, missing })),
  });

const isReady = ({ missing }: OsworldFile): boolean => missing.length === 0;
