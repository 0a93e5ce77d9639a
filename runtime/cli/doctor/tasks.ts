// `dartboard doctor --tasks FOLDER`: how many task files can run on guests and be judged, and why the others cannot.

import type { Task } from '../../core/task.ts';
import type { OsworldFile } from '../../environments/osworld/suite.ts';
import { faint, plain, type StyledLine, strong } from '../terminal/line.ts';

/** The most common reasons first. */
export function taskReport(folder: string, tasks: readonly OsworldFile[]): readonly StyledLine[] {
  const ready = tasks.filter(isReady).length;
  if (tasks.length === 0) return [[plain(`${folder} has no task files (*.json).`)]];
  const files = new Map<string, string[]>();
  for (const task of tasks)
    for (const reason of reasonsOf(task)) files.set(reason, [...(files.get(reason) ?? []), task.file]);
  const reasons = [...files].sort(([, a], [, b]) => b.length - a.length);
  return [
    [strong(`${ready} of ${tasks.length} tasks`), plain(` in ${folder} can run on guests and be judged.`)],
    ...(reasons.length === 0 ? [] : [[], [faint('What the others need:')]]),
    ...reasons.flatMap(([reason, [first = '', ...others]]) => [
      [strong(String(others.length + 1).padStart(4)), plain(`  ${reason}`)],
      [faint(`      ${first}${others.length === 0 ? '' : ` and ${others.length} more`}`)],
    ]),
  ];
}

export function taskReportJson(tasks: readonly OsworldFile[]): string {
  const others = tasks.filter(each => !isReady(each));
  return JSON.stringify({
    tasks: tasks.length,
    ready: tasks.length - others.length,
    missing: others.map(each => ({ file: each.file, missing: reasonsOf(each) })),
  });
}

const isReady = (task: OsworldFile): boolean => reasonsOf(task).length === 0;

/** Why a file cannot run on guests. A task of another kind of desktops lacks nothing. */
function reasonsOf({ task, missing }: OsworldFile): readonly string[] {
  const kind = task && otherKindOf(task);
  if (kind === undefined) return missing;
  return [`desktops of the kind '${kind}'; a run on them reads the file at its start`];
}

/** By its set-up steps: the step 'open' of web desktops opens a URL, that of OSWorld a file. */
function otherKindOf({ config = [] }: Task): 'pocket' | 'web' | undefined {
  if (config.some(({ type }) => type.startsWith('pocket_'))) return 'pocket';
  const isWeb = config.some(({ type, parameters = {} }) => type === 'open' && 'url' in parameters);
  return isWeb ? 'web' : undefined;
}
