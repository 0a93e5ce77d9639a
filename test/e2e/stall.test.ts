// Real processes that are stopped (SIGSTOP), and a thread that is blocked, in the middle of a run: the run reports each, replaces it and
// continues. The limits in seconds are tested under a virtual clock (test/rpc/owned-client.test.ts).
// Needs the bundle that `npm test` builds first.

import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { blockable } from '../blockable.ts';
import { INDEX_ENTRY, opened } from '../data/opened.ts';
import { folder } from '../data/trajectories.ts';
import { program } from './program.ts';
import { below, called, Daemon, processes } from './training.ts';

const CONFIG = {
  suite: { tasks: ['settings-theme', 'files-rename', 'mail-forward'] },
  minutes: 60,
  environments: { desktops: 4 },
  exploring: { firstSeconds: 1 },
  trainer: { publishSeconds: 0.5, checkpointMinutes: 0.03 },
  evaluation: { everySeconds: 600, instances: 1, lastInstances: 1, desktops: 2 },
};

let entry: URL;
beforeAll(async () => {
  entry = await program(new URL('./training-child.ts', import.meta.url));
});

test('a trainer, worker, index thread or host that stops answering is reported, killed and replaced, and the run continues', {
  timeout: 300_000,
}, async () => {
  const dist = fileURLToPath(new URL('../../dist', import.meta.url));
  const thread = blockable(INDEX_ENTRY);
  const root = folder();
  const daemon = new Daemon({
    ...{ program: fileURLToPath(entry), dist, root, index: thread.entry, config: CONFIG },
  });
  onTestFinished(() => daemon.kill());
  const continues = async () => {
    const [version, kept] = [daemon.state?.trainer.version ?? 0, daemon.kept.size];
    await daemon.until(
      'the run continued',
      () => (daemon.state?.trainer.version ?? 0) > version && daemon.kept.size > kept,
    );
  };
  const stopped: number[] = [];
  const stop = (name: string) => {
    const { pid } = called(below(daemon.pid), name) ?? expect.unreachable(`There is no ${name}.`);
    stopped.push(pid);
    process.kill(pid, 'SIGSTOP');
    return `(process ${pid}) sent no heartbeat`;
  };
  const reported = (what: string) =>
    daemon.until(`the run reported that the ${what}`, () =>
      (daemon.state?.troubles ?? []).some(({ message }) => message.includes(what)),
    );
  await daemon.says('began');
  await continues();
  const [trainer, worker] = [stop('trainer'), stop('worker')];
  await thread.block();
  await Promise.all([trainer, worker, 'index thread sent no heartbeat'].map(reported));
  await continues();
  await reported(stop('host'));
  await continues();
  await daemon.stop();
  expect(daemon.broken).toEqual([]);
  expect(daemon.state).toMatchObject({ status: 'ended', waiting: [] });
  await expect
    .poll(() => processes().filter(({ pid }) => stopped.includes(pid)), { timeout: 30_000 })
    .toEqual([]);

  // Every trajectory that the daemon acknowledged is in the index once, although the thread was replaced.
  const { store, notices } = await opened({ root });
  const { rows } = await store.index.page({
    ...{ filter: {}, sort: 'endedAt', descending: true, offset: 0, limit: 100_000 },
  });
  expect(rows.map(({ id }) => String(id)).sort()).toEqual([...daemon.kept].sort());
  expect(notices).toEqual([]);
});

test('a trainer that is stopped when the run ends is killed, and the run reports what is lost', {
  timeout: 120_000,
}, async () => {
  const dist = fileURLToPath(new URL('../../dist', import.meta.url));
  const daemon = new Daemon({ program: fileURLToPath(entry), dist, root: folder(), config: CONFIG });
  onTestFinished(() => daemon.kill());
  await daemon.says('began');
  await daemon.until('it learned', () => (daemon.state?.trainer.version ?? 0) > 2);
  const { pid } = called(below(daemon.pid), 'trainer') ?? expect.unreachable('There is no trainer.');
  process.kill(pid, 'SIGSTOP');
  await daemon.stop();
  expect(daemon.state).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('What it learned since its last checkpoint is lost'),
  });
  expect(processes().filter(each => each.pid === pid)).toEqual([]);
});
