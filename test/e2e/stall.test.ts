// Real processes that are stopped (SIGSTOP) in the middle of a run: the run reports each within seconds, replaces it and continues.
// Needs the bundle that `npm test` builds first.

import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
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

test('a trainer, worker or host that is stopped is reported, killed and replaced, and the run continues', {
  timeout: 300_000,
}, async () => {
  const dist = fileURLToPath(new URL('../../dist', import.meta.url));
  const daemon = new Daemon({ program: fileURLToPath(entry), dist, root: folder(), config: CONFIG });
  onTestFinished(() => daemon.kill());
  const continues = async () => {
    const [version, kept] = [daemon.state?.trainer.version ?? 0, daemon.kept.size];
    await daemon.until(
      'the run continued',
      () => (daemon.state?.trainer.version ?? 0) > version && daemon.kept.size > kept,
    );
  };
  await daemon.says('began');
  await continues();
  const stopped: number[] = [];
  for (const name of ['trainer', 'worker', 'host']) {
    const { pid } = called(below(daemon.pid), name) ?? expect.unreachable(`There is no ${name}.`);
    stopped.push(pid);
    const reported = () =>
      daemon.state?.troubles.some(({ message }) => message.includes(`(process ${pid}) sent no heartbeat`));
    process.kill(pid, 'SIGSTOP');
    await daemon.until(`the run reported the stopped ${name}`, () => reported() === true);
    await continues();
  }
  await daemon.stop();
  expect(daemon.broken).toEqual([]);
  expect(daemon.state).toMatchObject({ status: 'ended', waiting: [] });
  await expect
    .poll(() => processes().filter(({ pid }) => stopped.includes(pid)), { timeout: 30_000 })
    .toEqual([]);
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
