// A training over several machines as it might look after so many seconds, with a host of each status and one of another version.

import type { HostState } from '../../runtime/protocol/daemon/hosts.ts';
import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import { playedState, STARTED } from './played-state.ts';

export function hostsAfter(seconds: number): readonly HostState[] {
  const seenMs = STARTED + 1000 * seconds;
  return [
    {
      ...{ name: 'local', status: 'playing', isLocal: true, desktops: 8, playing: 8, workers: 2 },
      ...{ steps: 9180, stepsPerS: 15.3, version: '0.9.2', sinceMs: STARTED, seenMs },
    },
    {
      ...{ name: 'tower', status: 'playing', isLocal: false, desktops: 16, playing: 15, workers: 3 },
      ...{ steps: 16_340, stepsPerS: 29.1, clockOffsetMs: 12.4, latencyMs: 0.8, version: '0.9.2' },
      ...{ sinceMs: STARTED + 20_000, seenMs },
    },
    {
      ...{ name: 'laptop-2', status: 'draining', isLocal: false, desktops: 4, playing: 1, workers: 1 },
      ...{ steps: 702, stepsPerS: 1.5, clockOffsetMs: -1530, latencyMs: 24, version: '0.9.1' },
      ...{ sinceMs: STARTED + 60_000, seenMs },
    },
    {
      ...{ name: 'basement', status: 'lost', isLocal: false, desktops: 8, playing: 0, workers: 1 },
      ...{ steps: 3411, stepsPerS: 0, clockOffsetMs: 0, latencyMs: 3.1, version: '0.9.2' },
      ...{ sinceMs: STARTED + 25_000, seenMs: seenMs - 24_000 },
    },
  ];
}

export const hostsState = (seconds: number, changes: Partial<RunState> = {}): RunState =>
  playedState(seconds, { hosts: [...hostsAfter(seconds)], ...changes });
