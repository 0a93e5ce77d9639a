// A task template in a file: OSWorld's JSON whose `dartboard` part adds variations, a scripted solution, and near misses. `{name}` stands
// for the chosen value of a variation, or for one of the set-up steps, files and getters that several tasks of a kind share.

import { z } from 'zod';
import { seeded } from '../../core/rng.ts';
import { safeParse } from '../../core/safe-parse.ts';
import type { SetupStep, Task } from '../../core/task.ts';
import { parseTask, TaskFileError } from '../../tasks/schema.ts';
import { type ChosenValues, chosenFrom, filled, type Values } from '../../tasks/vary.ts';
import { type TaskKind, type Tier, TRAIN_SEEDS } from '../suite.ts';
import { type SolutionScript, solutionScript } from './solution.ts';

/** Lists that several tasks use, with other values for tests. */
export type SharedValues = Readonly<
  Record<string, { readonly train: readonly unknown[]; readonly test: readonly unknown[] }>
>;

/** What the templates of one kind of desktops share. */
export interface SharedContent {
  readonly parts: Readonly<Record<string, unknown>>;
  readonly values: SharedValues;
}

export interface ScriptedTemplate extends TaskKind {
  /** Deterministic: the same seed gives the same instance. */
  make(number: number): ScriptedInstance;
}

export interface ScriptedInstance {
  readonly instruction: string;
  readonly config: readonly SetupStep[];
  readonly evaluator: Task['evaluator'];
  readonly maxSteps: number;
  readonly solution: SolutionScript;
  /** Wrong solutions that must score 0. */
  readonly misses: Readonly<Record<string, SolutionScript>>;
}

const ownValues = z.array(z.unknown(), 'Give a list of values');

/** Own values, or the name of a shared list, which also has the values for tests. */
type ListedValues = unknown[] | { of: string };

function valuesAmong(shared: SharedValues): z.ZodType<ListedValues> {
  const names = Object.keys(shared);
  if (names.length === 0) return ownValues;
  return z.union([ownValues, z.strictObject({ of: z.enum(names) })], {
    error: `Give a list of values, or {"of": NAME} with one of ${names.join(', ')}`,
  });
}

const templateFile = (shared: SharedValues) =>
  z.looseObject({
    id: z.string(),
    related_apps: z.array(z.string()).default([]),
    dartboard: z.object({
      tier: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
      split: z.enum(['train', 'unseen']).default('train'),
      max_steps: z.int().min(1).optional(),
      vary: z.record(z.string(), valuesAmong(shared)).default({}),
      /** Overrides the values in test instances. */
      vary_test: z.record(z.string(), ownValues).default({}),
      solution: z.array(z.unknown()).min(1),
      /** A number is an unfinished solution: it stops after so many steps. */
      misses: z.record(z.string(), z.union([z.int().min(1), z.array(z.unknown())])).default({}),
    }),
  });

/** Twice the length of the longest solution of the tier, so that an agent can make mistakes. */
const MAX_STEPS: Readonly<Record<Tier, number>> = { 1: 6, 2: 12, 3: 20, 4: 30 };

/** `value` is the parsed JSON; `file` is named in errors. */
export type TemplateReader = (value: unknown, file: string) => ScriptedTemplate;

export function templateReader({ parts, values }: SharedContent): TemplateReader {
  const schema = templateFile(values);
  return (value, file) => {
    const parsed = safeParse(schema, value);
    if (!parsed.success) throw faults(file, [], parsed.error);
    const { dartboard, ...task } = parsed.data;
    const { tier, split, max_steps: maxSteps, vary, vary_test: varyTest, solution, misses } = dartboard;
    const [train, test] = [
      valuesOf(vary, values, 'train'),
      { ...valuesOf(vary, values, 'test'), ...varyTest },
    ];
    const make = (number: number): ScriptedInstance => {
      const random = seeded(`${task.id}/${number}`);
      const chosen = chosenFrom(number < TRAIN_SEEDS ? train : test, random);
      const instance = parseTask(filled(task, { ...parts, ...chosen }), file);
      const missed = Object.entries(misses).map(([name, steps]) => {
        const script = typeof steps === 'number' ? solution.slice(0, steps) : steps;
        return [name, scriptOf(script, chosen, file, ['misses', name])] as const;
      });
      return {
        instruction: instance.instruction,
        config: instance.config ?? [],
        evaluator: instance.evaluator,
        maxSteps: maxSteps ?? MAX_STEPS[tier],
        solution: scriptOf(solution, chosen, file, ['solution']),
        misses: Object.fromEntries(missed),
      };
    };
    const unseen = split === 'unseen' && { unseen: true as const };
    return { id: task.id, tier, apps: task.related_apps, file, make, ...unseen };
  };
}

const valuesOf = (
  vary: Readonly<Record<string, ListedValues>>,
  shared: SharedValues,
  part: 'train' | 'test',
): Values =>
  Object.fromEntries(
    Object.entries(vary).map(([name, from]) => [name, 'of' in from ? (shared[from.of]?.[part] ?? []) : from]),
  );

function scriptOf(
  steps: readonly unknown[],
  chosen: ChosenValues,
  file: string,
  where: readonly string[],
): SolutionScript {
  const read = safeParse(solutionScript, filled(steps, chosen));
  if (!read.success) throw faults(file, ['dartboard', ...where], read.error);
  return read.data;
}

function faults(file: string, where: readonly string[], { issues }: z.ZodError): TaskFileError {
  const complaints = issues.map(({ path, message }) => `${[...where, ...path].join('.')}: ${message}`);
  return new TaskFileError(`${file} is not a valid template. ${complaints.join('; ')}`);
}
