import { expect, test } from 'vitest';
import type { DaemonClient } from '../../../extension/daemon/client.ts';
import { startRun } from '../../../extension/start/cancellable-start.ts';

type Reply = () => Promise<unknown>;

/** A start whose reply comes when the test gives it. */
function starting(stop: Reply, live?: string) {
  const requests: unknown[] = [];
  const client: Pick<DaemonClient, 'request'> = {
    request: async (method, params) => {
      requests.push([method, params]);
      return (method === 'run.start' ? await replied : await stop()) as never;
    },
  };
  let reply: (run: string) => void = () => undefined;
  let fail: (reason: string) => void = () => undefined;
  const replied = new Promise((resolve, reject) => {
    reply = run => resolve({ run });
    fail = reason => reject(new Error(reason));
  });
  let cancel: () => void = () => undefined;
  const run = startRun(
    { config: {} },
    {
      client,
      liveRun: () => live,
      onCancel: listener => {
        cancel = listener;
      },
    },
  );
  const stops = () => requests.slice(1);
  return { run, stops, cancel: () => cancel(), reply: (name: string) => reply(name), fail };
}

const stopped = async () => ({});

test('a training that nobody cancels has its run, or the reason why it did not start', async () => {
  const started = starting(stopped);
  started.reply('monday');
  expect(await started.run).toBe('monday');
  expect(started.stops()).toEqual([]);
  const failed = starting(stopped);
  failed.fail('The disk is full.');
  await expect(failed.run).rejects.toThrow('The disk is full.');
});

test('a cancelled training has no run to show, and is over once it has stopped', async () => {
  let stop: () => void = () => undefined;
  const started = starting(
    () =>
      new Promise(resolve => {
        stop = () => resolve({});
      }),
  );
  let isOver = false;
  const over = started.run.finally(() => {
    isOver = true;
  });
  started.cancel();
  started.reply('monday');
  await expect.poll(started.stops).toEqual([['run.stop', { run: 'monday' }]]);
  expect(isOver).toBe(false);
  stop();
  expect(await over).toBeUndefined();
});

test('a run that has a name already is stopped at once, and its start may be rejected', async () => {
  const started = starting(stopped, 'monday');
  started.cancel();
  expect(started.stops()).toEqual([['run.stop', { run: 'monday' }]]);
  started.fail('The run was stopped.');
  expect(await started.run).toBeUndefined();
});

test('a training that does not stop is reported', async () => {
  const started = starting(() => Promise.reject(new Error('The connection was lost.')));
  started.cancel();
  started.reply('monday');
  await expect(started.run).rejects.toThrow('The connection was lost.');
});
