// The lines about hosts between two states of a run.

import { expect, test } from 'vitest';
import { hostLines } from '../../../runtime/cli/terminal/host-lines.ts';
import type { HostState } from '../../../runtime/protocol/daemon/hosts.ts';
import type { RunState } from '../../../runtime/protocol/daemon/state.ts';

const host = (name: string, changes: Partial<HostState> = {}): HostState => ({
  ...{ name, status: 'playing', isLocal: false, desktops: 8, playing: 8, workers: 1 },
  ...{ steps: 0, stepsPerS: 0, version: '1', sinceMs: 10, seenMs: 10 },
  ...changes,
});

const LOCAL = host('local', { isLocal: true });
const TOWER = host('tower');
const LOST = host('tower', { status: 'lost' });

function lines(before: readonly HostState[] | undefined, now: readonly HostState[], status = 'running') {
  return hostLines(before && { hosts: [...before] }, {
    hosts: [...now],
    status: status as RunState['status'],
  });
}

test.each([
  ['joins', [LOCAL], [LOCAL, TOWER], ['host tower joined, with 8 desktops']],
  ['is there in the first state', undefined, [LOCAL, TOWER], ['host tower joined, with 8 desktops']],
  ['has one desktop', [], [host('box', { desktops: 1 })], ['host box joined, with 1 desktop']],
  ['leaves', [LOCAL, TOWER], [LOCAL], ['host tower left, with 8 desktops']],
  [
    'finishes its episodes and leaves',
    [host('tower', { status: 'draining' })],
    [],
    ['host tower left, with 8 desktops'],
  ],
  ['is lost', [TOWER], [LOST], ['host tower is lost, with 8 desktops: it sends no reports']],
  ['reports again', [LOST], [TOWER], ['host tower is back, with 8 desktops']],
  [
    'left and joined again between two states',
    [TOWER],
    [host('tower', { sinceMs: 20, desktops: 4 })],
    ['host tower left, with 8 desktops', 'host tower joined, with 4 desktops'],
  ],
])('a host that %s', (_name, before, now, expected) => {
  expect(lines(before, now)).toEqual(expected);
});

test.each([
  ['goes on', [LOCAL, TOWER], [LOCAL, TOWER]],
  ['begins to drain', [TOWER], [host('tower', { status: 'draining' })]],
  ['stays lost', [LOST], [LOST]],
  ['was lost and is listed no more', [LOST], []],
  ['is the machine of the daemon', [LOCAL], []],
])('a host that %s has no line', (_name, before, now) => {
  expect(lines(before, now)).toEqual([]);
});

test('the end of a run has no lines of its hosts', () => {
  expect(lines([TOWER], [], 'ended')).toEqual([]);
});

test('a run on one machine has none', () => {
  expect(hostLines(undefined, { status: 'running' })).toEqual([]);
});
