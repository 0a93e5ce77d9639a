// Kills desktops in use, kills and stops the host process, and kills the daemon. The run continues, every stored trajectory is consistent, and no container
// remains. Needs the bundles that `npm test` builds first.

import { setTimeout } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { seeded } from '../../../runtime/core/rng.ts';
import { folder } from '../../data/trajectories.ts';
import { describeUnless } from '../../environments/docker/engine.ts';
import { image, missingDesktops } from '../../environments/docker/real-desktops.ts';
import { storedTrajectories } from '../stored-trajectories.ts';
import { below, called, Daemon, daemonProgram } from '../training.ts';
import { containersOf, contradictions, GONE, killContainer } from './run-files.ts';

const KILLED_DESKTOPS = 3;
/** The maximum delay before a kill, in milliseconds. */
const LATEST = 1500;

const CONFIG = {
  suite: { tasks: ['note-write', 'window-close'] },
  minutes: 60,
  environments: { kind: 'docker', desktops: 2, docker: { image, spares: 1 } },
  demonstrations: 1,
  trainer: { publishSeconds: 0.5, checkpointMinutes: 0.03 },
  data: { rollouts: 2, trajectoriesPerBatch: 2 },
  evaluation: { everySeconds: 3600, instances: 1, lastInstances: 1, desktops: 1 },
};

describeUnless(missingDesktops, 'a run on real desktops', () => {
  let all: Awaited<ReturnType<typeof daemonProgram>>;
  beforeAll(async () => {
    all = await daemonProgram();
  });

  test('survives all kills, stores only consistent trajectories, and leaves no container', async () => {
    const random = seeded('kills of containers');
    const root = folder();
    let now = new Daemon({ ...all, root, config: CONFIG });
    onTestFinished(() => now.kill());
    const run = await now.says('began');
    await now.goesOn();

    for (let killed = 0; killed < KILLED_DESKTOPS; killed++) {
      await setTimeout(random.int(LATEST));
      const there = await containersOf(run);
      const victim = there[random.int(there.length)];
      if (victim !== undefined) await killContainer(victim.id);
      expect(victim).toBeDefined();
      await now.goesOn();
    }

    const first = hostOf(now);
    process.kill(first, 'SIGKILL');
    await now.until('there was another host', () => ![undefined, first].includes(maybeHostOf(now)));
    await now.goesOn();
    await expect.poll(() => ofProcess(run, first), GONE).toEqual([]);

    const stopped = hostOf(now);
    process.kill(stopped, 'SIGSTOP');
    await now.until('the stopped host was replaced', () => ![undefined, stopped].includes(maybeHostOf(now)));
    await now.goesOn();
    await expect.poll(() => ofProcess(run, stopped), GONE).toEqual([]);

    const last = hostOf(now);
    await now.kill();
    expect(now.broken).toEqual([]);
    now = new Daemon({ ...all, root, run });
    await now.says('resumed');
    await now.goesOn();
    await expect.poll(() => ofProcess(run, last), GONE).toEqual([]);

    await now.stop();
    expect(now.broken).toEqual([]);
    await expect.poll(() => containersOf(run), GONE).toEqual([]);
    const kept = await storedTrajectories(root);
    // The retention decides how many failures stay on disk.
    expect(kept.some(({ purpose }) => purpose === 'train')).toBe(true);
    expect(kept.flatMap(contradictions)).toEqual([]);
  }, 300_000);
});

const maybeHostOf = ({ pid }: Daemon): number | undefined => called(below(pid), 'host')?.pid;

function hostOf(daemon: Daemon): number {
  const found = maybeHostOf(daemon);
  if (found === undefined) throw new Error('There is no host to kill.');
  return found;
}

const ofProcess = async (run: string, pid: number) =>
  (await containersOf(run)).filter(({ labels }) => labels['dartboard.pid'] === String(pid));
