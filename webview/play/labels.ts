// Labels of tasks. Pure.

import type { TaskSplit } from '../../runtime/protocol/play.ts';

const capital = (text: string): string => (text[0]?.toUpperCase() ?? '') + text.slice(1);

export const appsLabel = (apps: readonly string[]): string => apps.map(capital).join(', ');

export const splitName = (split: TaskSplit): string =>
  ({ train: 'training', test: 'test', unseen: 'unseen kind' })[split];

/** 'settings-night-light' in Settings becomes 'Night light'. */
export function taskTitle(id: string, apps: readonly string[]): string {
  const app = ['across', ...apps].find(each => id.startsWith(`${each}-`));
  const rest = app === undefined ? id : id.slice(app.length + 1);
  // The name of an infeasible task would reveal its answer.
  if (/infeasible|impossible/.test(rest)) return 'Another request';
  return capital(rest.replaceAll('-', ' '));
}
