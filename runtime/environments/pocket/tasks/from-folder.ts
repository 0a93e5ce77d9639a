// Templates from a folder of task files. Each is tried when the program starts, so that errors name the file and do not
// interrupt an episode.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../../core/errors.ts';
import { type Seed, seed } from '../../../core/ids.ts';
import { parseJson } from '../../../core/json.ts';
import { isInfeasible } from '../../../core/task.ts';
import type { Ending, Verdict } from '../../../core/verdict.ts';
import { evaluate } from '../../../tasks/evaluate.ts';
import { TaskFileError } from '../../../tasks/schema.ts';
import { answer } from '../getters.ts';
import { startOf } from '../start.ts';
import { templateFromFile } from './from-file.ts';
import { type PocketScript, ScriptedUser, steps } from './scripted-user.ts';
import { instanceFrom, taskFrom } from './suite.ts';
import type { PocketTemplate } from './template.ts';

/** One training instance and one test instance. */
const TRIED_SEEDS: readonly Seed[] = [seed(0), seed(1000)];

/** A template for every `*.json` of the folder, sorted by name. */
export async function templatesFrom(folder: string): Promise<readonly PocketTemplate[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new TaskFileError(`The folder of tasks cannot be read: ${messageOf(error)}`, { cause: error });
  });
  const templates: PocketTemplate[] = [];
  for (const name of names.filter(each => /^[^.].*\.json$/.test(each)).sort())
    templates.push(await templateFrom(join(folder, name)));
  return templates;
}

async function templateFrom(file: string): Promise<PocketTemplate> {
  const template = templateFromFile(await jsonOf(file), file);
  for (const number of TRIED_SEEDS) {
    try {
      await tryTemplate(template, number);
    } catch (error) {
      if (error instanceof TaskFileError) throw error; // Its message names the file already.
      throw new TaskFileError(`${file}, instance ${number}: ${messageOf(error)}`, { cause: error });
    }
  }
  return template;
}

async function jsonOf(file: string): Promise<unknown> {
  try {
    return parseJson(await readFile(file, 'utf8'));
  } catch (error) {
    throw new TaskFileError(`${file} cannot be read as JSON: ${messageOf(error)}`, { cause: error });
  }
}

/** The solution must score 1; doing nothing and every near miss must score 0. */
async function tryTemplate(template: PocketTemplate, number: Seed): Promise<void> {
  const task = taskFrom(template, number);
  const { solve, misses } = instanceFrom(template, number);
  const play = async (script: PocketScript, ending: Ending): Promise<Verdict> => {
    const { machine, start } = startOf(task);
    script(new ScriptedUser(machine));
    return evaluate(task, ending, async getter => answer(getter, machine.world, start));
  };
  const solved = await play(solve, isInfeasible(task) ? 'fail' : 'finished');
  if (solved.score !== 1) throw new RangeError(`the solution scores ${solved.score}: ${solved.why}`);
  for (const [name, script] of Object.entries({ 'doing nothing': steps(), ...misses })) {
    const { score, why } = await play(script, 'finished');
    if (score !== 0) throw new RangeError(`'${name}' scores ${score} and not 0: ${why}`);
  }
}
