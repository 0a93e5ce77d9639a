// Kills the browser of a run on web desktops, and its host process. The run continues, and no browser remains.

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { missingBrowser } from '../environments/web/missing-browser.ts';
import { PATIENCE } from '../patience.ts';
import { temporaryFolder } from '../temporary.ts';
import { below, called, Daemon, type DaemonOptions, daemonProgram, processes } from './training.ts';

const CONFIG = {
  minutes: 60,
  environments: { kind: 'web', desktops: 2 },
  trainer: { publishSeconds: 0.5 },
  data: { rollouts: 2, trajectoriesPerBatch: 2 },
  evaluation: { everySeconds: 3600, instances: 1, lastInstances: 1, desktops: 1 },
};

describe.skipIf(missingBrowser !== undefined)('a run on web desktops', () => {
  let options: Pick<DaemonOptions, 'program' | 'dist'>;
  beforeAll(async () => {
    options = await daemonProgram();
  });

  test('survives the death of its browser and of its host, and leaves no browser', async () => {
    const daemon = new Daemon({ ...options, root: temporaryFolder('web-survival'), config: CONFIG });
    onTestFinished(() => daemon.kill());
    await daemon.goesOn();

    const first = browserOf(daemon) ?? missing('browser');
    process.kill(first, 'SIGKILL');
    await daemon.until('there was another browser', () => ![undefined, first].includes(browserOf(daemon)));
    await daemon.goesOn();

    const second = browserOf(daemon) ?? missing('browser');
    const host = hostOf(daemon) ?? missing('host');
    process.kill(host, 'SIGKILL');
    await daemon.until('there was another host', () => ![undefined, host].includes(hostOf(daemon)));
    await expect.poll(() => isRunning(second), PATIENCE).toBe(false);
    await daemon.goesOn();

    const third = browserOf(daemon) ?? missing('browser');
    await daemon.stop();
    expect(daemon.broken).toEqual([]);
    expect(isRunning(third)).toBe(false);
  });
});

const hostOf = ({ pid }: Daemon): number | undefined => called(below(pid), 'host')?.pid;

/** The process that the host started; those of pages are below it. */
const browserOf = (daemon: Daemon): number | undefined => {
  const host = hostOf(daemon);
  return below(daemon.pid).find(
    ({ parent, command }) => parent === host && command.includes('--remote-debugging-pipe'),
  )?.pid;
};

const isRunning = (wanted: number): boolean => processes().some(({ pid }) => pid === wanted);

function missing(what: string): never {
  throw new Error(`There is no ${what} to kill.`);
}
