// Templates from a folder of task files: OSWorld's JSON, whose `dartboard` part lists the values that vary, a scripted solution
// and near misses (docs/tasks.md has an example). Each is tried when the program starts, so that errors name the file and do
// not interrupt an episode.

import { z } from 'zod';
import { messageOf } from '../../../core/errors.ts';
import { type Seed, seed } from '../../../core/ids.ts';
import { safeParse } from '../../../core/safe-parse.ts';
import { parseTask, TaskFileError } from '../../../tasks/schema.ts';
import { type ChosenValues, chosenFrom, filled } from '../../../tasks/vary.ts';
import { faultsOf, withoutEach } from '../../task-check.ts';
import { readTaskFolder } from '../../task-folder.ts';
import { MAX_ISSUES } from '../../task-function.ts';
import { worldFromSetup } from '../getters.ts';
import {
  choose,
  click,
  doubleClick,
  drag,
  fill,
  openApp,
  type PocketScript,
  press,
  steps,
  write,
} from './scripted-user.ts';
import type { StartingWorld } from './starting-world.ts';
import { pocketScripts } from './task-scripts.ts';
import type { PocketTemplate } from './template.ts';

const text = z.string();
const gesture = z.union([
  z.tuple([z.enum(['click', 'double']), text, text]),
  z.tuple([z.enum(['choose', 'fill']), text, text, text]),
  z.tuple([z.literal('drag'), text, text, text, text]),
  z.tuple([z.enum(['type', 'open']), text]),
  z.tuple([z.literal('keys'), text], text),
]);
const script = z.array(gesture);
type Gesture = z.infer<typeof gesture>;

const extras = z.object({
  tier: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  unseen: z.literal(true).optional(),
  max_steps: z.int().min(1).optional(),
  vary: z.record(z.string(), z.array(z.unknown())).default({}),
  /** Values that replace those of `vary` in test instances. */
  vary_test: z.record(z.string(), z.array(z.unknown())).default({}),
  solution: script,
  misses: z.record(z.string(), script).default({}),
});

const GESTURES: Readonly<Record<Gesture[0], (...texts: string[]) => PocketScript>> = {
  click,
  double: doubleClick,
  choose,
  fill,
  drag,
  type: write,
  keys: press,
  open: openApp,
};

/** `value` is the parsed JSON of `file`, which errors name. */
export function templateFromFile(value: unknown, file: string): PocketTemplate {
  const task = parseTask(value, file);
  if ((task.evaluator.postconfig ?? []).length > 0) {
    throw new TaskFileError(
      `${file} is no template. evaluator.postconfig: a pocket desktop runs no steps before evaluation. Leave it out: evaluator.result reads the desktop as the agent left it.`,
    );
  }
  const parsed = safeParse(extras, task.dartboard);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `dartboard.${path.join('.')}: ${message}`);
    throw new TaskFileError(
      `${file} is no template. ${issues.slice(0, MAX_ISSUES).join('; ')}. Correct the file; docs/tasks.md describes its fields.`,
    );
  }
  const { tier, unseen, max_steps: maxSteps, vary, vary_test: varyTest, solution, misses } = parsed.data;
  return {
    ...{ id: task.id, tier, apps: task.related_apps ?? [], file },
    ...(unseen && { unseen }),
    ...(maxSteps !== undefined && { maxSteps }),
    make: draw => {
      const chosen = chosenFrom(draw.isTest ? { ...vary, ...varyTest } : vary, draw.random);
      // Scripts are filled in when they run: values for tests may use names that training does not have.
      const instance = filled({ ...task, dartboard: undefined }, chosen);
      const { instruction, config = [], evaluator } = parseTask(instance, file);
      const scriptFrom =
        (gestures: readonly Gesture[]): PocketScript =>
        user =>
          steps(...gestures.map(each => stepWith(each, chosen)))(user);
      return {
        instruction,
        world: worldOf(config),
        open: worldFromSetup(config).openings,
        evaluator,
        solve: scriptFrom(solution),
        misses: Object.fromEntries(Object.entries(misses).map(([name, each]) => [name, scriptFrom(each)])),
        shortened: () =>
          withoutEach(solution).map(({ rest, ...about }) => ({ ...about, script: scriptFrom(rest) })),
      };
    },
  };
}

/** A step of a script with the chosen values. A number becomes its text. */
function stepWith(written: readonly string[], chosen: ChosenValues): PocketScript {
  const parts = written.map(each => filled(each, chosen));
  const texts = parts.map(part => (typeof part === 'number' ? String(part) : part));
  const parsed = safeParse(gesture, texts);
  if (!parsed.success) {
    throw new RangeError(
      `The step ${JSON.stringify(written)} gets the values ${JSON.stringify(parts)}, and not all are texts. Give texts or numbers in vary.`,
    );
  }
  const [kind, ...others] = parsed.data;
  return GESTURES[kind](...others);
}

/** Merges the set-up steps that describe the world; several may set settings. */
function worldOf(config: readonly { readonly type: string; readonly parameters?: object }[]): StartingWorld {
  const parts: readonly StartingWorld[] = config
    .filter(({ type }) => type === 'pocket_world')
    .map(({ parameters }) => parameters ?? {});
  return Object.assign({}, ...parts, { settings: Object.assign({}, ...parts.map(part => part.settings)) });
}

/** One training instance and one test instance. */
const TRIED_SEEDS: readonly Seed[] = [seed(0), seed(1000)];

/** A template for every `*.json` of the folder, sorted by name. */
export const templatesIn = async (folder: string): Promise<readonly PocketTemplate[]> =>
  (await readTaskFolder(folder)).map(({ file, value }) => templateFromFile(value, file));

/** The same, tried. */
export async function templatesFrom(folder: string): Promise<readonly PocketTemplate[]> {
  const templates = await templatesIn(folder);
  for (const template of templates) await tryTemplate(template);
  return templates;
}

async function tryTemplate(template: PocketTemplate): Promise<void> {
  const { file = template.id } = template;
  for (const number of TRIED_SEEDS) {
    try {
      const [fault] = await faultsOf(pocketScripts(template, number));
      if (fault !== undefined) throw new RangeError(fault);
    } catch (error) {
      if (error instanceof TaskFileError) throw error; // Its message names the file already.
      throw new TaskFileError(`${file}, instance ${number}: ${messageOf(error)}`, { cause: error });
    }
  }
}
