// Labels of tasks. Pure.

import type { PlaySplit } from '../../runtime/protocol/play.ts';
import { capitalize } from '../shared/labels.ts';

export const appsLabel = (apps: readonly string[]): string => apps.map(capitalize).join(', ');

export const splitName = (split: PlaySplit): string =>
  ({ train: 'training', test: 'test', unseen: 'unseen kind' })[split];

/** 'settings-night-light' in Settings becomes 'Night light'. */
export function taskTitle(id: string, apps: readonly string[]): string {
  const app = ['across', ...apps].find(each => id.startsWith(`${each}-`));
  const rest = app === undefined ? id : id.slice(app.length + 1);
  // The name of an infeasible task would reveal its answer.
  if (/infeasible|impossible/.test(rest)) return 'Another request';
  return capitalize(rest.replaceAll('-', ' '));
}
