// A training on web desktops with the built program, and then `eval`, `run`, `collect` and `doctor` on the same kind of desktops. Does not
// check whether anything was learned.

import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { savedRunState } from '../../runtime/protocol/daemon/state.ts';
import { missingBrowser } from '../environments/web/missing-browser.ts';
import { temporaryFolder } from '../temporary.ts';
import { CommandLine } from './command-line.ts';
import { storedTrajectories } from './stored-trajectories.ts';
import { processes } from './training.ts';

/** Pages of MiniWoB++ lie beside the project where it is developed. */
const MINIWOB = fileURLToPath(new URL('../../../shared/data/miniwob', import.meta.url));

const CONFIG = {
  environments: { kind: 'web', desktops: 3 },
  // Something to learn from, whatever chance finds.
  demonstrations: 1,
  evaluation: { everySeconds: 3600, instances: 1, lastInstances: 1, desktops: 1 },
  data: { rollouts: 4, trajectoriesPerBatch: 4 },
};

/** A workspace, and programs in it whose temporary files are in a folder of their own. */
function workspaceWith(config: object) {
  const folder = temporaryFolder('web');
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  writeFileSync(join(folder, 'dartboard.json'), JSON.stringify(config));
  const commandLine = new CommandLine(folder, { TMPDIR: temporary });
  /** Browsers and files that a program left behind. */
  const left = (): readonly string[] => [
    ...processes().flatMap(({ command }) => (command.includes(temporary) ? command : [])),
    ...readdirSync(temporary).filter(name => name.startsWith('dartboard-')),
  ];
  return { commandLine, folder, run: commandLine.run, runs: commandLine.runs, left };
}

describe.skipIf(missingBrowser !== undefined)('a training of nine seconds on web desktops', () => {
  const { commandLine, folder, runs, run, left } = workspaceWith(CONFIG);
  let name: string;
  beforeAll(async () => {
    const trained = await run('train', '--minutes', '0.15');
    expect(trained.status, trained.stderr).toBe(0);
    expect(trained.stdout).toContain('Trained for 0:09.');
    expect(trained.stdout).toContain('Web desktops');
    name = commandLine.latest;
  });

  test('has a consistent ledger, trained, and a PNG of every step', async () => {
    const state = savedRunState.parse(JSON.parse(readFileSync(join(runs, name, 'state.json'), 'utf8')));
    const { submitted, accepted, filtered, dropped, failed, running } = state.data.books;
    expect(submitted).toBe(accepted + filtered + dropped + failed + running);
    expect(accepted + filtered).toBeGreaterThan(0);
    expect(state.about.desktops).toBe('web');
    const kept = await storedTrajectories(runs);
    expect(kept.length).toBeGreaterThan(0);
    for (const { frames, steps, outcome } of kept) {
      expect(frames.kind).toBe('png');
      if (outcome.kind === 'judged' && frames.kind === 'png')
        expect(frames.images).toHaveLength(steps.length + 1);
    }
    expect(kept.filter(({ outcome }) => outcome.kind === 'judged').length).toBeGreaterThan(0);
    expect(left()).toEqual([]);
  });

  test('its weights run on web desktops, and no browser remains', async () => {
    const examined = await run('eval', '--instances', '1', '--json');
    expect(examined.status, examined.stderr).toBe(0);
    const { trials, tasks } = JSON.parse(examined.stdout);
    const broken = tasks.reduce((sum: number, task: { broken: number }) => sum + task.broken, 0);
    expect([trials + broken, broken]).toEqual([tasks.length, 0]);
    const tried = await run('run', '--seed', 'one', '--steps', '3');
    expect(tried.status, tried.stderr).toBe(0);
    const page = readFileSync(join(folder, /All screens: (\S+)/.exec(tried.stdout)?.[1] ?? ''), 'utf8');
    const steps = [...tried.stdout.matchAll(/^ +\d+ {2}\S.* %/gm)].length;
    expect([...page.matchAll(/data:image\/png/g)]).toHaveLength(steps + 1);
    expect(left()).toEqual([]);
  });

  test('collects successes of scripts, and of its own weights', async () => {
    const scripted = await run('collect', '--oracle', '--tier', '1', '--instances', '1');
    expect(scripted.status, scripted.stderr).toBe(0);
    expect(scripted.stdout).toMatch(/\n +total +(\d+) +\1 +\1 +\d+\n/);
    const weighed = await run('collect', '--from', name, '--instances', '1', '--rollouts', '1');
    expect(weighed.status, weighed.stderr).toBe(0);
    expect(left()).toEqual([]);
  });

  test('its checkpoint begins a run on pocket desktops', async () => {
    const pocket = workspaceWith({
      suite: { tasks: ['settings-theme'] },
      evaluation: { instances: 1, lastInstances: 1 },
    });
    const trained = await pocket.run('train', '--minutes', '0.05', '--from', join(runs, name));
    expect(trained.status, trained.stderr).toBe(0);
  });

  test('the doctor starts the browser and reports its version', async () => {
    const { stdout } = await run('doctor', '--json');
    const { findings } = JSON.parse(stdout);
    expect(findings.find((finding: { name: string }) => finding.name === 'Web')).toMatchObject({
      ...{ state: 'ok', says: expect.stringMatching(/\d+\.\d+\.\d+.* at \S+/) },
    });
    expect(left()).toEqual([]);
  });
});

test('without the configured browser, commands fail with a remedy', async () => {
  const browser = '/no/such/browser';
  const { run } = workspaceWith({ environments: { kind: 'web', web: { browser } } });
  const collected = await run('collect', '--oracle', '--tier', '1', '--instances', '1');
  expect(collected.status).toBe(1);
  expect(collected.stderr).toMatch(/'\/no\/such\/browser' is not a program .*environments\.web\.browser/);
  const { stdout, status } = await run('doctor');
  expect(status).toBe(1);
  expect(stdout).toContain(browser);
});

const withoutPages = missingBrowser ?? (existsSync(MINIWOB) ? undefined : `There is no folder ${MINIWOB}.`);
if (withoutPages !== undefined) process.stderr.write(`Skipped, MiniWoB++: ${withoutPages}\n`);

test.skipIf(withoutPages !== undefined)(
  'pages of MiniWoB++ train under the instruction that they make',
  async () => {
    const tasks = ['miniwob-click-test', 'miniwob-click-dialog'];
    const { environments, demonstrations: _, ...others } = CONFIG;
    const { folder, run, runs, left } = workspaceWith({
      ...others,
      environments: { ...environments, web: { miniwob: 'pages' } },
      suite: { tasks },
    });
    // The setting is relative to the workspace.
    symlinkSync(MINIWOB, join(folder, 'pages'));
    const trained = await run('train', '--minutes', '0.15');
    expect(trained.status, trained.stderr).toBe(0);
    const kept = await storedTrajectories(runs);
    expect(new Set(kept.map(({ instance }) => instance.task))).toEqual(new Set(tasks));
    const judged = kept.flatMap(({ outcome, ...each }) =>
      outcome.kind === 'judged' ? [{ ...each, ...outcome }] : [],
    );
    for (const { instruction, instance } of judged)
      expect(instruction).toMatch(
        instance.task === tasks[0] ? /^Click the button\.$/ : /^Close the dialog box/,
      );
    // Pages end their episodes by themselves.
    expect(
      judged.filter(({ ending, steps }) => ending === 'finished' && steps.at(-1)?.action.kind !== 'finished')
        .length,
    ).toBeGreaterThan(0);
    const examined = await run('eval', '--instances', '2', '--json');
    expect(examined.status, examined.stderr).toBe(0);
    expect(JSON.parse(examined.stdout).trials).toBe(4);
    const { stdout } = await run('doctor', '--json');
    expect(stdout).toMatch(/; \d+ tasks of MiniWoB\+\+/);
    expect(left()).toEqual([]);
  },
);
