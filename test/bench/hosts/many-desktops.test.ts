// The figures of very many desktops.

import { expect, test } from 'vitest';
import { desktopFigures, memoryAt, occupancyOf } from '../../../runtime/bench/hosts/many-desktops.ts';
import { THIS_PROCESS } from '../../../runtime/bench/memory.ts';
import type { HostState } from '../../../runtime/protocol/daemon/hosts.ts';

const host = (playing: number, changes: Partial<HostState> = {}): HostState => ({
  ...{ name: 'host1', status: 'playing', isLocal: false, desktops: 10, playing, workers: 1, steps: 0 },
  ...{ stepsPerS: 0, version: '1', sinceMs: 0, seenMs: 0, ...changes },
});

test('occupancy is that of the desktops of joined hosts, lost ones included', () => {
  expect(occupancyOf([host(0, { isLocal: true }), host(10), host(5)])).toBe(0.75);
  expect(occupancyOf([host(10), host(0, { status: 'lost' })])).toBe(0.5);
  expect(occupancyOf(undefined)).toBe(0);
});

const growing = Array.from({ length: 30 }, (_, index) => ({
  seconds: 10 * index,
  megabytes: { [THIS_PROCESS]: index, worker: 100 },
}));

test('the memory at a moment is the mean of the samples just before it', () => {
  expect(memoryAt(growing, 1 / 3)).toEqual({ daemon: 8, worker: 100 });
  expect(memoryAt(growing, 1)).toEqual({ daemon: 28, worker: 100 });
  expect(memoryAt(growing.slice(0, 1), 1 / 3)).toEqual({ daemon: 0, worker: 100 });
});

test('growth compares the end with a third, and is left out where the system reports no memory', () => {
  const measured = {
    ...{ network: '', occupancies: [0.9, 1], brokerCores: 0.1, daemonCores: 0.2, allCores: 1, stepsPerS: 3 },
    memory: growing,
  };
  expect(desktopFigures(measured)).toMatchObject({
    ...{ occupancy: 0.95, lowest_occupancy: 0.9, broker_share: 0.1, memory_mb: 128 },
    memory_growth: 128 / 108 - 1,
  });
  expect(Object.keys(desktopFigures({ ...measured, memory: [] }))).not.toContain('memory_growth');
});
