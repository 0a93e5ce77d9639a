import { describe, expect, test } from 'vitest';
import type { DesktopView } from '../../../runtime/protocol/daemon/desktops.ts';
import { desktopHost, desktopTitle } from '../../../runtime/protocol/desktop-title.ts';
import {
  desktopsByHost,
  NO_DESKTOPS,
  neighbourOf,
  stepLabel,
  summaryOf,
  withUpdate,
} from '../../../webview/desktops/state.ts';
import { hostsAfter } from '../../server/hosts-state.ts';

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

describe('with several hosts', () => {
  const hosts = [...hostsAfter(600)];
  const all = [
    view('tower-d1'),
    view('basement-d0'),
    view('d1'),
    view('tower-d0'),
    view('laptop-2-d0'),
    view('d0'),
  ];
  const watched = withUpdate(NO_DESKTOPS, { ...looked('run', ...all), hosts });

  test('desktops are sorted by host, and each host has its own', () => {
    const order = ['d0', 'd1', 'tower-d0', 'tower-d1', 'laptop-2-d0', 'basement-d0'];
    expect([...watched.views.keys()]).toEqual(order);
    expect(desktopsByHost(watched).map(({ host, desktops }) => [host?.name, desktops])).toEqual([
      ['local', ['d0', 'd1']],
      ['tower', ['tower-d0', 'tower-d1']],
      ['laptop-2', ['laptop-2-d0']],
      ['basement', ['basement-d0']],
    ]);
    expect(neighbourOf(watched.views, 'd1', 1)).toBe('tower-d0');
  });

  test('desktops of a host that has left are dropped', () => {
    const left = { ...looked('run'), hosts: hosts.filter(({ name }) => name !== 'tower') };
    expect([...withUpdate(watched, left).views.keys()]).toEqual(['d0', 'd1', 'laptop-2-d0', 'basement-d0']);
    expect(desktopsByHost(withUpdate(watched, left)).map(({ host }) => host?.name)).not.toContain('tower');
  });

  test('desktops of a local host that has not reported come first, without a host', () => {
    const others = { ...looked('run'), hosts: hosts.filter(({ isLocal }) => !isLocal) };
    const [first, second] = desktopsByHost(withUpdate(watched, others));
    expect(first).toEqual({ host: undefined, desktops: ['d0', 'd1'] });
    expect(second?.host?.name).toBe('tower');
  });

  test('the title of a desktop names its host, unless it is the machine of the daemon', () => {
    expect(['d0', 'tower-d1', 'laptop-2-d0', 'a-d1-d2'].map(desktopHost)).toEqual([
      undefined,
      'tower',
      'laptop-2',
      'a-d1',
    ]);
    expect(desktopTitle('tower-d1')).toBe('Desktop 2 of tower');
  });
});

test('a run on one machine has one group of desktops', () => {
  const { views } = withUpdate(NO_DESKTOPS, looked('run', view('d1'), view('d0')));
  expect(desktopsByHost({ ...NO_DESKTOPS, views })).toEqual([{ host: undefined, desktops: ['d0', 'd1'] }]);
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
