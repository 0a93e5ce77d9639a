// The folders below the task files whose pages a web task serves.

import type { Task } from '../../core/task.ts';

export const servedFolders = ({
  config = [],
  evaluator,
}: Pick<Task, 'config' | 'evaluator'>): readonly string[] =>
  [...config, ...(evaluator.postconfig ?? [])]
    .filter(({ type }) => type === 'serve')
    .map(({ parameters }) => parameters?.['folder'])
    .filter(folder => typeof folder === 'string');
