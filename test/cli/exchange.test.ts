// `dartboard export` and `dartboard import` between two workspaces, with and without a daemon. Needs the bundles that `npm test` builds first.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CliContext } from '../../runtime/cli/context.ts';
import { exchangeFor } from '../../runtime/cli/exchange.ts';
import { openRuns } from '../../runtime/cli/foreground.ts';
import { runProgram } from '../../runtime/cli/program.ts';
import { desktopId, runId, seed, taskId, trajectoryId } from '../../runtime/core/ids.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import { keptOf } from '../../runtime/data/files/lines.ts';
import { SuccessPool } from '../../runtime/data/pool/pool.ts';
import { SuccessReplay } from '../../runtime/discovery/replay/success-replay.ts';
import { PocketDesktop } from '../../runtime/environments/pocket/desktop.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import { DAEMON_FILE } from '../../runtime/protocol/daemon/daemon-file.ts';
import type { ImportReport } from '../../runtime/protocol/daemon/exchange.ts';
import { type Daemon, openDaemon } from '../../runtime/server/daemon.ts';
import { opened } from '../data/open-stores.ts';
import { discovery } from '../discovery/discovery-fixture.ts';
import { temporaryFolder } from '../temporary.ts';
import { lockOfOther } from './lock-of-other.ts';
import { file } from './terminal/screen.ts';

const MODE = 'screenshot_a11y_tree';
const bundle = (name: string): URL => new URL(`../../dist/${name}.js`, import.meta.url);
const PAGES = new URL('../../dist/webview/', import.meta.url);

function workspace() {
  const folder = temporaryFolder('workspace');
  const output = file();
  const errors: string[] = [];
  const context: CliContext = {
    ...{ folder, root: join(folder, '.dartboard/runs'), pages: PAGES, program: 'dartboard' },
    entries: {
      ...{ engine: bundle('engine'), frames: bundle('frames'), host: bundle('host') },
      ...{ index: bundle('index'), inference: bundle('inference'), trainer: bundle('trainer') },
      worker: bundle('worker'),
    },
    ...{ output, environment: {}, clock: systemClock, stopSignal: () => new AbortController().signal },
    printError: text => void errors.push(text),
  };
  const run = async (...args: readonly string[]) => {
    const before = output.text.length;
    errors.length = 0;
    const code = await runProgram(context, args);
    return { code, text: output.text.slice(before), errors: errors.join('\n') };
  };
  return { folder, context, run };
}

/** A workspace with the scripted solution of a task of the pocket desktop, as its file has it. */
async function withSolution(task: string, changes: Partial<Trajectory> = {}) {
  const made = workspace();
  const { one } = discovery({ mode: MODE });
  const shown = await one.demonstrate(taskId(task), POCKET.seed('train', 0));
  if (shown === undefined) throw new Error(`${task} cannot be shown`);
  const fresh = { ...shown, ...changes };
  const { store } = await opened({ root: made.context.root });
  await store.ingest(fresh);
  await store.close();
  return { ...made, solution: keptOf(fresh) };
}

const reportIn = (text: string): ImportReport => JSON.parse(text);
const actionsOf = ({ steps }: Trajectory) => steps.map(({ action }) => action);

test('what one workspace exports as OSWorld results, another one imports, accepts and learns from', async () => {
  const { solution, folder, run } = await withSolution('notes-save-as');
  const out = join(folder, 'results');
  expect(
    await run('export', 'osworld', '--only', 'successes', '--split', 'train', '--out', 'results'),
  ).toMatchObject({
    code: 0,
    text: `Exporting to ${out} as OSWorld results …\n1 trajectory exported to ${out} as OSWorld results.\n`,
  });
  expect(readdirSync(out)).toEqual(['.dartboard-export', 'pyautogui']);
  expect(await run('export', 'dart', '--out', 'results')).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/has files of an earlier export, such as 'pyautogui\/.*--replace/),
  });
  expect(await run('export', 'osworld', '--out', 'results', '--replace')).toMatchObject({ code: 0 });

  const other = workspace();
  const first = await other.run('import', out, '--json');
  expect(first).toMatchObject({ code: 0, errors: '' });
  const report = reportIn(first.text);
  expect(report).toMatchObject({
    counts: { stored: 1, known: 0, skipped: 0 },
    trajectories: [
      {
        ...{ format: 'osworld', task: 'notes-save-as', steps: solution.steps.length, outcome: 'success' },
        ...{ score: 1, unreadable: 0, isKnown: false, notes: [], pictures: solution.steps.length + 1 },
      },
    ],
  });
  // It can teach: no reason against it.
  expect(report.trajectories[0]).not.toHaveProperty('untrained');
  expect(reportIn((await other.run('import', out, '--json')).text).counts).toMatchObject({
    ...{ stored: 0, known: 1, skipped: 0 },
  });

  const { store } = await opened({ root: other.context.root });
  const id = trajectoryId(report.trajectories[0]?.trajectory ?? '');
  const imported = await store.read(id);
  expect(actionsOf(imported)).toEqual(actionsOf(solution));
  expect(imported.instruction).toBe(solution.instruction);
  expect(imported.instance).toEqual(solution.instance);
  expect(imported.provenance).toMatchObject({
    ...{ kind: 'imported', format: 'osworld', at: expect.any(Number) },
    from: expect.stringMatching(/^results\/pyautogui\/.+\/traj\.jsonl$/),
  });

  const pool = new SuccessPool(store);
  await pool.accept(id, 'ada');
  const memory = pool.memory({
    ...{ run: 'run-1' as never, tasks: [taskId('notes-save-as')], demonstrationSeeds: new Set([seed(0)]) },
  });
  const [summary] = await memory.summaries();
  const success = summary && (await memory.load(summary));
  if (success === undefined) throw new Error('the member is not in the pool');
  const desktop = new PocketDesktop(desktopId('replay'));
  const fabric = embeddedFabric();
  const replay = (with_: PocketDesktop | undefined) =>
    new SuccessReplay({
      ...{ suite: POCKET, mode: MODE, fabric, clock: systemClock },
      ...(with_ !== undefined && { desktop: with_ }),
    });
  const lessons = await replay(desktop).replay(success);
  const own = await replay(desktop).replay({ ...success, trajectory: solution });
  expect(lessons?.steps.length).toBeGreaterThan(0);
  expect(lessons?.steps).toEqual(own?.steps);
  // Desktops that cannot play an episode again learn nothing from it.
  expect(await replay(undefined).replay(success)).toBeUndefined();
});

test('the workspace that has the original does not store a copy', async () => {
  const { solution, run, context } = await withSolution('settings-theme');
  await run('export', 'osworld', '--out', 'results');
  const report = reportIn((await run('import', 'results', '--json')).text);
  expect(report.counts).toMatchObject({ stored: 0, known: 1, skipped: 0 });
  expect(report.trajectories[0]?.trajectory).toBe(solution.id);
  const { store } = await opened({ root: context.root });
  expect((await store.index.volume()).count).toBe(1);
});

test('each format has its files; DART and AgentNet come back with the same actions', async () => {
  const { solution, folder, run } = await withSolution('settings-theme');
  const filesIn = (place: string) =>
    readdirSync(join(folder, place), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .filter(({ name }) => name !== '.dartboard-export')
      .map(({ name }) => name.replace(/[0-9a-f]{64}/, 'HASH').replace(/_\d+\.png/, '_N.png'));
  for (const format of ['dart', 'agentnet', 'trl', 'llama-factory'])
    expect(await run('export', format, solution.id, '--out', format)).toMatchObject({ code: 0, errors: '' });
  expect([...new Set(filesIn('dart'))].sort()).toEqual(['final_messages.json', 'image_N.png', 'reward.txt']);
  expect(filesIn('agentnet')).toContain('agentnet.jsonl');
  expect([...new Set(filesIn('trl'))].sort()).toEqual(['HASH.png', 'trl.jsonl']);
  expect([...new Set(filesIn('llama-factory'))].sort()).toEqual([
    'HASH.png',
    'dartboard.jsonl',
    'dataset_info.json',
  ]);
  expect(await run('export', 'trl', solution.id, '--out', 'trl', '--json', '--replace')).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^\{.*\}\n$/),
  });
  const [example] = readFileSync(join(folder, 'trl/trl.jsonl'), 'utf8').split('\n');
  const { messages, images } = JSON.parse(example ?? '');
  expect(messages.map(({ role }: { role: string }) => role).slice(0, 3)).toEqual([
    'system',
    'user',
    'assistant',
  ]);
  expect(images).toHaveLength(solution.steps.length);

  for (const format of ['dart', 'agentnet']) {
    const other = workspace();
    const { trajectories } = reportIn((await other.run('import', join(folder, format), '--json')).text);
    const { store } = await opened({ root: other.context.root });
    const imported = await store.read(trajectoryId(trajectories[0]?.trajectory ?? ''));
    expect(actionsOf(imported)).toEqual(actionsOf(solution));
  }
});

test('a run with a damaged run.json is exported by its name, and is suggested for a mistyped one', async () => {
  const { context, run } = await withSolution('settings-theme', { run: runId('run-1') });
  writeFileSync(join(context.root, 'run-1', 'run.json'), '{');
  expect(await run('export', 'osworld', 'run-1', '--out', 'results')).toMatchObject({
    code: 0,
    text: expect.stringContaining('1 trajectory exported'),
  });
  expect(await run('export', 'osworld', 'run-2', '--out', 'others')).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^No run and no trajectory is called 'run-2'\. Did you mean 'run-1'\?$/m),
  });
});

test('a trim decides which steps train, and results keep all', async () => {
  const { solution, folder, context, run } = await withSolution('settings-theme');
  const { length } = solution.steps;
  const { store } = await opened({ root: context.root });
  await store.label(solution.id, { kind: 'trim', part: { from: 1, to: length } }, 'ada');
  await store.close();
  const stepsIn = async (format: string, ...args: readonly string[]): Promise<number> => {
    const out = join(folder, [format, ...args].join(''));
    const { text } = await run('export', format, '--out', out, ...args);
    expect(text.includes('only the part to learn from')).toBe(format !== 'osworld' && args.length === 0);
    const other = workspace();
    return reportIn((await other.run('import', out, '--json')).text).counts.steps;
  };
  for (const format of ['dart', 'agentnet']) {
    expect(await stepsIn(format)).toBe(length - 1);
    expect(await stepsIn(format, '--whole')).toBe(length);
  }
  expect(await stepsIn('osworld')).toBe(length);
});

const daemonOf = (context: CliContext): Promise<Daemon> =>
  openDaemon({
    ...{ pages: PAGES, port: 0, keepTraining: false, clock: systemClock, say: () => undefined },
    file: join(context.folder, DAEMON_FILE),
    open: () => openRuns(context)(() => undefined),
  });

test('a running daemon imports and exports for the command', async () => {
  const { folder, run: runThere } = await withSolution('settings-theme');
  await runThere('export', 'agentnet', '--out', 'agentnet');
  const { context, run } = workspace();
  const daemon = await daemonOf(context);
  try {
    const { text, code } = await run('import', join(folder, 'agentnet'));
    expect(code).toBe(0);
    expect(text).toMatch(/^1 trajectory imported from .+agentnet\.\nThey have \d+ steps\.\nThey train once/);
    const { rows } = await daemon.runs.trajectories.list({
      ...{ filter: { provenances: ['imported'] }, sort: 'endedAt', descending: true, offset: 0, limit: 10 },
    });
    expect(rows).toMatchObject([{ task: 'settings-theme', provenance: 'imported', outcome: 'success' }]);
    expect((await daemon.runs.trajectories.whole(trajectoryId(rows[0]?.trajectory ?? ''))).source).toBe(
      'agentnet/agentnet.jsonl, line 1 (agentnet)',
    );
    expect((await run('export', 'dart', '--out', 'dart')).text).toMatch(/^1 trajectory exported to/m);
  } finally {
    await daemon.close();
  }
});

test('a command waits for a daemon that has locked the folder and has no file yet', async () => {
  const { solution, folder, context } = await withSolution('settings-theme');
  const lock = lockOfOther(context.root);
  const daemons: Daemon[] = [];
  const clock = {
    now: () => 0,
    async sleep() {
      lock.release();
      daemons.push(await daemonOf(context));
    },
  };
  const exchange = await exchangeFor({ ...context, clock }, 'a test');
  try {
    const out = join(folder, 'dart');
    const { counts } = await exchange.export({ format: 'dart', out, trajectories: [solution.id] });
    expect(counts.trajectories).toBe(1);
  } finally {
    await exchange.close();
    for (const daemon of daemons) await daemon.close();
  }
  expect(daemons).toHaveLength(1);
});

test('a picture that the source lacks is named, and the others are shown', async () => {
  const { folder, run: runThere } = await withSolution('settings-theme');
  await runThere('export', 'osworld', '--out', 'results');
  const all = readdirSync(join(folder, 'results'), { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of all) if (name === 'step_1.png') rmSync(join(parentPath, name));
  const { context, run } = workspace();
  const report = reportIn((await run('import', join(folder, 'results'), '--json')).text);
  expect(report.trajectories[0]?.notes).toEqual(["The picture 'step_1.png' is missing."]);
  const id = trajectoryId(report.trajectories[0]?.trajectory ?? '');
  const runs = await openRuns(context)(() => undefined);
  try {
    const { frames } = await runs.trajectories.whole(id);
    expect(frames.doubt).toBe(`Its file has ${frames.count - 1} of ${frames.count} pictures.`);
    await expect(runs.trajectories.frame(id, 1)).rejects.toThrow(/has no picture 1: its source lacks it/);
    expect((await runs.trajectories.frame(id, 2)).about).toMatchObject({ width: 320, height: 240 });
  } finally {
    await runs.close();
  }
});

test('unknown names, empty sources and bad files end with a message and the exit code 1', async () => {
  const { folder, run } = workspace();
  expect(await run('import', 'nowhere')).toMatchObject({
    code: 1,
    errors: `The path '${join(folder, 'nowhere')}' does not exist. Give a folder, a .json, .jsonl or .zip file.`,
  });
  writeFileSync(join(folder, 'bad.json'), '{');
  const bad = await run('import', 'bad.json');
  expect(bad.code).toBe(1);
  expect(bad.text).toMatch(/Skipped: bad\.json\. It is no JSON/);
  expect(bad.errors).toBe(
    "Nothing was imported from 'bad.json'. Repair the files that are named above, or see docs/formats.md.",
  );
  expect(await run('export', 'osworld', 'nobody', '--out', 'x')).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^No run and no trajectory is called 'nobody'\. 'dartboard runs' lists/),
  });
  expect(await run('export', 'osworld', '--out', 'x')).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^No stored trajectory fits/),
  });
  expect((await run('export', 'csv', '--out', 'x')).code).toBe(1);
});
