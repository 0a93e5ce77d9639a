// Reading runs and evaluations from disk, whole and damaged, and the command that compares them.

import {
  appendFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { compare } from '../../runtime/cli/compare.ts';
import { readAgentEvaluation } from '../../runtime/compare/read/agent-evaluation.ts';
import { readRun } from '../../runtime/compare/read/read-run.ts';
import { recordedComparison } from '../../runtime/compare/recorded-comparison.ts';
import { writeReportFiles } from '../../runtime/compare/write-files.ts';
import { groupId, type RunId, taskId, version } from '../../runtime/core/ids.ts';
import type { Step } from '../../runtime/core/step.ts';
import { thisProgram, withProgram } from '../../runtime/run/folders/program-versions.ts';
import { contextWithoutProcesses } from '../cli/command-context.ts';
import { step, trajectory } from '../data/trajectories.ts';
import { expectNamed } from '../named-values.ts';
import { temporaryFolder } from '../temporary.ts';
import { ledgerLine, makeRun, store, TASKS } from './run-folders.ts';

const never = () => false;
const half = (_: number, instance: number) => instance < 2;
const most = (task: number, instance: number) => instance < 4 - task;

let root: string;
let run: RunId;
beforeEach(async () => {
  root = temporaryFolder('compare');
  run = await makeRun({ root, name: 'one', solves: [never, half, most] });
});

const inRun = (...names: readonly string[]): string => join(root, run, ...names);

/** All files of trajectories of one group. */
function filesOf(number: number): readonly string[] {
  const folder = inRun('trajectories');
  return readdirSync(folder).flatMap(bucket =>
    readdirSync(join(folder, bucket))
      .filter(name => name.includes(`.e${number}.`))
      .map(name => join(folder, bucket, name)),
  );
}

/** The file of one of its episodes that did not break. */
const judgedFile = (number: number): string => filesOf(number).find(name => !name.includes('.99.')) ?? '';

test('a whole run is read completely', async () => {
  const read = await readRun(inRun());
  expect(read).toMatchObject({
    ...{ name: run, status: 'ended', seconds: 200, plannedSeconds: 200, steps: 50, updates: 90 },
    ...{ missing: [], programs: [thisProgram()] },
    evaluation: { version: 20, seconds: 200, broken: 0 },
  });
  expect(read.config).toMatchObject({ seed: 'one' });
  expect(read.curve.map(({ seconds, rate, cost }) => [seconds, rate, cost])).toEqual([
    [0, 0, { tokens: 0 }],
    [100, 0.5, { tokens: 10_000 }],
    [200, 0.75, { tokens: 20_000 }],
  ]);
  expect(read.curation.at(-1)).toMatchObject({
    seconds: 200,
    pool: 20,
    rollouts: 8,
    staleness: 3,
    trainable: 200,
    // Without those that a restart loses.
    dropped: 1,
  });
  const episodes = read.evaluation?.episodes ?? [];
  expect(episodes).toHaveLength(12);
  for (const { task, seed, success } of episodes)
    expect(success).toBe(most(TASKS.indexOf(task), seed - 1000));
});

describe('a damaged run', () => {
  test('without run.json or with a broken one lacks its settings alone', async () => {
    for (const damage of [
      () => writeFileSync(inRun('run.json'), '{"format"'),
      () => rmSync(inRun('run.json')),
    ]) {
      damage();
      const read = await readRun(inRun());
      expect(read.config).toBeUndefined();
      expect(read.curve).toHaveLength(3);
      expect(read.evaluation?.episodes).toHaveLength(12);
      expect(read.missing).toHaveLength(1);
      expectNamed(read.missing[0], 'run.json', 'lacks its settings', 'Restore');
    }
  });

  test('of another version has its settings as they are written', async () => {
    const text = readFileSync(inRun('run.json'), 'utf8');
    writeFileSync(inRun('run.json'), text.replace('"curation": {', '"curation": { "newSetting": 3,'));
    const read = await readRun(inRun());
    expect(read.config).toMatchObject({ seed: 'one', curation: { newSetting: 3 } });
    expect(read.missing).toHaveLength(1);
    expectNamed(read.missing[0], 'run.json', 'newSetting', 'as they are written', 'version');
  });

  test('without state.json lacks its counts, with a broken curve.csv it takes the curve of state.json', async () => {
    writeFileSync(inRun('curve.csv'), 'seconds,split\nfive,test\n');
    const curve = await readRun(inRun());
    expect(curve.curve).toHaveLength(3);
    expectNamed(curve.missing[0], 'curve.csv', 'state.json', 'Restore');
    rmSync(inRun('state.json'));
    const neither = await readRun(inRun());
    expect(neither.curve).toEqual([]);
    expect(neither.steps).toBeUndefined();
    expect(neither.missing.map(message => /state\.json|curve\.csv|no curve/.exec(message)?.[0])).toEqual([
      'state.json',
      'curve.csv',
      'no curve',
    ]);
  });

  test('without metrics.csv lacks its curation; a row that was cut off is skipped', async () => {
    const whole = await readRun(inRun());
    appendFileSync(inRun('metrics.csv'), '201,5');
    expect((await readRun(inRun())).curation).toEqual(whole.curation);
    rmSync(inRun('metrics.csv'));
    const read = await readRun(inRun());
    expect(read.curation).toEqual([]);
    expectNamed(read.missing[0], 'metrics.csv', 'curation', 'Restore');
  });

  test('episodes that retention deleted are taken from the ledger', async () => {
    const before = await readRun(inRun());
    for (const file of filesOf(4)) {
      appendFileSync(join(root, 'outcomes.jsonl'), ledgerLine(file));
      rmSync(file);
    }
    appendFileSync(join(root, 'outcomes.jsonl'), '{"cut');
    const after = await readRun(inRun());
    expect(after.missing).toEqual([]);
    const sorted = (all: typeof after) =>
      all.evaluation?.episodes.map(({ task, seed, success }) => `${task} ${seed} ${success}`).sort();
    expect(sorted(after)).toEqual(sorted(before));
  });

  test('with a damaged file of the last evaluation it uses an earlier one, and names the file', async () => {
    const file = judgedFile(4);
    truncateSync(file, 20);
    const read = await readRun(inRun());
    expect(read.evaluation).toMatchObject({ version: 10, seconds: 100 });
    expectNamed(read.missing[0], 'version 20', 'version 10', basename(file), 'Restore');
    expect(read.missing[0]).not.toContain('data.retention');
    for (const each of [0, 2].flatMap(filesOf)) rmSync(each);
    const bare = await readRun(inRun());
    expect(bare.evaluation).toBeUndefined();
    expectNamed(bare.missing[0], 'version 20', 'no results per task', basename(file), 'Restore');
    expect(bare.missing[0]).not.toContain('data.retention');
  });

  test('with a folder that cannot be read it names the folder; a file is ignored', async () => {
    writeFileSync(inRun('trajectories', '.DS_Store'), '');
    expect((await readRun(inRun())).missing).toEqual([]);
    symlinkSync('loop', inRun('trajectories', 'loop'));
    const read = await readRun(inRun());
    expect(read.evaluation).toBeUndefined();
    expect(read.curve).toHaveLength(3);
    expectNamed(read.missing[0], 'no results per task', join('trajectories', 'loop'));
  });

  test('without all episodes of the last evaluation it uses an earlier one, and says so', async () => {
    rmSync(judgedFile(4));
    // It does not explain why an episode of the last one is missing.
    truncateSync(judgedFile(2), 20);
    const read = await readRun(inRun());
    expect(read.evaluation).toMatchObject({ version: 0, seconds: 0 });
    expectNamed(read.missing[0], 'version 20', 'version 0', 'data.retention');
    rmSync(inRun('trajectories'), { recursive: true });
    const bare = await readRun(inRun());
    expect(bare.evaluation).toBeUndefined();
    expectNamed(bare.missing[0], 'version 20', 'no results per task', 'data.retention');
  });
});

describe('an evaluation of an agent', () => {
  let files: readonly string[];
  beforeEach(() => {
    const served = { endpoint: 'e', model: 'm', latencyMs: 10, retries: [] };
    const reply: Step = {
      ...step(1, 0.5),
      chosen: {
        version: version(1),
        trace: {
          ...{ kind: 'tokens', tokens: [], estimator: 'none', finish: 'stop', raw: 'x', defects: [] },
          served: { ...served, promptTokens: 100, completionTokens: 10, cost: 0.5 },
        },
      },
    };
    files = TASKS.map((task, index) => {
      const { run: _, ...episode } = trajectory(`evaluate-abc.${index}.0`, {
        ...{ group: groupId(`evaluate-abc.${index}`), purpose: 'evaluate', agent: 'tars' },
        steps: [reply],
      });
      return store(root, { ...episode, instance: { ...episode.instance, task: taskId(task) } });
    });
  });

  test('is read by its name', async () => {
    const { runs } = await recordedComparison({ root, runs: [], evaluations: ['evaluate-abc'], now: 0 });
    expect(runs).toMatchObject([{ kind: 'evaluation', agent: 'tars', episodes: 3, success: { rate: 1 } }]);
  });

  test('counts an episode once that is both a file and a line of the ledger', async () => {
    const read = () => readAgentEvaluation(root, 'evaluate-abc');
    const before = await read();
    expect(before).toMatchObject({ steps: 3, cost: { tokens: 3 * 110, money: 1.5 } });
    for (const file of files) appendFileSync(join(root, 'outcomes.jsonl'), ledgerLine(file));
    expect(await read()).toEqual(before);
  });

  test('an unknown name is an error that proposes a known one', async () => {
    const asked = recordedComparison({ root, runs: [], evaluations: ['evaluate-abd'], now: 0 });
    const error = await asked.catch((each: unknown) => String(each));
    expectNamed(String(error), "'evaluate-abd'", "'evaluate-abc'");
  });
});

test('programs are listed once each, in order', () => {
  const [one, two] = [thisProgram(), { ...thisProgram(), node: '1.0.0' }];
  expect(withProgram([], one)).toEqual([one]);
  expect(withProgram([one], one)).toEqual([one]);
  expect(withProgram([one], two)).toEqual([one, two]);
  expect(withProgram([one, two], one)).toEqual([one, two, one]);
});

describe('dartboard compare', () => {
  let other: RunId;
  beforeEach(async () => {
    other = await makeRun({ root, name: 'two', curation: 'grpo', solves: [never, never, half] });
  });

  const commandIn = (folder: string) => {
    const { context, output, errors } = contextWithoutProcesses();
    return { context: { ...context, folder, root }, output, errors };
  };

  test('writes the report and the CSV files, and no other file', async () => {
    const folder = temporaryFolder('reports');
    const { context, output } = commandIn(folder);
    await compare(context, [run, other], { html: 'out/report.html', csv: 'out/csv' });
    expect(readdirSync(join(folder, 'out')).sort()).toEqual(['csv', 'report.html']);
    expect(readdirSync(join(folder, 'out/csv')).sort()).toEqual(['curves.csv', 'runs.csv', 'tasks.csv']);
    expect(readFileSync(join(folder, 'out/report.html'), 'utf8')).toContain(
      'curation dart against curation grpo',
    );
    expectNamed(output.text, run, '75.0 %', other, '50.0 %', 'out/report.html', 'tasks.csv');
  });

  test('tells runs of the same name in two workspaces apart', async () => {
    const elsewhere = temporaryFolder('workspace');
    cpSync(join(root, run), join(elsewhere, run), { recursive: true });
    const { context, output } = commandIn(temporaryFolder('reports'));
    await compare(context, [run, join(elsewhere, run)], { json: true });
    const { arms } = JSON.parse(output.text);
    expect(arms.flatMap((arm: { members: readonly string[] }) => arm.members)).toEqual([
      join(root, run),
      join(elsewhere, run),
    ]);
  });

  test('prints the numbers as JSON, and what is missing on standard error', async () => {
    rmSync(inRun('metrics.csv'));
    const { context, output, errors } = commandIn(temporaryFolder('reports'));
    await compare(context, [run, join(root, other), run], { json: true });
    expect(JSON.parse(output.text)).toMatchObject({
      format: 'dartboard-comparison-1',
      arms: [{ members: [run] }, { members: [other] }],
      differences: [{ instances: 12, difference: { value: 0.25 } }],
    });
    expectNamed(errors.join('\n'), 'metrics.csv');
  });

  test.each([
    [['2026-no-such-run'], "'2026-no-such-run'"],
    [[''], "''"],
    [[], '0 runs'],
  ])('%j is an error that names it', async (names, named) => {
    const { context } = commandIn(temporaryFolder('reports'));
    const error = await compare(context, names, {}).catch((each: unknown) => String(each));
    expectNamed(String(error), named);
  });

  test('a place that cannot be written leaves no part of a file', async () => {
    const folder = temporaryFolder('reports');
    writeFileSync(join(folder, 'a-file'), '');
    const writing = writeReportFiles(
      [
        { path: join(folder, 'one.csv'), text: 'one' },
        { path: join(folder, 'a-file', 'two.csv'), text: 'two' },
      ],
      '--csv',
    );
    const error = await writing.catch((each: unknown) => String(each));
    expectNamed(String(error), 'a-file', '--csv');
    expect(readdirSync(folder)).toEqual(['a-file']);
  });
});
