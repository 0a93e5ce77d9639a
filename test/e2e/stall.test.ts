// Real processes that are stopped (SIGSTOP), and a thread that is blocked, in the middle of a run: the run reports each, replaces it and
// continues. The limits in seconds are tested under a virtual clock (test/rpc/owned-client.test.ts).
// Needs the bundle that `npm test` builds first.

import { expect, onTestFinished, test } from 'vitest';
import { blockable } from '../blockable.ts';
import { INDEX_ENTRY, opened } from '../data/open-stores.ts';
import { folder } from '../data/trajectories.ts';
import { below, called, Daemon, daemonProgram, processes } from './training.ts';

const CONFIG = {
  suite: { tasks: ['settings-theme', 'files-rename', 'mail-forward'] },
  minutes: 60,
  environments: { desktops: 4 },
  exploring: { firstSeconds: 1 },
  trainer: { publishSeconds: 0.5, checkpointMinutes: 0.03 },
  evaluation: { everySeconds: 600, instances: 1, lastInstances: 1, desktops: 2 },
};

test('a trainer, worker, index thread or host that stops answering is reported, killed and replaced; a trainer that stops at the end is reported as lost', async () => {
  const thread = blockable(INDEX_ENTRY);
  const root = folder();
  const daemon = new Daemon({ ...(await daemonProgram()), root, index: thread.entry, config: CONFIG });
  onTestFinished(() => daemon.kill());
  const pidOf = (name: string) =>
    called(below(daemon.pid), name)?.pid ?? expect.unreachable(`There is no ${name}.`);
  const continues = async () => {
    const [version, kept] = [daemon.state?.trainer.version ?? 0, daemon.kept.size];
    await daemon.until(
      'the run continued',
      () => (daemon.state?.trainer.version ?? 0) > version && daemon.kept.size > kept,
    );
  };
  const stopped: number[] = [];
  const stop = (name: string) => {
    const pid = pidOf(name);
    stopped.push(pid);
    process.kill(pid, 'SIGSTOP');
    return `(process ${pid}) sent no heartbeat`;
  };
  const reported = (problem: string) =>
    daemon.until(`the run reported that the ${problem}`, () => daemon.hasProblem(problem));
  await daemon.says('began');
  await continues();
  // The host owns the worker: without the host, nobody could report the worker.
  const [trainer, worker] = [stop('trainer'), stop('worker')];
  await thread.block();
  await Promise.all([trainer, worker, 'index thread sent no heartbeat'].map(reported));
  await continues();
  await reported(stop('host'));
  await continues();
  expect(daemon.broken).toEqual([]);

  stop('trainer');
  await daemon.stop();
  expect(daemon.state).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('What it learned since its last checkpoint is lost'),
  });
  await expect.poll(() => processes().filter(({ pid }) => stopped.includes(pid))).toEqual([]);

  // Every trajectory that the daemon acknowledged is in the index once, although the thread was replaced.
  const { store, notices } = await opened({ root });
  const { rows } = await store.index.page({
    ...{ filter: {}, sort: 'endedAt', descending: true, offset: 0, limit: 100_000 },
  });
  expect(rows.map(({ id }) => String(id)).sort()).toEqual([...daemon.kept].sort());
  expect(notices).toEqual([]);
});
