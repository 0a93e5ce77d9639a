// The runs of a window in virtual time, with a scripted daemon. test/extension/daemon/client.test.ts has the real server.

import { expect, test } from 'vitest';
import { DaemonClient } from '../../../extension/daemon/client.ts';
import type { RequestMessage } from '../../../extension/daemon/connection.ts';
import { RunStore } from '../../../extension/runs/run-store.ts';
import type { TrainingSnapshot } from '../../../extension/runs/training-snapshot.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import type { DaemonLife } from '../../../runtime/protocol/daemon/messages.ts';
import { playedState } from '../../server/played-state.ts';
import { ScriptedRuns } from '../../server/scripted-runs.ts';
import { DAEMON } from '../daemon-fixture.ts';

const FAILED = playedState(60, { status: 'failed' });
/** An earlier daemon trained it before the window was reloaded. */
const LEFT: TrainingSnapshot = { runs: [FAILED.run], daemon: DAEMON.startedAt - 1, at: 0 };
const LIFE: DaemonLife = { doing: 'serving', clients: 1, trainings: [], keepTraining: false, says: '' };

/** The daemon refuses to resume a run. */
function windowOf(snapshot?: TrainingSnapshot) {
  const clock = new VirtualClock();
  const daemon = { isRunning: true, starts: 0, runs: new ScriptedRuns(FAILED) };
  const requests: string[] = [];
  const stopped: string[] = [];
  const replyTo = async (method: string): Promise<unknown> => {
    requests.push(method);
    if (method === 'runs.list') return daemon.runs.list();
    return method === 'daemon.life' ? LIFE : {};
  };
  const client = new DaemonClient({
    clock,
    log: () => undefined,
    find: async () => (daemon.isRunning ? DAEMON : undefined),
    start: () => {
      daemon.starts += 1;
    },
    connect: (_daemon, listener) => {
      queueMicrotask(() => listener.welcomed([]));
      const send = ({ id, method }: RequestMessage): boolean => {
        void replyTo(method).then(result =>
          listener.message(
            method === 'run.resume'
              ? { id, error: { code: 'failed', message: 'It is resumed already.' } }
              : { id, result },
          ),
        );
        return true;
      };
      return { send, close: () => undefined };
    },
  });
  const runs = new RunStore({
    ...{ client, clock, log: () => undefined, keepTraining: () => false },
    stayedStopped: run => stopped.push(run),
    storage: { get: () => snapshot, set: () => undefined },
  });
  /** Until the window and the daemon only wait. */
  const settled = (): Promise<void> => clock.run(clock.now());
  return { client, clock, daemon, requests, runs, settled, stopped };
}

test('a run that another window resumes a moment later is not reported as stopped', async () => {
  const { client, clock, daemon, requests, settled, stopped } = windowOf(LEFT);
  client.connect(false);
  await settled();
  expect(requests).toContain('run.resume');
  await clock.run(300);
  daemon.runs.show({ ...FAILED, status: 'running' });
  await clock.run(10_000);
  expect(stopped).toEqual([]);
});

test('a run that nobody resumes is reported once', async () => {
  const { client, clock, stopped } = windowOf(LEFT);
  client.connect(false);
  await clock.run(10_000);
  expect(stopped).toEqual([FAILED.run]);
});

test('a window that gets the focus finds a daemon, starts none, and asks a connected one for its runs', async () => {
  const { client, daemon, requests, runs, settled } = windowOf();
  daemon.isRunning = false;
  runs.catchUp();
  await settled();
  expect([client.state.kind, daemon.starts]).toEqual(['idle', 0]);
  daemon.isRunning = true;
  runs.catchUp();
  await settled();
  expect([client.state.kind, daemon.starts]).toEqual(['connected', 0]);
  requests.splice(0);
  runs.catchUp();
  await settled();
  expect(requests).toEqual(['runs.list', 'daemon.life']);
});
