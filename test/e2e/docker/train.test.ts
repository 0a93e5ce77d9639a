// A training on real desktops with the built program, and then `eval`, `run` and `collect` on the same kind of desktops. Does not check
// whether anything was learned. Needs the bundles that `npm test` builds first.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { savedRunState } from '../../../runtime/protocol/daemon/state.ts';
import { describeUnless } from '../../environments/docker/engine.ts';
import { image, missingDesktops } from '../../environments/docker/real-desktops.ts';
import { temporaryFolder } from '../../temporary.ts';
import { CommandLine } from '../command-line.ts';
import { storedTrajectories } from '../stored-trajectories.ts';
import { containersOf, contradictions, GONE } from './run-files.ts';

const TASKS = ['note-write', 'window-close'];
const CONFIG = {
  suite: { tasks: TASKS },
  environments: { kind: 'docker', desktops: 2, docker: { image, spares: 1 } },
  demonstrations: 1,
  evaluation: { everySeconds: 3600, instances: 1, lastInstances: 1, desktops: 1 },
  data: { rollouts: 2, trajectoriesPerBatch: 2 },
};

const workspace = temporaryFolder('docker');
const commandLine = new CommandLine(workspace);
const { run, runs } = commandLine;

describeUnless(missingDesktops, 'a training of 30 s on real desktops', () => {
  let name: string;
  beforeAll(async () => {
    writeFileSync(join(workspace, 'dartboard.json'), JSON.stringify(CONFIG));
    const trained = await run('train', '--minutes', '0.5');
    expect(trained.status, trained.stderr).toBe(0);
    expect(trained.stdout).toContain('Trained for 0:30.');
    name = commandLine.latest;
  }, 150_000);

  test('has a consistent ledger, and a PNG of every step', async () => {
    const state = savedRunState.parse(JSON.parse(readFileSync(join(runs, name, 'state.json'), 'utf8')));
    const { submitted, accepted, filtered, dropped, failed, running } = state.data.books;
    expect(submitted).toBe(accepted + filtered + dropped + failed + running);
    expect(accepted + filtered + dropped).toBeGreaterThan(0);
    const kept = await storedTrajectories(runs);
    expect(kept.filter(({ purpose }) => purpose === 'evaluate').length).toBeGreaterThanOrEqual(TASKS.length);
    expect(kept.flatMap(contradictions)).toEqual([]);
    for (const { frames } of kept) expect(frames.kind).toBe('png');
  });

  test('leaves no container', async () => {
    await expect.poll(() => containersOf(name), GONE).toEqual([]);
  });

  test('its weights run on real desktops, and no container remains', async () => {
    const examined = await run('eval', '--instances', '2', '--json');
    expect(examined.status, examined.stderr).toBe(0);
    const { trials, tasks } = JSON.parse(examined.stdout);
    const broken = tasks.reduce((sum: number, task: { broken: number }) => sum + task.broken, 0);
    expect(trials + broken).toBe(2 * TASKS.length);
    const tried = await run('run', '--seed', 'one', '--steps', '3');
    expect(tried.status, tried.stderr).toBe(0);
    expect(tried.stdout).toMatch(/desktop of task (note-write|window-close), instance \d+/);
    const page = readFileSync(join(workspace, /All screens: (\S+)/.exec(tried.stdout)?.[1] ?? ''), 'utf8');
    const steps = [...tried.stdout.matchAll(/^ +\d+ {2}\S.* %/gm)].length;
    expect([...page.matchAll(/data:image\/png/g)]).toHaveLength(steps + 1);
    await expect.poll(() => containersOf(name), GONE).toEqual([]);
  }, 90_000);

  test('collects successes of scripts ahead of a run', async () => {
    const collected = await run('collect', '--oracle', '--tasks', 'note-write', '--instances', '2');
    expect(collected.status, collected.stderr).toBe(0);
    expect(collected.stdout).toMatch(/\n +total +2 +2 +2 +\d+\n/);
  }, 90_000);

  test('without an engine it fails with a remedy', async () => {
    const nowhere = { DOCKER_HOST: `unix://${join(workspace, 'nowhere.sock')}` };
    const { status, stderr } = await new CommandLine(workspace, nowhere).run('eval', '--instances', '1');
    expect(status).toBe(1);
    expect(stderr).toMatch(/no engine answers .* Start it, or correct the address/);
  }, 60_000);
});
