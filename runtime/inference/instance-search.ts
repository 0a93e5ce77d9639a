// Chooses the instance in which a policy tries an instruction: the one whose world and instruction share most words with it. Rare words weigh
// more, so "star the mail about Chess" is tried where such a mail exists. Pure.

import { plain, wordsOf } from '../agent/word-tokenizer.ts';
import type { Random } from '../core/rng.ts';
import { isInfeasible, type SetupStep } from '../core/task.ts';
import type { Suite } from '../environments/suite.ts';
import type { Place } from './calls.ts';

/** Test instances of each task that are looked at. */
const INSTANCES = 24;

export class InstanceSearchError extends Error {
  override readonly name = 'PlaceError';
}

/** Tasks that stay within an application; those that the policy was trained on, where there are any. */
export function tasksFor(
  suite: Suite,
  trained: readonly string[],
  app: string | undefined,
): readonly string[] {
  const templates = suite.templates.filter(({ unseen }) => unseen !== true);
  const apps = [...new Set(templates.flatMap(template => template.apps))].sort();
  if (app !== undefined && !apps.includes(app))
    throw new InstanceSearchError(`There is no application '${app}': --app takes one of ${apps.join(', ')}.`);
  const fit = templates.filter(each => app === undefined || (each.apps.length === 1 && each.apps[0] === app));
  const known = fit.filter(({ id }) => trained.includes(id));
  return (known.length > 0 ? known : fit).map(({ id }) => id);
}

/** A test instance to try as it is. */
export function randomInstance(suite: Suite, tasks: readonly string[], random: Random): Place {
  const task = tasks[random.int(tasks.length)] ?? '';
  return { task, seed: suite.seed('test', random.int(1000)) };
}

export function instanceFor(suite: Suite, tasks: readonly string[], instruction: string): Place {
  const candidates = tasks.flatMap(task =>
    Array.from({ length: INSTANCES }, (_, index) => {
      const seed = suite.seed('test', index);
      const made = suite.task(task, seed);
      return {
        place: { task, seed },
        asked: made.instruction,
        // What an impossible task asks for is not in its world.
        fits: !isInfeasible(made),
        about: wordSet(`${made.instruction} ${task} ${suite.template(task).apps.join(' ')}`),
        world: wordSet(textsIn(shownIn(made.config, suite.template(task).apps)).join(' ')),
      };
    }),
  );
  const same = candidates.find(({ asked }) => asked === instruction);
  if (same !== undefined) return same.place;
  const [about, world] = (['about', 'world'] as const).map(which =>
    rarity(
      instruction,
      candidates.map(each => each[which]),
    ),
  );
  const scored = candidates.map(each => ({
    place: each.place,
    score: (each.fits ? 0 : -LOTS) + ABOUT * (about?.(each.about) ?? 0) + (world?.(each.world) ?? 0),
  }));
  const [first, ...others] = scored;
  if (first === undefined) throw new InstanceSearchError('There is no task whose world could be used.');
  return others.reduce((best, each) => (each.score > best.score ? each : best), first).place;
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
    // Elsewhere nothing is prepared but what the task is about.
    type === 'pocket_world' ? parts.map(part => parameters[part]) : [parameters],
  );
}

/** What a task is about tells more than what lies about in its world. */
const ABOUT = 2;
const LOTS = 1e6;

/** How much of what was said a set of words has; what all have says nothing. */
function rarity(
  instruction: string,
  all: readonly ReadonlySet<string>[],
): (words: ReadonlySet<string>) => number {
  const weights = [...wordSet(instruction)].map(word => {
    const having = all.filter(words => words.has(word)).length;
    return [word, Math.log((1 + all.length) / (1 + having))] as const;
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
