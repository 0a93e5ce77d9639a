// The traces of faults in the state of a run.

import { expect, test } from 'vitest';
import { CLOCK_AHEAD_MS, isVisible, playingAs } from '../../../runtime/bench/hosts/visible.ts';
import type { HostState } from '../../../runtime/protocol/daemon/hosts.ts';

const host = (name: string, changes: Partial<HostState> = {}): HostState => ({
  ...{ name, status: 'playing', isLocal: false, desktops: 8, playing: 8, workers: 1, steps: 0, stepsPerS: 0 },
  ...{ version: '1', sinceMs: 0, seenMs: 0, ...changes },
});
const lost = { status: 'lost' } as const;

test.each(['kill', 'pause', 'partition'] as const)('%s: the host that it hits is lost', kind => {
  const fault = { kind, sinceMs: 5, host: 'host1' };
  const shown = (...hosts: readonly HostState[]) => isVisible(fault, { hosts: [...hosts], problems: [] });
  expect(shown(host('host1'), host('host2', lost))).toBe(false);
  expect(shown(host('host1', lost), host('host1-2'))).toBe(true);
  expect(shown(host('host1-2', lost))).toBe(false);
});

test('a clock that is ahead is shown as such', () => {
  const shown = (clockOffsetMs: number) =>
    isVisible(
      { kind: 'clock', sinceMs: 5, host: 'host1' },
      { hosts: [host('host1', { clockOffsetMs })], problems: [] },
    );
  expect(shown(20)).toBe(false);
  expect(shown(CLOCK_AHEAD_MS - 30)).toBe(true);
});

test.each(['broker', 'disk'] as const)(
  '%s: a problem of the broker counts if it is as new as the fault',
  kind => {
    const shown = (thing: string, at: number) =>
      isVisible({ kind, sinceMs: 5 }, { hosts: [], problems: [{ thing, message: 'away', at }] });
    expect(shown('the broker', 4)).toBe(false);
    expect(shown('the trainer', 6)).toBe(false);
    expect(shown('the broker', 6)).toBe(true);
  },
);

test('a host that started again plays under another name', () => {
  expect(playingAs('host1', [host('host10'), host('host1', lost), host('host1-2')])).toBe('host1-2');
  expect(playingAs('host1', [host('host10'), host('host1', lost)])).toBeUndefined();
});
