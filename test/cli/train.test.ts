// What `start` makes of the file and the options, and what its user sees until the run is over.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type StartSettings, start } from '../../runtime/cli/train.ts';
import type { Config } from '../../runtime/config/config.ts';
import { resolve } from '../../runtime/config/config.ts';
import { configIn } from '../../runtime/config/config-file.ts';
import type { RunId } from '../../runtime/core/ids.ts';
import type { StartOptions } from '../../runtime/server/runs.ts';
import { commandsWith } from '../ring-commands.ts';
import { OwnedRuns } from '../server/owned-runs.ts';
import { playedState } from '../server/played-state.ts';

const NOTHING: StartSettings = {
  desktops: undefined,
  preset: undefined,
  curation: undefined,
  tiers: undefined,
  minutes: undefined,
  seed: undefined,
  mode: undefined,
  demonstrations: undefined,
};

/** Ends as it is told to, as soon as it has started. */
class Ending extends OwnedRuns {
  readonly started: { readonly config: Config; readonly options: StartOptions | undefined }[] = [];
  readonly #status: 'running' | 'ended' | 'failed';

  constructor(status: 'running' | 'ended' | 'failed' = 'ended') {
    super();
    this.#status = status;
  }

  override async start(config: Config, options?: StartOptions): Promise<RunId> {
    const run = await super.start(config);
    this.started.push({ config, options });
    const message = this.#status === 'failed' ? { message: 'The trainer is gone.' } : {};
    this.show(playedState(90, { run, status: this.#status, ...message }));
    return run;
  }
}

const FILE = '{ "minutes": 30, "suite": { "tiers": [2] }, "mode": "a11y_tree" }';

function startWith(runs: Ending, settings: Partial<StartSettings> = {}, text: string | undefined = FILE) {
  const commands = commandsWith(runs, 'The index was rebuilt.');
  writeFileSync(join(commands.folder, 'dartboard.json'), text);
  const begin = (more: { readonly dryRun?: boolean; readonly from?: string } = {}) =>
    start({
      ...{ settings: { ...NOTHING, ...settings }, from: more.from, dryRun: more.dryRun ?? false },
      ...commands,
    });
  return { ...commands, begin };
}

test('what options do not say is what the file says', async () => {
  const runs = new Ending();
  await startWith(runs, { tiers: [1, 3], seed: 'mine' }).begin();
  const file = configIn(FILE, 'dartboard.json');
  const { config } = resolve(file);
  expect(runs.started).toEqual([
    {
      config: { ...config, seed: 'mine', suite: { tiers: [1, 3] } },
      options: undefined,
    },
  ]);
  expect(config).toMatchObject({ minutes: 30, mode: 'a11y_tree' });
});

test('what cannot be trained is said before anything is shown', async () => {
  const runs = new Ending();
  const { begin, output } = startWith(runs, { desktops: 'docker', tiers: [4] });
  await expect(begin()).rejects.toThrow('no tasks of tier 4');
  expect([output.text, runs.started]).toEqual(['', []]);
});

test('with a checkpoint it begins with that', async () => {
  const runs = new Ending();
  await startWith(runs).begin({ from: 'weights.safetensors' });
  expect(runs.started[0]?.options).toEqual({ from: 'weights.safetensors' });
});

test('the page is named first, then the run is told, then what it left', async () => {
  const runs = new Ending();
  const { begin, folder, output } = startWith(runs);
  mkdirSync(join(folder, 'runs/run-1/checkpoints'), { recursive: true });
  writeFileSync(join(folder, 'runs/run-1/weights.safetensors'), '');
  await begin();
  expect(output.text).toMatch(
    /^Open http:\/\/127\.0\.0\.1:\d+\/#[\w-]{32} in a browser to watch it there\.\n/,
  );
  expect(output.text.split('\n')[1]).toBe('The index was rebuilt.');
  expect(output.text).toContain('1:30 of 20:00  ended · solved');
  expect(output.text).toContain('Stopped after 1:30 of 20:00; what was learned is kept.');
  expect(output.text).toMatch(
    /Kept in runs.run-1\n {4}weights\.safetensors {3}the policy\n {4}checkpoints +what it takes to go on\n\n/,
  );
  expect(output.text).toContain('dartboard resume run-1 ');
  expect(output.text).toContain('dartboard run --weights run-1 ');
  expect(runs.asked.at(-1)).toBe('close');
});

test('told to stop it stops the run, and says how to go on with it', async () => {
  const runs = new Ending('running');
  const { begin, folder, output, stop } = startWith(runs);
  mkdirSync(join(folder, 'runs/run-1/checkpoints'), { recursive: true });
  const begun = begin();
  runs.watch(({ status }) => status === 'running' && stop.abort());
  await begun;
  expect(runs.asked).toEqual(['start run-1', 'stop run-1', 'close']);
  expect(output.text).toContain('\nStopping with a checkpoint; Ctrl-C once more ends at once.\n');
  expect(output.text).toMatch(/dartboard resume run-1 +go on where it stopped/);
});

test('a run that left no checkpoint cannot be resumed, and nobody is told to', async () => {
  const { begin, output } = startWith(new Ending());
  await begin();
  expect(output.text).not.toContain('resume');
});

test('a run that fails is told whole, and is an error', async () => {
  const { begin, output } = startWith(new Ending('failed'));
  await expect(begin()).rejects.toThrow("The run 'run-1' failed: The trainer is gone.");
  expect(output.text).toContain('Failed after 1:30 of 20:00: The trainer is gone.');
});

test('a file that is wrong starts nothing', async () => {
  const runs = new Ending();
  const { begin, output } = startWith(runs, {}, '{ "minuts": 3 }');
  await expect(begin()).rejects.toThrow(/dartboard\.json:1:3: There is no setting 'minuts'/);
  expect(runs.asked).toEqual([]);
  expect(output.text).toBe('');
});

test('options that make no sense together are named by themselves', async () => {
  const { begin } = startWith(new Ending(), { preset: 'taught', demonstrations: 0 });
  await expect(begin()).rejects.toThrow(/^--demonstrations: The preset 'taught' begins/);
});

describe('--dry-run', () => {
  test('prints a file that gives the same run, and starts nothing', async () => {
    const runs = new Ending();
    const { begin, output, remarks } = startWith(runs, { minutes: 7 });
    await begin({ dryRun: true });
    expect(resolve(configIn(output.text, 'printed')).config).toMatchObject({ minutes: 7, mode: 'a11y_tree' });
    expect(remarks.join('\n')).toMatch(/minutes +7 +command line/);
    expect(remarks.join('\n')).toMatch(/mode +"a11y_tree" +dartboard\.json/);
    expect(runs.asked).toEqual([]);
  });

  test('shows what real desktops bring with them', async () => {
    const { begin, output, remarks } = startWith(new Ending(), { desktops: 'docker' });
    await begin({ dryRun: true });
    expect(resolve(configIn(output.text, 'printed')).config).toMatchObject({
      environments: { kind: 'docker', desktops: 8, docker: { image: 'small' } },
      preset: 'taught',
      exploring: { firstSeconds: 0 },
    });
    expect(remarks.join('\n')).toMatch(/environments\.kind +"docker" +command line/);
  });
});
