// Restarts of a daemon that plays a collection: the question before the end, and the steps after it.

import { expect, test } from 'vitest';
import type { ClientState } from '../../../extension/daemon/lifecycle.ts';
import { restartDaemon } from '../../../extension/daemon/restart.ts';
import { NO_RUNS } from '../../../extension/runs/run-list.ts';
import { DAEMON } from '../daemon-fixture.ts';
import { ScriptedDaemon } from '../testing/scripted-daemon.ts';

const NO_TRIES = { attempts: 0, starts: 0 };
const LOST: ClientState = { kind: 'backoff', until: 0, reason: 'It was lost.', start: true, ...NO_TRIES };
const STARTING: ClientState = { kind: 'starting', since: 0, ...NO_TRIES };
const CONNECTED: ClientState = { kind: 'connected', daemon: DAEMON, since: 0, ...NO_TRIES };

interface Restart {
  /** The client is connected once the runs are listed. */
  readonly before?: ClientState;
  readonly hasDaemon?: boolean;
  readonly mayEnd?: boolean;
}

async function restarted({ before = LOST, hasDaemon = true, mayEnd = true }: Restart = {}) {
  const daemon = new ScriptedDaemon();
  daemon.occupy('Scripted solutions');
  const [questions, steps]: [string[], string[]] = [[], []];
  let state = before;
  await restartDaemon({
    client: {
      get state() {
        return state;
      },
      request: daemon.client.request,
      ready: async () => void steps.push('ready'),
    },
    runs: {
      list: NO_RUNS,
      refresh: async () => {
        steps.push('list');
        state = CONNECTED;
      },
    },
    hasDaemon: async () => hasDaemon,
    mayEnd: async work => {
      questions.push(work);
      return mayEnd;
    },
    stop: async () => void steps.push('stop'),
  });
  return { questions, steps };
}

test('after a lost connection the restart names the work that it would end, and a refusal ends nothing', async () => {
  const { questions, steps } = await restarted({ mayEnd: false });
  expect(questions).toEqual([expect.stringContaining('Scripted solutions would end')]);
  expect(steps).toEqual(['list']);
});

test('the daemon is restarted after consent', async () => {
  const { questions, steps } = await restarted();
  expect(questions).toHaveLength(1);
  expect(steps).toEqual(['list', 'stop', 'ready']);
});

test('without a daemon one is started, and none is stopped', async () => {
  expect(await restarted({ hasDaemon: false })).toEqual({ questions: [], steps: ['ready'] });
});

test('a daemon that starts meanwhile is restarted, although it has no file yet', async () => {
  const { steps } = await restarted({ before: STARTING, hasDaemon: false });
  expect(steps).toEqual(['list', 'stop', 'ready']);
});
