// Following the recording of the daemon: only while connected, and only changes are reported.

import { beforeEach, expect, test } from 'vitest';
import type { ClientListener, DaemonClient } from '../../../extension/daemon/client.ts';
import type { ClientState } from '../../../extension/daemon/lifecycle.ts';
import { RecordingWatch } from '../../../extension/status/recording-watch.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { type RecordingState, recordingState } from '../../../runtime/protocol/daemon/record.ts';
import { DAEMON } from '../daemon-fixture.ts';

const connected: ClientState = { kind: 'connected', daemon: DAEMON, since: 0, attempts: 0, starts: 0 };
const IDLE: ClientState = { kind: 'idle' };

const recordingOf = (recording: string, change: number): RecordingState =>
  recordingState.parse({
    ...{ recording, change, phase: 'acting', kind: 'pocket', task: 't', seed: 7, split: 'train', tier: 1 },
    ...{ instruction: 'Do it.', isOwn: false, hasSolution: false, maxSteps: 15, isDeterministic: true },
    steps: [],
  });

let state: ClientState;
let requests: number;
let reply: () => RecordingState | undefined;
let listener: ClientListener;
let clock: VirtualClock;
let seen: (string | undefined)[];
let watch: RecordingWatch;

beforeEach(() => {
  [state, requests, reply, seen, clock] = [IDLE, 0, () => undefined, [], new VirtualClock(0)];
  const client: Pick<DaemonClient, 'state' | 'listen' | 'request'> = {
    get state() {
      return state;
    },
    listen: each => {
      listener = each;
      return { dispose: () => undefined };
    },
    request: async () => {
      requests += 1;
      const recording = reply();
      return (recording === undefined ? {} : { recording }) as never;
    },
  };
  watch = new RecordingWatch({
    ...{ client, clock },
    changed: recording => seen.push(recording && `${recording.recording} ${recording.change}`),
    ended: () => seen.push('ended'),
  });
});

const become = (next: ClientState): void => {
  state = next;
  listener.stateChanged?.(next);
};
const seconds = async (count: number): Promise<void> => clock.run(clock.now() + 1000 * count);

test('without a connection it asks nothing, so that no daemon is started', async () => {
  await seconds(60);
  expect(requests).toBe(0);
});

test('reports each change of the recording once, and its end', async () => {
  reply = () => recordingOf('r', 1);
  become(connected);
  await seconds(9);
  expect(requests).toBeGreaterThan(2);
  expect(seen).toEqual(['r 1']);
  reply = () => recordingOf('r', 2);
  await seconds(3);
  reply = () => recordingOf('s', 2);
  await seconds(3);
  reply = () => undefined;
  await seconds(3);
  expect(seen).toEqual(['r 1', 'r 2', 's 2', 'ended', undefined, 'ended']);
});

test('a lost connection ends the recording for this window; the next one finds it again', async () => {
  reply = () => recordingOf('r', 1);
  become(connected);
  await seconds(3);
  become({ kind: 'backoff', until: 1, start: true, attempts: 1, starts: 0, reason: 'It broke.' });
  const before = requests;
  await seconds(60);
  expect(requests).toBe(before);
  become(connected);
  await seconds(3);
  expect(seen).toEqual(['r 1', undefined, 'r 1']);
});

test('a request that fails is no recording, and is tried again', async () => {
  reply = () => {
    throw new Error('unknown method');
  };
  become(connected);
  await seconds(3);
  reply = () => recordingOf('r', 1);
  await seconds(3);
  expect(seen).toEqual(['r 1']);
});

test('asks nothing after it is disposed', async () => {
  become(connected);
  await seconds(3);
  watch.dispose();
  const before = requests;
  await seconds(60);
  expect(requests).toBe(before);
});
