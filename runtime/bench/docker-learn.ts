// The Docker benchmark with --learn: what a policy solves on real desktops, on instances that training never sees: by chance, after it
// was shown a few solutions of each task, and after it has gone on from there by its own rollouts. Each part that ended is kept.

import { copyFile, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPACT } from '../agent/network.ts';
import { firstWeights } from '../agent/programs.ts';
import { withSavedPolicy } from '../cli/saved-policy.ts';
import { byWeights } from '../collect/by-weights.ts';
import type { Config } from '../config/config.ts';
import { type RunId, taskId } from '../core/ids.ts';
import { seeded } from '../core/rng.ts';
import { systemClock } from '../core/system-clock.ts';
import { isSuccess } from '../core/verdict.ts';
import type { TaskMeasured } from '../data/evaluation.ts';
import { DOCKER } from '../environments/docker/tasks/suite.ts';
import type { EvaluationPoint } from '../protocol/daemon/state.ts';
import { CHECKPOINTS } from '../run/run-folders.ts';
import { CheckpointFolder } from '../trainer/checkpoint-folder.ts';
import { arms, DESKTOPS, type Setting, settingFor, TASKS } from './docker/arms.ts';
import { outcomeOf } from './docker/learned.ts';
import { openEngine } from './docker/stations.ts';
import type { Benchmark, Report } from './report.ts';
import { entry, trainingIn } from './training.ts';

const MINUTES = 40;
const FOLDER = 'docker-learn';

interface Cloned {
  /** Of its checkpoint, within the folder of outcomes. */
  readonly file: string;
  readonly tasks: readonly TaskMeasured[];
}

/** Of one seed. */
interface Trained {
  readonly tasks: readonly TaskMeasured[];
  readonly curve: readonly EvaluationPoint[];
}

export const dockerLearn: Benchmark = {
  name: 'docker',
  variant: 'learn',
  summary: `success on ${DESKTOPS} real desktops by chance, cloned, and after reinforcement learning: --minutes in all (${MINUTES})`,
  run: async (report, { minutes = MINUTES, seeds }) => {
    const { host, image } = await openEngine(line => report.say(`  ${line}`));
    const { version: engine } = await host.facts();
    host.close();
    const setting = settingFor(minutes, image);
    const of = 2 + seeds;
    const chance = await report.part('by chance', of, () => playedByChance(setting));
    const cloned = await report.part('cloning', of, () => cloning(setting, report));
    const from = join(report.folder, cloned.file);
    if (!(await stat(from).catch(() => undefined))?.isFile())
      throw new RangeError(
        `The cloned weights '${from}' are gone, and without them nothing begins like what is done: begin anew with --fresh.`,
      );
    const trained: Trained[] = [];
    for (let seed = 0; seed < seeds; seed++)
      trained.push(
        await report.part(`reinforcement learning, seed ${seed}`, of, () =>
          training(arms.learning(setting, seed), from, setting, report),
        ),
      );
    const { lines, ...outcome } = outcomeOf(chance, cloned.tasks, trained);
    for (const line of lines) report.say(`  ${line}`);
    return { ...outcome, config: { ...setting, tasks: TASKS.length }, versions: { engine } };
  },
};

/** Weights that have learned nothing, drawn from as boldly as can be. */
async function playedByChance(setting: Setting): Promise<readonly TaskMeasured[]> {
  const config = arms.chance(setting);
  const { mode, seed } = config;
  const shape = { ...COMPACT, pixels: mode !== 'a11y_tree' };
  const random = seeded(seed);
  const weights = firstWeights(shape, () => random.next());
  const source = byWeights({
    ...{ suite: DOCKER, tasks: TASKS, config, rollouts: 1, temperature: 1, clock: systemClock },
    policy: { shape, mode, tasks: TASKS, seed, weights },
    entries: { host: entry('host'), worker: entry('worker'), trainer: entry('trainer') },
  });
  const instances = TASKS.flatMap(task =>
    Array.from({ length: setting.instances }, (_, index) => ({ task, seed: DOCKER.seed('test', index) })),
  );
  const counts = new Map(TASKS.map(task => [task, { task, successes: 0, trials: 0, broken: 0 }]));
  const tell = (message: string): void => void process.stderr.write(`  ${message}\n`);
  for await (const { instance, trajectory } of source.play(instances, new AbortController().signal, tell)) {
    const count = counts.get(taskId(instance.task));
    if (count === undefined) continue;
    if (trajectory === undefined || trajectory.outcome.kind === 'broken') count.broken += 1;
    else {
      count.trials += 1;
      count.successes += Number(isSuccess(trajectory.outcome));
    }
  }
  return [...counts.values()];
}

/** What a run left is kept by the name of the run, so that what another one left is never taken for it. */
const cloning = (setting: Setting, report: Report): Promise<Cloned> =>
  inFolder(async root => {
    const state = await trainingIn(root, arms.cloning(setting), report);
    const tasks = await examined(join(root, state.run), setting);
    const found = await new CheckpointFolder(join(root, state.run as RunId, CHECKPOINTS)).newest();
    if (found === undefined) throw new Error('The cloning left no weights: give it more --minutes.');
    const file = join(FOLDER, `cloned-${state.run}.safetensors`);
    await mkdir(join(report.folder, FOLDER), { recursive: true });
    await copyFile(found.file, join(report.folder, file));
    return { file, tasks };
  });

const training = (config: Config, from: string, setting: Setting, report: Report): Promise<Trained> =>
  inFolder(async root => {
    const state = await trainingIn(root, config, report, undefined, { from });
    const curve = state.curve.filter(({ split }) => split === 'test');
    return { tasks: await examined(join(root, state.run), setting), curve };
  });

/** What the weights of a run do on test instances, with the likeliest choices. */
async function examined(folder: string, { instances }: Setting): Promise<readonly TaskMeasured[]> {
  let tasks: readonly TaskMeasured[] = [];
  await withSavedPolicy(entry('performer'), folder, async ({ performer }) => {
    tasks = await performer.call('evaluate', { split: 'test', tasks: TASKS, instances });
  });
  return tasks;
}

async function inFolder<T>(work: (root: string) => Promise<T>): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), 'dartboard-docker-learn-'));
  try {
    return await work(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
