import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type TrainOptions, train } from '../../runtime/cli/train.ts';
import type { Config } from '../../runtime/config/config.ts';
import { resolve } from '../../runtime/config/config.ts';
import { settingsFromText } from '../../runtime/config/config-file.ts';
import { type RunId, runId } from '../../runtime/core/ids.ts';
import type { CollectionState } from '../../runtime/protocol/daemon/collection.ts';
import type { RecordingState } from '../../runtime/protocol/daemon/record.ts';
import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import type { StartOptions } from '../../runtime/server/workspace-runs.ts';
import { passUntil } from '../pass-until.ts';
import { serve } from '../server/client.ts';
import { OwnedRuns } from '../server/owned-runs.ts';
import { playedState } from '../server/played-state.ts';
import { NO_COLLECTIONS, NO_EXCHANGE, NO_RECORDINGS } from '../server/trajectories/none.ts';
import { commandsWith } from './command-context.ts';

/** Ends as it is told to, as soon as it has started. */
class Ending extends OwnedRuns {
  readonly started: { readonly config: Config; readonly options: StartOptions | undefined }[] = [];
  readonly #status: 'running' | 'ended' | 'failed';
  readonly #changes: Partial<RunState>;

  constructor(status: 'running' | 'ended' | 'failed' = 'ended', changes: Partial<RunState> = {}) {
    super();
    this.#status = status;
    this.#changes = changes;
  }

  override async start(config: Config, options?: StartOptions): Promise<RunId> {
    const run = await super.start(config);
    this.started.push({ config, options });
    const message = this.#status === 'failed' ? { message: 'The trainer is gone.' } : {};
    this.show(playedState(90, { run, status: this.#status, ...message, ...this.#changes }));
    return run;
  }
}

const FILE = '{ "minutes": 30, "suite": { "tiers": [2] }, "mode": "a11y_tree" }';

function startWith(runs: Ending, options: Partial<TrainOptions> = {}, text: string | undefined = FILE) {
  const commands = commandsWith(runs, 'The index was rebuilt.');
  writeFileSync(join(commands.folder, 'dartboard.json'), text);
  const begin = (more: Partial<TrainOptions> = {}) =>
    train(commands.context, { port: 0, dryRun: false, ...options, ...more });
  return { ...commands, begin };
}

test('options override the file', async () => {
  const runs = new Ending();
  await startWith(runs, { tier: [1, 3], seed: 'mine' }).begin();
  const file = settingsFromText(FILE, 'dartboard.json');
  const { config } = resolve(file);
  expect(runs.started).toEqual([
    {
      config: { ...config, seed: 'mine', suite: { tiers: [1, 3] } },
      options: undefined,
    },
  ]);
  expect(config).toMatchObject({ minutes: 30, mode: 'a11y_tree' });
});

test('tasks that cannot be trained are an error before anything is shown', async () => {
  const runs = new Ending();
  const { begin, output } = startWith(runs, { desktops: 'docker', tier: [4] });
  await expect(begin()).rejects.toThrow('no tasks of tier 4');
  expect([output.text, runs.started]).toEqual(['', []]);
});

test('a checkpoint that does not exist is an error before anything is shown', async () => {
  const runs = new Ending();
  const { begin, output } = startWith(runs, { from: 'rubbish' });
  await expect(begin()).rejects.toThrow("'rubbish' has no checkpoint");
  expect([output.text, runs.started]).toEqual(['', []]);
});

test('a daemon that does not open prints what the opening of the runs reported', async () => {
  const runs = new Ending();
  const { context, begin, output, errors } = startWith(runs);
  const other = await serve({ pages: context.pages, runs: new OwnedRuns() });
  try {
    await expect(begin({ port: other.port })).rejects.toThrow(`Port ${other.port} is used`);
  } finally {
    await other.close();
  }
  expect(errors).toEqual(['The index was rebuilt.']);
  expect([output.text, runs.asked]).toEqual(['', ['close']]);
});

test.each([
  { where: 'a terminal', isTTY: true, shown: 'dartboard join "http://127.0.0.1:7422#token-1"' },
  { where: 'a file, which others may read', isTTY: false, shown: 'panel Training' },
])('$where shows how other machines join, with the secret only on a terminal', async ({ isTTY, shown }) => {
  const runs = new Ending('ended', { hosts: [] });
  const { context, output } = startWith(runs);
  Object.assign(output, { isTTY });
  await train({ ...context, environment: { TERM: 'dumb' } }, { port: 0, dryRun: false });
  expect(output.text).toContain(shown);
  expect(output.text.includes('token-1')).toBe(isTTY);
});

test('a run on one machine shows no way to join', async () => {
  const { begin, output } = startWith(new Ending());
  await begin();
  expect(output.text).not.toMatch(/join/i);
});

test('--from passes the checkpoint', async () => {
  const runs = new Ending();
  await startWith(runs).begin({ from: 'base' });
  expect(runs.started[0]?.options).toEqual({ from: 'base' });
});

describe('--agent', () => {
  const learner = { kind: 'tinker', url: 'http://localhost:9000', base: 'Qwen/Qwen3.5-4B' };
  const tars = { profile: 'ui-tars-1.5', url: 'http://localhost:8000/v1', model: 'tars' };
  const file = JSON.stringify({ agents: { qwen: { ...tars, learner }, tars } });

  test('trains an agent of dartboard.json with its learner', async () => {
    const runs = new Ending();
    await startWith(runs, { agent: 'qwen' }, file).begin();
    expect(runs.started[0]?.config).toMatchObject({
      agent: 'qwen',
      preset: 'dart-7b',
      agents: { qwen: { learner } },
    });
  });

  test('an agent without a learner is an error that names the setting and the agents that can be trained', async () => {
    const runs = new Ending();
    const { begin, output } = startWith(runs, { agent: 'tars' }, file);
    await expect(begin()).rejects.toThrow(
      /'tars' cannot be trained: it has no learner\. Add 'learner' to 'agents\.tars'.*compact \(built in\), qwen \(Tinker server at http:\/\/localhost:9000\)/,
    );
    expect(runs.asked).toEqual(['close']);
    expect(output.text).not.toContain('Run run-1');
  });

  test('an unknown agent is an error of the option', async () => {
    const { begin } = startWith(new Ending(), { agent: 'mine' }, file);
    await expect(begin()).rejects.toThrow(
      /^--agent: No agent is named 'mine'\. The agents are compact, qwen, tars/,
    );
  });
});

test('the output has the address, the run, its files and the next commands', async () => {
  const runs = new Ending();
  const { begin, folder, output } = startWith(runs);
  mkdirSync(join(folder, 'runs/run-1/checkpoints'), { recursive: true });
  writeFileSync(join(folder, 'runs/run-1/weights.safetensors'), '');
  await begin();
  expect(output.text.startsWith("Open the 'url' of '.dartboard/daemon.json' in a browser.\n")).toBe(true);
  expect(output.text.split('\n')[1]).toBe('The index was rebuilt.');
  expect(output.text).toContain('1:30 of 20:00  ended · solved');
  expect(output.text).toContain('Stopped after 1:30 of 20:00 with a checkpoint.');
  expect(output.text).toMatch(
    /Stored in runs.run-1\n {4}weights\.safetensors {3}the policy\n {4}checkpoints +for 'dartboard resume'\n\n/,
  );
  expect(output.text).toContain('dartboard resume run-1 ');
  expect(output.text).toContain('dartboard run --weights run-1 ');
  expect(runs.asked.at(-1)).toBe('close');
});

test('a stop signal stops the run and the summary names the command to resume', async () => {
  const runs = new Ending('running');
  const { begin, folder, output, stop } = startWith(runs);
  mkdirSync(join(folder, 'runs/run-1/checkpoints'), { recursive: true });
  const begun = begin();
  runs.watch(({ status }) => status === 'running' && stop.abort());
  await begun;
  expect(runs.asked).toEqual(['start run-1', 'stop run-1', 'close']);
  expect(output.text).toMatch(/^Stopping.*checkpoint.*Ctrl-C/m);
  expect(output.text).toMatch(/dartboard resume run-1 +continue where it stopped/);
});

test('a stop signal while the folder opens starts no run', async () => {
  const runs = new Ending();
  const { context, output, stop } = startWith(runs);
  const open: typeof context.open = notice => {
    stop.abort();
    return context.open(notice);
  };
  await train({ ...context, open }, { port: 0, dryRun: false });
  expect([output.text, runs.asked]).toEqual(['', ['close']]);
});

describe('work of other windows', () => {
  const playing = { collection: 'c', status: 'playing', evaluates: 'test' } as CollectionState;

  test('is waited for after the end of the training', async () => {
    const runs = new Ending();
    runs.collections = { ...NO_COLLECTIONS, now: playing };
    const { begin, output, context } = startWith(runs);
    const begun = begin();
    await passUntil(context.clock, () => output.text.includes('other windows: an evaluation'));
    expect(runs.asked).not.toContain('close');
    runs.collections = { ...NO_COLLECTIONS, now: undefined };
    await passUntil(context.clock, () => runs.asked.includes('close'));
    await begun;
  });

  test('is waited for after a stop signal', async () => {
    const runs = new Ending('running');
    runs.collections = { ...NO_COLLECTIONS, now: playing };
    const { begin, output, context, stop } = startWith(runs);
    runs.watch(({ status }) => status === 'running' && stop.abort());
    const begun = begin();
    await passUntil(context.clock, () => output.text.includes('other windows: an evaluation'));
    expect(runs.asked).toEqual(['start run-1', 'stop run-1']);
    runs.collections = { ...NO_COLLECTIONS, now: undefined };
    await passUntil(context.clock, () => runs.asked.includes('close'));
    await begun;
  });

  test.each([
    { of: 'a run that a page started', training: { run: runId('run-2') }, told: "training of 'run-2'" },
    { of: 'a run that is starting', training: {}, told: 'training of a new run' },
  ])('includes $of', async ({ training, told }) => {
    const runs = new Ending();
    runs.trainingNow = training;
    const { begin, output, context } = startWith(runs);
    const begun = begin();
    await passUntil(context.clock, () => output.text.includes(`other windows: the ${told}.`));
    expect(runs.asked).not.toContain('close');
    runs.trainingNow = undefined;
    await passUntil(context.clock, () => runs.asked.includes('close'));
    await begun;
  });

  test('includes imports and exports', async () => {
    const runs = new Ending();
    runs.exchange = { ...NO_EXCHANGE, now: ['export', 'import', 'export'] };
    const { begin, output, context } = startWith(runs);
    const begun = begin();
    await passUntil(context.clock, () => output.text.includes('other windows: '));
    expect(output.text).toContain('an export of trajectories, an import of trajectories. This program');
    runs.exchange = NO_EXCHANGE;
    await passUntil(context.clock, () => runs.asked.includes('close'));
    await begun;
  });

  test('ends at a stop signal', async () => {
    const runs = new Ending();
    runs.recordings = {
      ...NO_RECORDINGS,
      now: () => ({ recording: { task: 'mail-star' } as RecordingState }),
    };
    const { begin, output, context, stop } = startWith(runs);
    const begun = begin();
    await passUntil(context.clock, () => output.text.includes("a recording of 'mail-star'"));
    stop.abort();
    await begun;
    expect(runs.asked.at(-1)).toBe('close');
    expect(output.text).not.toContain('Stopping with a checkpoint');
  });
});

test('without a checkpoint the summary does not suggest to resume', async () => {
  const { begin, output } = startWith(new Ending());
  await begin();
  expect(output.text).not.toContain('resume');
});

test('a run that fails is summarised and is an error', async () => {
  const { begin, output } = startWith(new Ending('failed'));
  await expect(begin()).rejects.toThrow(/'run-1'.*The trainer is gone/);
  expect(output.text).toMatch(/Failed.*1:30.*20:00.*The trainer is gone\./);
});

test('an invalid file starts nothing', async () => {
  const runs = new Ending();
  const { begin, output } = startWith(runs, {}, '{ "minuts": 3 }');
  await expect(begin()).rejects.toThrow(/dartboard\.json:1:3: The setting 'minuts' does not exist/);
  expect(runs.asked).toEqual([]);
  expect(output.text).toBe('');
});

test('contradicting options are an error that names the option', async () => {
  const { begin } = startWith(new Ending(), { preset: 'taught', demonstrations: 0 });
  await expect(begin()).rejects.toThrow(/^--demonstrations: The preset 'taught' needs demonstrations/);
});

describe('--dry-run', () => {
  test('prints a configuration file for the same run and starts nothing', async () => {
    const runs = new Ending();
    const { begin, output, errors } = startWith(runs, { minutes: 7 });
    await begin({ dryRun: true });
    expect(resolve(settingsFromText(output.text, 'printed')).config).toMatchObject({
      minutes: 7,
      mode: 'a11y_tree',
    });
    expect(errors.join('\n')).toMatch(/minutes +7 +command line/);
    expect(errors.join('\n')).toMatch(/mode +"a11y_tree" +dartboard\.json/);
    expect(runs.asked).toEqual([]);
  });

  test('shows the defaults of Docker desktops', async () => {
    const { begin, output, errors } = startWith(new Ending(), { desktops: 'docker' });
    await begin({ dryRun: true });
    expect(resolve(settingsFromText(output.text, 'printed')).config).toMatchObject({
      environments: { kind: 'docker', desktops: 8, docker: { image: 'small' } },
      preset: 'taught',
      exploring: { firstSeconds: 0 },
    });
    expect(errors.join('\n')).toMatch(/environments\.kind +"docker" +command line/);
  });
});
