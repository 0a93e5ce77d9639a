import { expect, test } from 'vitest';
import type { DesktopView } from '../../../runtime/protocol/daemon/desktops.ts';
import {
  beside,
  NOTHING_WATCHED,
  stepWords,
  summed,
  titleOf,
  withLooked,
} from '../../../webview/desktops/state.ts';

const view = (desktop: string, use: DesktopView['use'] = 'playing', steps?: number): DesktopView => ({
  ...{ desktop, at: 1, use },
  ...(steps !== undefined && { doing: { task: 'task', instruction: 'Do it.', steps, mostSteps: 9 } }),
});

const looked = (run: string, ...views: readonly DesktopView[]) => ({ run, after: 5, views: [...views] });

test('desktops stand in the order of their numbers, and the newest view of each counts', () => {
  const first = withLooked(NOTHING_WATCHED, looked('run', view('d10'), view('d2'), view('d0')));
  const { known, after } = withLooked(first, looked('run', view('d2', 'broken')));
  expect([...known.keys()]).toEqual(['d0', 'd2', 'd10']);
  expect(known.get('d2')?.use).toBe('broken');
  expect(after).toBe(5);
});

test('what was known of another run is forgotten', () => {
  const first = withLooked(NOTHING_WATCHED, looked('run', view('d0'), view('d1')));
  expect([...withLooked(first, looked('other', view('d1'))).known.keys()]).toEqual(['d1']);
});

test('one goes from desktop to desktop, and not beyond the ends', () => {
  const { known } = withLooked(NOTHING_WATCHED, looked('run', view('d0'), view('d1')));
  expect([beside(known, 'd0', 1), beside(known, 'd0', -1), beside(known, 'd1', 1)]).toEqual([
    'd1',
    undefined,
    undefined,
  ]);
  expect(beside(known, 'd7', 1)).toBeUndefined();
});

test('they are counted and named as people do', () => {
  const all = [view('d0'), view('d1', 'idle'), view('d2')];
  expect(summed(withLooked(NOTHING_WATCHED, looked('run', ...all)).known)).toBe('2 playing · 1 idle');
  expect(titleOf('d0')).toBe('Desktop 1');
  expect([view('d0'), view('d0', 'idle', 0), view('d0', 'playing', 3)].map(stepWords)).toEqual([
    '',
    'at the start',
    'step 3 of at most 9',
  ]);
});
