import { expect, test } from 'vitest';
import type { DesktopView } from '../../../runtime/protocol/daemon/desktops.ts';
import { desktopTitle } from '../../../runtime/protocol/desktop-title.ts';
import {
  NO_DESKTOPS,
  neighbourOf,
  stepLabel,
  summaryOf,
  withUpdate,
} from '../../../webview/desktops/state.ts';

const view = (desktop: string, use: DesktopView['use'] = 'playing', steps?: number): DesktopView => ({
  ...{ desktop, at: 1, use },
  ...(steps !== undefined && { doing: { task: 'task', instruction: 'Do it.', steps, mostSteps: 9 } }),
});

const looked = (run: string, ...views: readonly DesktopView[]) => ({ run, after: 5, views: [...views] });

test('desktops are sorted by number, and have their newest view', () => {
  const first = withUpdate(NO_DESKTOPS, looked('run', view('d10'), view('d2'), view('d0')));
  const { views, after } = withUpdate(first, looked('run', view('d2', 'broken')));
  expect([...views.keys()]).toEqual(['d0', 'd2', 'd10']);
  expect(views.get('d2')?.use).toBe('broken');
  expect(after).toBe(5);
});

test('desktops of another run are dropped', () => {
  const first = withUpdate(NO_DESKTOPS, looked('run', view('d0'), view('d1')));
  expect([...withUpdate(first, looked('other', view('d1'))).views.keys()]).toEqual(['d1']);
});

test('neighbours end at the first and last desktop', () => {
  const { views } = withUpdate(NO_DESKTOPS, looked('run', view('d0'), view('d1')));
  expect([neighbourOf(views, 'd0', 1), neighbourOf(views, 'd0', -1), neighbourOf(views, 'd1', 1)]).toEqual([
    'd1',
    undefined,
    undefined,
  ]);
  expect(neighbourOf(views, 'd7', 1)).toBeUndefined();
});

test('titles count from 1, and uses are counted', () => {
  const all = [view('d0'), view('d1', 'idle'), view('d2')];
  expect(summaryOf(withUpdate(NO_DESKTOPS, looked('run', ...all)).views)).toBe('2 playing · 1 idle');
  const held = withUpdate(NO_DESKTOPS, looked('run', ...all, view('d3', 'held')));
  expect(summaryOf(held.views)).toBe('2 playing · 1 held by a person · 1 idle');
  expect(desktopTitle('d0')).toBe('Desktop 1');
  expect([view('d0'), view('d0', 'idle', 0), view('d0', 'playing', 3)].map(stepLabel)).toEqual([
    '',
    'at the start',
    'step 3 of max. 9',
  ]);
});
