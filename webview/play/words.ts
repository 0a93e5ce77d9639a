// How tasks and what belongs to them are called on the page. Pure.

import type { TaskSplit } from '../../runtime/protocol/play.ts';

const capital = (text: string): string => (text[0]?.toUpperCase() ?? '') + text.slice(1);

export const appsInWords = (apps: readonly string[]): string => apps.map(capital).join(', ');

export const splitInWords = (split: TaskSplit): string =>
  ({ train: 'training', test: 'test', unseen: 'unseen kind' })[split];

/** 'settings-night-light' in Settings is 'Night light'. */
export function titleOf(id: string, apps: readonly string[]): string {
  const app = ['across', ...apps].find(each => id.startsWith(`${each}-`));
  const rest = app === undefined ? id : id.slice(app.length + 1);
  // The name of such a task would give its answer away.
  if (/infeasible|impossible/.test(rest)) return 'Another wish';
  return capital(rest.replaceAll('-', ' '));
}
