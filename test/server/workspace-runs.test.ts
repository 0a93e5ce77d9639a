// Runs from their start to their end, whenever somebody stops them or something breaks, with model processes for host and trainer.
// Needs the bundle of the index that `npm test` builds first.

import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Config, parseConfig } from '../../runtime/config/config.ts';
import { type RunId, runId } from '../../runtime/core/ids.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { FolderInUseError } from '../../runtime/data/files/lock.ts';
import { NO_RUN, placeOf, TRAJECTORIES } from '../../runtime/data/files/places.ts';
import { encodeTrajectory } from '../../runtime/data/files/trajectory-file.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { RunError } from '../../runtime/server/run-error.ts';
import { WorkspaceRuns } from '../../runtime/server/workspace-runs.ts';
import { FRAMES_ENTRY, INDEX_ENTRY } from '../data/open-stores.ts';
import { folder, trajectory } from '../data/trajectories.ts';
import { program } from '../e2e/program.ts';
import { below } from '../e2e/training.ts';
import { png } from '../environments/offline/experts.ts';
import { PATIENCE } from '../patience.ts';

let entry: URL;
beforeAll(async () => {
  entry = await program(new URL('../run/model-modules.ts', import.meta.url));
});

/** `does` is what the modules do. */
const config = (does: string, minutes = 60): Config =>
  parseConfig({
    suite: { tasks: ['settings-theme'] },
    seed: does,
    minutes,
    environments: { desktops: 2 },
    evaluation: { everySeconds: 3600, instances: 1, lastInstances: 1, desktops: 1 },
  });

async function opened(root = folder(), freeMb?: () => Promise<number>) {
  const notices: string[] = [];
  const modules = { host: entry, trainer: entry, worker: entry, engine: entry };
  const entries = { ...modules, index: INDEX_ENTRY, frames: FRAMES_ENTRY };
  const notice = (message: string) => void notices.push(message);
  const runs = await WorkspaceRuns.open({
    ...{ root, entries, clock: systemClock, notice },
    ...(freeMb !== undefined && { freeMb }),
  });
  onTestFinished(() => runs.close());
  const first = () => vi.waitUntil(async () => (await runs.list())[0]?.run, PATIENCE).then(runId);
  const until = (run: RunId, holds: (state: NonNullable<ReturnType<typeof runs.state>>) => boolean) =>
    vi.waitUntil(() => {
      const state = runs.state(run);
      return state !== undefined && holds(state);
    }, PATIENCE);
  return { root, runs, notices, first, until };
}

/** Files and folders that other users can read or write. Windows has no such modes. */
const openToOthers = (root: string): readonly string[] =>
  process.platform === 'win32'
    ? []
    : ['.', ...readdirSync(root, { recursive: true, encoding: 'utf8' })].filter(
        path => (statSync(join(root, path)).mode & 0o077) !== 0,
      );

const modules = () => below(process.pid).filter(({ command }) => command.includes(fileURLToPath(entry)));

/** It has ended well, everything is let go of, and it can go on. */
async function expectEnded(runs: WorkspaceRuns, run: RunId): Promise<void> {
  expect(runs.state(run)).toMatchObject({ status: 'ended', waiting: [] });
  expect(modules()).toEqual([]);
  const seconds = runs.state(run)?.seconds ?? 0;
  const resumed = runs.resume(run, 3600);
  await vi.waitUntil(() => modules().length > 0, PATIENCE);
  await runs.stop(run);
  await resumed;
  expect(runs.state(run)).toMatchObject({ status: 'ended', waiting: [] });
  expect(runs.state(run)?.seconds).toBeGreaterThanOrEqual(seconds);
  expect(modules()).toEqual([]);
}

describe('a run', () => {
  test('ends after its time, is evaluated at its start and end, and continues with more time', async () => {
    const { runs, root } = await opened();
    const run = await runs.start(config('works', 0.01));
    expect(modules()).toHaveLength(2);
    const ended = await runs.ended(run);
    expect(ended).toMatchObject({ status: 'ended', seconds: 0.6, of: 0.6, waiting: [], problems: [] });
    const curve = ended?.curve ?? [];
    expect(curve.map(({ split }) => split)).toEqual(['test', 'train', 'test', 'train']);
    // How far training was at the first depends on the machine.
    const [first, , last] = curve.map(({ version }) => version);
    expect(last).toBeGreaterThan(first ?? Number.NaN);
    await expect(runs.resume(run)).rejects.toThrow(/all of its 0.01 minutes/);
    // What could not be read again afterwards is refused, and the run is as it was.
    await expect(runs.resume(run, 60 * 20_000)).rejects.toThrow(/minutes/);
    expect(await runs.list()).toMatchObject([{ run, status: 'ended' }]);
    await runs.resume(run, 1.2);
    expect((await runs.ended(run))?.seconds).toBeCloseTo(1.2);
    expect(runs.state(run)?.curve).toHaveLength(6);
    expect(openToOthers(root)).toEqual([]);
    await expectEnded(runs, run);
  });

  test('whose daemon is killed after its time can be resumed once, to be evaluated and saved', async () => {
    const { root, runs } = await opened();
    const run = await runs.start(config('works', 0.01));
    const before = await runs.ended(run);
    await runs.close();
    // As the daemon writes it until the end.
    const file = join(root, run, 'run.json');
    await writeFile(
      file,
      JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), status: 'stopping' }),
    );
    const again = await opened(root);
    expect(await again.runs.list()).toMatchObject([{ run, status: 'failed', seconds: 0.6 }]);
    await expect(again.runs.resume(run, 0.3)).rejects.toThrow(/all of its 0.005 minutes/);
    await again.runs.resume(run);
    const ended = await again.runs.ended(run);
    expect(ended).toMatchObject({ status: 'ended', seconds: 0.6, waiting: [] });
    expect(ended?.curve).toHaveLength((before?.curve.length ?? Number.NaN) + 2);
    await expect(again.runs.resume(run)).rejects.toThrow(/all of its 0.01 minutes/);
  });

  test('does not start or resume on a disk that is almost full, and leaves no folder', async () => {
    const { runs, root } = await opened(folder(), async () => 150);
    const refused = /^The disk of '.*' has 150 MB of free space, but a run needs 200 MB\. Free some space\.$/;
    await expect(runs.start(config('works'))).rejects.toThrow(refused);
    await expect(runs.resume(runId('any'))).rejects.toThrow(refused);
    expect(await runs.list()).toEqual([]);
    expect((await readdir(root)).filter(name => name.includes('works'))).toEqual([]);
  });

  test('over several machines does not start without its broker, and leaves no folder', async () => {
    const { runs, root } = await opened();
    const fabric = { kind: 'nats', servers: ['nats://127.0.0.1:1'] };
    await expect(runs.start(parseConfig({ fabric }))).rejects.toThrow(/nats:\/\/127\.0\.0\.1:1.*fabric/);
    expect(await runs.list()).toEqual([]);
    expect(readdirSync(root).filter(name => name.endsWith('-dartboard'))).toEqual([]);
  });

  test('that is stopped while it starts ends soon, and so does the call that started it', async () => {
    const { runs, first } = await opened();
    const started = runs.start(config('never ready'));
    const run = await first();
    await vi.waitUntil(() => modules().length === 2, PATIENCE);
    expect(runs.trainingNow).toEqual({ run });
    await runs.stop(run);
    expect(runs.trainingNow).toBeUndefined();
    expect(await started).toBe(run);
    await expectEnded(runs, run);
  });

  test('that is stopped during its first evaluation ends soon', async () => {
    const { runs, until } = await opened();
    const run = await runs.start(config('never evaluates'));
    await until(run, ({ waiting }) => waiting.some(({ module }) => module === 'evaluation'));
    await runs.stop(run);
    expect(runs.state(run)?.curve).toEqual([]);
    await expectEnded(runs, run);
  });

  test('that is stopped during its last evaluation ends soon', async () => {
    const { runs, until } = await opened();
    const run = await runs.start(config('evaluates once', 0.01));
    await until(run, ({ message }) => message === 'evaluating the final weights');
    await runs.stop(run);
    expect(runs.state(run)?.curve).toHaveLength(2);
    await expectEnded(runs, run);
  });

  test('that is paused orders nothing and its time stops, until it is continued or stopped', async () => {
    const { runs, until } = await opened();
    const run = await runs.start(config('works'));
    await until(run, ({ curve }) => curve.length === 2);
    await runs.pause(run);
    // Before the file of the run is written again.
    expect((await runs.list()).find(each => each.run === run)?.status).toBe('paused');
    await expect(runs.pause(run)).rejects.toThrow(/The run is paused/);
    await until(run, ({ waiting }) => waiting.some(({ reason }) => reason.startsWith('to be resumed')));
    const { seconds, data } = runs.state(run) ?? {};
    const version = runs.state(run)?.trainer.version ?? 0;
    // As long as a new version takes.
    await until(run, ({ trainer }) => trainer.version > version + 1);
    expect(runs.state(run)).toMatchObject({ status: 'paused', seconds });
    expect(runs.state(run)?.data.books.submitted).toBe(data?.books.submitted);
    await runs.continue(run);
    await until(run, state => state.seconds > (seconds ?? 0) + 0.1);
    await runs.pause(run);
    const stood = runs.state(run)?.seconds;
    await runs.stop(run);
    expect(runs.state(run)?.seconds).toBe(stood);
    await expectEnded(runs, run);
  });

  test('whose curator fails ends as failed with the reason, and releases its lock and processes', async () => {
    const { root, runs } = await opened();
    const run = await runs.start(config('breaks the curator'));
    const ended = await runs.ended(run);
    expect(ended).toMatchObject({ status: 'failed', message: expect.stringContaining('model'), waiting: [] });
    expect(modules()).toEqual([]);
    await runs.close();
    const again = await opened(root);
    expect(await again.runs.list()).toMatchObject([{ run, status: 'failed' }]);
    expect(again.runs.state(run)).toMatchObject({ status: 'failed', message: ended?.message });
    await again.runs.delete(run, { withPool: false });
    expect(await again.runs.list()).toEqual([]);
  });

  test.each([
    [{ tasks: ['settings-themes'] }, {}, 'settings-theme'],
    [{ tasks: [String(POCKET.tasks('unseen')[0])] }, {}, 'is reserved for tests'],
    [{ tiers: [1, 4] }, { kind: 'docker' }, 'no tasks of tier 4'],
  ])(
    'that cannot be trained, %j, is refused with why and leaves nothing',
    async (suite, environments, why) => {
      const { root, runs } = await opened();
      const before = await readdir(root);
      await expect(runs.start(parseConfig({ suite, environments }))).rejects.toThrow(why);
      expect(await readdir(root)).toEqual(before);
    },
  );

  test('of an agent that the workspace does not configure is refused, whatever the client sends', async () => {
    const { runs } = await opened();
    const learner = { kind: 'tinker', url: 'http://localhost:9000', base: 'b' } as const;
    const mine = { profile: 'qwen3-vl', url: 'http://localhost:8000/v1', model: 'm', learner } as const;
    await expect(runs.start(parseConfig({ agent: 'mine', agents: { mine } }))).rejects.toThrow(
      "No agent is called 'mine'",
    );
    expect(await runs.list()).toEqual([]);
  });

  test('whose state was lost can be resumed and deleted', async () => {
    const { root, runs } = await opened();
    const run = await runs.start(config('works', 0.01));
    await runs.ended(run);
    await runs.close();
    await rm(join(root, run, 'state.json'));
    const again = await opened(root);
    expect(again.runs.state(run)).toBeUndefined();
    await again.runs.resume(run, 1.2);
    await again.runs.ended(run);
    await again.runs.delete(run, { withPool: false });
    expect(await again.runs.list()).toEqual([]);
  });

  test('whose ring.json is damaged resumes with its time and curve, and keeps the damaged file', async () => {
    const { root, runs } = await opened();
    const run = await runs.start(config('works', 0.01));
    let before = await runs.ended(run);
    const damages = ['', '{"curator":{}}', '{}'];
    for (const damaged of damages) {
      await writeFile(join(root, run, 'ring.json'), damaged);
      const seconds = (before?.seconds ?? Number.NaN) + 0.2;
      await runs.resume(run, seconds);
      const after = await runs.ended(run);
      expect(after?.seconds).toBeCloseTo(seconds);
      const evaluations = before?.curve ?? [];
      expect(after?.curve.slice(0, evaluations.length)).toEqual(evaluations);
      expect(after?.curve).toHaveLength(evaluations.length + 2);
      expect(after?.problems.at(-1)).toMatchObject({ message: expect.stringContaining('ring.json') });
      before = after;
    }
    const copies = (await readdir(join(root, run))).filter(name => name.startsWith('ring.json.damaged'));
    const texts = await Promise.all(copies.map(name => readFile(join(root, run, name), 'utf8')));
    expect(texts.sort()).toEqual(damages);
  });

  test('with servers keeps its cost after a resume, also if ring.json is damaged', async () => {
    const { root, runs, until } = await opened();
    const run = await runs.start(config('has servers'));
    let before = 0;
    for (const damages of [false, false, true]) {
      if (damages) await writeFile(join(root, run, 'ring.json'), '{}');
      if (before > 0) await runs.resume(run);
      await until(run, ({ spent }) => (spent?.promptTokens ?? 0) > before);
      const [first] = runs.state(run)?.servers ?? [];
      expect(first).toMatchObject({ name: 'one', phase: 'serving', inFlight: 1 });
      await runs.stop(run);
      const state = runs.state(run);
      expect(state?.spent?.promptTokens).toBeGreaterThan(before);
      // As 'dartboard runs --json' prints it.
      expect((await runs.list())[0]).toMatchObject({
        spent: state?.spent,
        servers: [{ name: 'one', inFlight: 0 }],
      });
      before = state?.spent?.promptTokens ?? Number.NaN;
    }
  });

  test('whose ring.json cannot be read is not resumed, and the file stays', async () => {
    const { root, runs } = await opened();
    const run = await runs.start(config('works', 0.01));
    await runs.ended(run);
    const file = join(root, run, 'ring.json');
    await rm(file);
    await mkdir(file);
    await expect(runs.resume(run, 1.2)).rejects.toThrow(/The state of the run cannot be read.*ring\.json/);
    expect(await readdir(file)).toEqual([]);
  });

  test('can be read by its owner only', async () => {
    const { root, runs } = await opened();
    const run = await runs.start(config('works', 0.01));
    await runs.ended(run);
    const modeOf = async (name: string) => (await stat(join(root, name))).mode & 0o777;
    expect(await modeOf('.')).toBe(0o700);
    expect(await modeOf(run)).toBe(0o700);
    expect(await modeOf(`${run}/run.json`)).toBe(0o600);
    expect(await modeOf(`${run}/ring.json`)).toBe(0o600);
  });

  test('whose module cannot start is rejected with the reason, and leaves no process', async () => {
    const { runs, first } = await opened();
    const started = runs.start(config('trainer cannot start'));
    await expect(started).rejects.toThrow('there is no room for weights');
    const run = await first();
    expect(await runs.ended(run)).toMatchObject({ status: 'failed', waiting: [] });
    expect(modules()).toEqual([]);
  });

  test('on stored trajectories keeps all of them, however few the limit of retention allows', async () => {
    const root = folder();
    const files = ['one', 'two', 'three', 'four'].map(id => {
      const {
        run: _,
        group: __,
        ...imported
      } = trajectory(id, {
        ...{ mode: 'screenshot', provenance: { kind: 'imported', from: 'a file' } },
        frames: { kind: 'png', images: [png(0), png(1)] },
      });
      const path = join(root, placeOf(imported.id, undefined));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, encodeTrajectory(imported).bytes);
      return path;
    });
    const { runs, notices } = await opened(root);
    const { evaluation } = config('works');
    const run = await runs.start(
      parseConfig({
        ...{ seed: 'works', minutes: 0.01, suite: { files: join(root, NO_RUN, TRAJECTORIES) } },
        ...{ environments: { kind: 'offline', desktops: 2 }, evaluation },
        data: { retention: { mostTrajectories: 1 } },
      }),
    );
    expect(await runs.ended(run)).toMatchObject({ status: 'ended' });
    await runs.close();
    expect(notices).toContainEqual(expect.stringContaining('exceed the storage budget'));
    expect(files.filter(file => !existsSync(file))).toEqual([]);
  });

  test('continues while its state cannot be written, and reports that', async () => {
    const { root, runs, until } = await opened();
    const run = await runs.start(config('works'));
    const file = join(root, run, 'ring.json');
    await rm(file, { force: true });
    await mkdir(file);
    await until(run, ({ problems }) => problems.some(({ thing }) => thing === 'the state of the run'));
    expect(runs.state(run)?.status).toBe('running');
    await rm(file, { recursive: true });
    await runs.stop(run);
    await expectEnded(runs, run);
  });
});

describe('of several', () => {
  test('one trains at a time, even while it starts, and it cannot be deleted', async () => {
    const { runs } = await opened();
    const [one, other] = await Promise.allSettled([runs.start(config('works')), runs.start(config('works'))]);
    if (one.status !== 'fulfilled') throw one.reason;
    expect(other).toMatchObject({ status: 'rejected', reason: expect.any(RunError) });
    await expect(runs.start(config('works'))).rejects.toThrow(`The run '${one.value}' is training`);
    await expect(runs.resume(one.value)).rejects.toThrow('is training');
    await expect(runs.delete(one.value, { withPool: false })).rejects.toThrow(FolderInUseError);
    await runs.stop(one.value);
    await runs.delete(one.value, { withPool: false });
    expect(await runs.list()).toEqual([]);
    await expect(runs.stop(one.value)).rejects.toThrow(`The run '${one.value}' does not exist`);
  });

  test('none continues when the program ends, at any moment', async () => {
    const { runs, first } = await opened();
    const started = runs.start(config('never ready'));
    const closed = runs.close();
    await expect(started).rejects.toThrow('the program is ending');
    await closed;
    expect(modules()).toEqual([]);
    expect(await runs.list()).toMatchObject([{ run: await first(), status: 'ended' }]);
    await expect(runs.start(config('works'))).rejects.toThrow('the program is ending');
  });
});
