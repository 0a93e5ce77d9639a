// Chooses the instance in which a policy tries an instruction: the one whose world and instruction share most words with it. Rare words weigh
// more, so "star the mail about Chess" is tried where such a mail exists. Pure.

import { plain, wordsOf } from '../agents/compact/word-tokenizer.ts';
import { oneOf } from '../core/chance.ts';
import { type TaskId, taskId } from '../core/ids.ts';
import type { Random } from '../core/rng.ts';
import { type Instance, isInfeasible, type SetupStep } from '../core/task.ts';
import { type Suite, taskIfPossible } from '../environments/suite.ts';

/** Instances of each task that are searched. */
const INSTANCES = 24;

export class InstanceSearchError extends Error {
  override readonly name = 'InstanceSearchError';
}

/** The tasks that have this application alone, or all tasks. If the policy was trained on some of them, only these. */
export function tasksFor(
  suite: Suite,
  trained: readonly string[],
  app: string | undefined,
): readonly TaskId[] {
  const templates = suite.templates.filter(({ unseen }) => unseen !== true);
  const ofOneApp = templates.filter(({ apps }) => apps.length === 1);
  const apps = [...new Set(ofOneApp.flatMap(each => each.apps))].sort();
  if (app !== undefined && apps.length === 0)
    throw new InstanceSearchError(`--app '${app}': no task has exactly one application. Omit --app.`);
  if (app !== undefined && !apps.includes(app))
    throw new InstanceSearchError(
      `--app '${app}': no task has this application alone. Choose one of ${apps.join(', ')}.`,
    );
  const fit = app === undefined ? templates : ofOneApp.filter(each => each.apps.includes(app));
  const known = fit.filter(({ id }) => trained.includes(id));
  return (known.length > 0 ? known : fit).map(({ id }) => taskId(id));
}

export function randomInstance(suite: Suite, tasks: readonly TaskId[], random: Random): Instance {
  const task = oneOf(random, tasks);
  if (task === undefined) throw new InstanceSearchError('The suite has no task to try.');
  return { task, seed: suite.seed('test', random.int(1000)) };
}

export function instanceFor(
  suite: Suite,
  tasks: readonly TaskId[],
  instruction: string,
  split: 'test' | 'train' = 'test',
): Instance {
  const length = split === 'train' ? Math.min(INSTANCES, suite.trainSeeds) : INSTANCES;
  const seeds = Array.from({ length }, (_, index) => suite.seed(split, index));
  const candidates = tasks.flatMap(task =>
    seeds.flatMap(seed => {
      const made = taskIfPossible(suite, task, seed);
      if (made === undefined) return [];
      return {
        instance: { task, seed },
        instruction: made.instruction,
        // The world of an infeasible task lacks the things of its instruction.
        isFeasible: !isInfeasible(made),
        about: wordSet(`${made.instruction} ${task} ${suite.template(task).apps.join(' ')}`),
        world: wordSet(textsIn(shownIn(made.config, suite.template(task).apps)).join(' ')),
      };
    }),
  );
  const same = candidates.find(each => each.instruction === instruction);
  if (same !== undefined) return same.instance;
  const [about, world] = (['about', 'world'] as const).map(which =>
    rarity(
      instruction,
      candidates.map(each => each[which]),
    ),
  );
  const scored = candidates.map(each => ({
    instance: each.instance,
    score:
      (each.isFeasible ? 0 : -INFEASIBLE_PENALTY) +
      TASK_WEIGHT * (about?.(each.about) ?? 0) +
      (world?.(each.world) ?? 0),
  }));
  const [first, ...others] = scored;
  if (first === undefined) throw new InstanceSearchError('The suite has no task to try.');
  return others.reduce((best, each) => (each.score > best.score ? each : best), first).instance;
}

/** The parts of a pocket desktop's world that an application shows. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  mail: ['mails'],
  files: ['root'],
  notes: ['root'],
  contacts: ['contacts'],
  calendar: ['events'],
};

function shownIn(config: readonly SetupStep[] = [], apps: readonly string[]): readonly unknown[] {
  const parts = apps.flatMap(app => PARTS[app] ?? []);
  return config.flatMap(({ type, parameters = {} }) =>
    // The setup of other desktops prepares only what the task is about.
    type === 'pocket_world' ? parts.map(part => parameters[part]) : [parameters],
  );
}

/** The words of a task weigh more than those of its world. */
const TASK_WEIGHT = 2;
const INFEASIBLE_PENALTY = 1e6;

/** Scores a set of words by the words of the instruction that it contains; a word that all sets contain adds nothing. */
function rarity(
  instruction: string,
  all: readonly ReadonlySet<string>[],
): (words: ReadonlySet<string>) => number {
  const weights = [...wordSet(instruction)].map(word => {
    const count = all.filter(words => words.has(word)).length;
    return [word, Math.log((1 + all.length) / (1 + count))] as const;
  });
  return words => weights.reduce((sum, [word, weight]) => sum + (words.has(word) ? weight : 0), 0);
}

const wordSet = (text: string): ReadonlySet<string> =>
  new Set(
    wordsOf(text)
      .filter(({ isSign }) => !isSign)
      .map(word => plain(word.text)),
  );

/** Names of files are keys, so keys count as well. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) => [name, ...textsIn(inside)]);
}
