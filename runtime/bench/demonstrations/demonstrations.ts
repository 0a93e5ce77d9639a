// The benchmark of demonstrations by people: a task file that is not in the suite, five demonstrations by hand, some minutes of training,
// and success on test instances. The control is the same training without the demonstrations.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configOfFolder } from '../../cli/foreground.ts';
import { parseConfig } from '../../config/config.ts';
import { ownTaskFolders } from '../../config/task-folders.ts';
import { at } from '../../core/at.ts';
import { systemClock } from '../../core/system-clock.ts';
import { type Interval, total } from '../../data/interval.ts';
import { RUNS } from '../../run/folders/run-folder.ts';
import { openPocketSuite } from '../../run/suite.ts';
import { WorkspaceRuns } from '../../server/workspace-runs.ts';
import { acrossSeeds } from '../learn.ts';
import type { Benchmark, Report } from '../report.ts';
import type { BenchSeries } from '../results/outcome.ts';
import { runEntries, train, withTrainingFolder } from '../training.ts';
import contactNewJob from './contact-new-job.json';
import mailFollowUp from './mail-follow-up.json';
import { demonstrateByHand } from './record.ts';

/** Their figures end in the names of the keys. */
const TASKS = { mail: mailFollowUp, contact: contactNewJob } as const;
const DEMONSTRATIONS = 5;
const MINUTES = 10;
/** Of each task. */
const TEST_INSTANCES = 100;
const WHO = 'a hand';

interface Arm {
  readonly figure: string;
  readonly curve: string;
  readonly demonstrations: number;
}

const ARMS: readonly Arm[] = [
  { figure: 'new_task_success', curve: 'with demonstrations', demonstrations: DEMONSTRATIONS },
  { figure: 'new_task_without', curve: 'without', demonstrations: 0 },
];

type NewTask = (typeof TASKS)[keyof typeof TASKS];

interface ArmResult {
  readonly last: Interval;
  readonly curve: readonly { readonly seconds: number; readonly rate: number }[];
}

export const demonstrations: Benchmark = {
  name: 'demonstrations',
  summary: 'success on a new task from a file after five demonstrations by hand and a short training',
  run: async (report, { minutes = MINUTES, seeds }) => {
    const figures = new Map<string, Pick<Interval, 'rate'> & Partial<Interval>>();
    const series: Record<string, BenchSeries[string]> = {};
    const names = Object.entries(TASKS);
    for (const { figure, curve, demonstrations: count } of ARMS) {
      const all: Interval[] = [];
      for (const [name, task] of names) {
        const ofTask: Interval[] = [];
        for (let seed = 0; seed < seeds; seed++) {
          const label = `${task.id}, ${curve}, seed ${seed}, ${minutes} minutes`;
          const { last, curve: points } = await report.part(label, ARMS.length * names.length * seeds, () =>
            trained(task, { count, seed, minutes }, report),
          );
          ofTask.push(last);
          series[`success/${task.id}, ${curve}${seeds > 1 ? `, ${seed}` : ''}`] = points.map(point => ({
            ...{ x: Math.round(point.seconds), y: point.rate },
          }));
        }
        figures.set(`${figure}_${name}`, acrossSeeds(ofTask));
        all.push(...ofTask);
      }
      // Two tasks say nothing about others, so there is no interval.
      const { successes, trials } = total(all);
      figures.set(figure, { successes, trials, rate: successes / trials });
    }
    return {
      figures: Object.fromEntries([...figures].map(([name, { rate }]) => [name, rate])),
      certainty: Object.fromEntries([...figures].map(([name, { rate: _, ...interval }]) => [name, interval])),
      config: { minutes, demonstrations: DEMONSTRATIONS, instances: TEST_INSTANCES },
      series,
    };
  },
};

/** One training in a workspace of its own, on the task alone, from random weights. */
const trained = (
  task: NewTask,
  { count, seed, minutes }: { readonly count: number; readonly seed: number; readonly minutes: number },
  report: Report,
): Promise<ArmResult> =>
  withTrainingFolder(report, async folder => {
    const files = join(folder, '.dartboard', 'tasks', 'pocket');
    await mkdir(files, { recursive: true });
    await writeFile(join(files, `${task.id}.json`), JSON.stringify(task));
    const root = join(folder, RUNS);
    await record(folder, root, task.id, count);
    const given = {
      ...{ minutes, seed: `${task.id}/${seed}`, suite: { tasks: [task.id] } },
      // Each evaluation takes time from the training.
      evaluation: { everySeconds: Math.max(10, 6 * minutes), lastInstances: TEST_INSTANCES },
    };
    const state = await train(root, parseConfig(given, undefined, ownTaskFolders(folder)), report);
    const curve = state.curve.filter(({ split }) => split === 'test');
    if (curve.length === 0)
      throw new Error(`The training of '${task.id}' ended before an evaluation. Increase --minutes.`);
    const { successes, trials, rate, low, high } = at(curve, curve.length - 1);
    return { last: { successes, trials, rate, low, high }, curve };
  });

/** The demonstrations are of the first training instances. */
async function record(folder: string, root: string, task: string, count: number): Promise<void> {
  if (count === 0) return;
  const suite = await openPocketSuite(ownTaskFolders(folder).pocket);
  const runs = await WorkspaceRuns.open({
    ...{ root, entries: runEntries(), clock: systemClock, notice: () => undefined },
    config: kind => configOfFolder(folder, kind),
  });
  try {
    for (let number = 0; number < count; number++)
      await demonstrateByHand(
        { recordings: runs.recordings, suite, who: WHO },
        task,
        suite.seed('train', number),
      );
  } finally {
    await runs.close();
  }
}
