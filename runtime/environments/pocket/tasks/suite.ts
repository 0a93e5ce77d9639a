// Suites of pocket tasks. POCKET has the built-in templates; other suites add templates from files, or word the instructions in more ways.

import type { Action } from '../../../core/action.ts';
import { type Seed, taskId } from '../../../core/ids.ts';
import { type Random, seeded } from '../../../core/rng.ts';
import { isInfeasible, type SetupStep, type Task } from '../../../core/task.ts';
import { instanceOf, type Suite, suiteFrom, TRAIN_SEEDS } from '../../suite.ts';
import { startOf } from '../getters.ts';
import type { PocketMachine } from '../machine.ts';
import { Draw, type DrawVocabulary } from './draw.ts';
import { type Phrasings, rephrase } from './phrasing.ts';
import { ScriptedUser } from './scripted-user.ts';
import type { PocketInstance, PocketTemplate, Tier } from './template.ts';
import { ACROSS_CALENDAR } from './templates/across-calendar.ts';
import { ACROSS_CHANGES } from './templates/across-changes.ts';
import { ACROSS_WRITING } from './templates/across-writing.ts';
import { CALCULATOR } from './templates/calculator.ts';
import { CALENDAR } from './templates/calendar.ts';
import { CONTACTS } from './templates/contacts.ts';
import { FILES } from './templates/files.ts';
import { MAIL } from './templates/mail.ts';
import { MAIL_WRITING } from './templates/mail-writing.ts';
import { NOTES } from './templates/notes.ts';
import { SETTINGS } from './templates/settings.ts';

const TEMPLATES: readonly PocketTemplate[] = [
  ...SETTINGS,
  ...FILES,
  ...NOTES,
  ...MAIL,
  ...MAIL_WRITING,
  ...CONTACTS,
  ...CALENDAR,
  ...CALCULATOR,
  ...ACROSS_WRITING,
  ...ACROSS_CALENDAR,
  ...ACROSS_CHANGES,
];

/** Room for mistakes: twice the length of the tier's longest solution. */
const MAX_STEPS: Readonly<Record<Tier, number>> = { 1: 6, 2: 12, 3: 20, 4: 30 };

export interface PocketSuite extends Suite<PocketTemplate> {
  /** One instance with its scripted solution and near misses. */
  instance(id: string, number: number): PocketInstance;
  /** Words an instruction of training in another way, if this suite varies them. */
  phrase(instruction: string, random: Random): string;
}

export function suiteOf(templates: readonly PocketTemplate[], phrasings: Phrasings = 'fixed'): PocketSuite {
  const isVaried = phrasings === 'varied';
  const instance = (template: PocketTemplate, number: number): PocketInstance => {
    const made = instanceFrom(template, number);
    return isVaried ? { ...made, instruction: phrasedFor(template, number, made.instruction) } : made;
  };
  const suite = suiteFrom('the pocket suite', templates, (template, number) =>
    taskOf(template, instance(template, number)),
  );
  return {
    ...suite,
    instance: (id, number) => instance(suite.template(id), number),
    phrase: (instruction, random) => (isVaried ? rephrase(instruction, 'train', random) : instruction),
  };
}

/** Its random numbers are its own: the world of an instance is the same with all phrasings. Tasks of the user keep their words. */
function phrasedFor({ id, unseen, file }: PocketTemplate, number: number, instruction: string): string {
  if (file !== undefined) return instruction;
  const split = unseen || number >= TRAIN_SEEDS ? 'test' : 'train';
  return rephrase(instruction, split, seeded(`phrasing/${id}/${number}`));
}

export const POCKET: PocketSuite = suiteOf(TEMPLATES);

export const instanceFrom = (template: PocketTemplate, number: number): PocketInstance =>
  template.make(new Draw(template.id, number));

export const taskFrom = (template: PocketTemplate, number: Seed): Task =>
  taskOf(template, instanceFrom(template, number));

function taskOf(template: PocketTemplate, instance: PocketInstance): Task {
  const { instruction, evaluator } = instance;
  const maxSteps = template.maxSteps ?? MAX_STEPS[template.tier];
  const config = setupOf(instance);
  return instanceOf(template, { instruction, snapshot: 'pocket', config, evaluator, maxSteps });
}

const setupOf = ({ world, open = [] }: PocketInstance): readonly SetupStep[] => [
  { type: 'pocket_world', parameters: { ...world } },
  ...open.map(({ app, what }) => ({
    type: 'pocket_open',
    parameters: { app, ...(what !== undefined && { what }) },
  })),
];

/** A script and a machine to perform it on. */
export interface Practice extends Pick<PocketInstance, 'instruction' | 'solve'> {
  readonly ending: Solution['ending'];
  /** A machine at the start of the instance. */
  readonly begin: () => PocketMachine;
}

/** Instances beyond those of the suite: `number` is any integer from 0, and `words` replace the vocabulary. */
export function practiceOf(template: PocketTemplate, number: number, words: DrawVocabulary): Practice {
  // Negative seeds are free: training and test instances have seeds from 0.
  const instance = template.make(new Draw(template.id, -1 - number, words));
  const { instruction, solve, evaluator } = instance;
  const begin = () => startOf({ id: taskId(template.id), config: setupOf(instance) }).machine;
  return { instruction, solve, ending: endingOf({ evaluator }), begin };
}

export const endingOf = (task: Pick<Task, 'evaluator'>): Solution['ending'] =>
  isInfeasible(task) ? 'fail' : 'finished';

export interface Solution {
  /** Without the final action `finished` or `fail`. */
  readonly actions: readonly Action[];
  readonly ending: 'finished' | 'fail';
}

/** Records the actions of the solution on a machine of its own. */
export function solutionOf(suite: PocketSuite, task: Task, seed: Seed): Solution {
  const hand = new ScriptedUser(startOf(task).machine);
  suite.instance(task.id, seed).solve(hand);
  const actions = hand.actions.filter(({ kind }) => kind !== 'finished' && kind !== 'fail');
  return { actions, ending: endingOf(task) };
}
