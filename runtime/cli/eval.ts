// What `dartboard eval` does: plays instances of tasks with saved weights, and says how many were solved, and how sure that is.

import type { TaskMeasured } from '../data/evaluation.ts';
import type { Suite, TaskSplit, Tier } from '../environments/suite.ts';
import { overall, worstFirst } from '../inference/scores.ts';
import { count, rated } from '../run/number-format.ts';
import { withPerformer } from './saved-policy.ts';
import { faint, indented, type Line, painted, plain, strong } from './terminal/line.ts';
import { hasColour, type Output } from './terminal/output.ts';
import { table } from './terminal/table.ts';

export interface Eval {
  readonly entry: URL;
  readonly weights: string | undefined;
  readonly split: TaskSplit;
  /** Undefined for what the weights were trained on, or all that are unseen. */
  readonly tiers: readonly Tier[] | undefined;
  readonly instances: number;
  readonly json: boolean;
  readonly output: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const WORLDS: Readonly<Record<TaskSplit, string>> = {
  test: 'test worlds, drawn anew',
  train: 'training worlds',
  unseen: 'unseen kinds of tasks',
};

export async function evaluate(options: Eval): Promise<void> {
  const { entry, weights, split, tiers, instances, json, output, environment } = options;
  await withPerformer(entry, weights, async ({ file, policy, suite, performer }) => {
    const tasks = tiers?.flatMap(tier => suite.tasks(split, tier)) ?? tasksOf(suite, split, policy.tasks);
    if (tasks.length === 0) throw new RangeError(NOTHING[split]);
    // They recur: to play one twice without chance says nothing more.
    if (split === 'train' && instances > suite.trainSeeds)
      throw new RangeError(
        `There are ${suite.trainSeeds} training worlds of each task: give --instances at most so many.`,
      );
    const scores = await performer.call('evaluate', { split, tasks, instances });
    const all = overall(scores);
    if (json) {
      const { mode, seed } = policy;
      const told = { weights: file, mode, seed, split, instances, ...all, tasks: worstFirst(scores) };
      output.write(`${JSON.stringify(told)}\n`);
      return;
    }
    const width = (output.columns ?? 100) - 3;
    const lines: readonly Line[] = [
      [],
      [strong(rated(all)), plain(`  on ${WORLDS[split]}`)],
      [faint(`${policy.mode}, trained on ${policy.tasks.length} tasks, seed ${policy.seed}`)],
      [faint(`with ${file}`)],
      [],
      ...table(scores, width),
      ...brokenLines(scores),
      [],
    ];
    const colour = hasColour(output, environment);
    output.write(
      indented(lines, 2)
        .map(line => `${painted(line, colour)}\n`)
        .join(''),
    );
  });
}

const NOTHING: Readonly<Record<TaskSplit, string>> = {
  test: 'None of the tasks that are asked for is one that these desktops have: name others with --tier.',
  train: 'None of the tasks that are asked for is one that these desktops have: name others with --tier.',
  unseen: 'These desktops have no unseen kinds of tasks of the tiers that are asked for.',
};

/** What broke with its desktop says nothing about the policy. */
function brokenLines(scores: readonly TaskMeasured[]): readonly Line[] {
  const broken = scores.reduce((sum, score) => sum + score.broken, 0);
  return broken === 0
    ? []
    : [[], [plain(`${count(broken)} broke off because of the infrastructure, and do not count as tried.`)]];
}

/** A task that this version does not have any more is left out. */
const tasksOf = (suite: Suite, split: TaskSplit, trained: readonly string[]): readonly string[] =>
  split === 'unseen' ? suite.tasks(split) : suite.tasks('train').filter(task => trained.includes(task));
