// Task files of users: the format of the product's own tasks, without their shared parts and values.

import { messageOf } from '../../../core/errors.ts';
import { TaskFileError } from '../../../tasks/schema.ts';
import { readTaskFolder } from '../../task-folder.ts';
import { type ScriptedSuite, scriptedSuite } from '../../template/suite.ts';
import { type ScriptedTemplate, templateReader } from '../../template/template.ts';

const templateOf = templateReader({ parts: {}, values: {} });

/** One training instance and one test instance of each template are made at the start, so that errors do not interrupt an episode. */
const TRIED_SEEDS = [0, 1000];

/** Rejects with a TaskFileError. The solutions are not played: that takes a browser. */
export async function webTasksFrom(folder: string): Promise<ScriptedSuite> {
  const templates: ScriptedTemplate[] = [];
  for (const { file, value } of await readTaskFolder(folder)) {
    const template = templateOf(value, file);
    for (const number of TRIED_SEEDS)
      try {
        template.make(number);
      } catch (error) {
        if (error instanceof TaskFileError) throw error; // Its message names the file already.
        throw new TaskFileError(`${file}, instance ${number}: ${messageOf(error)}`, { cause: error });
      }
    templates.push(template);
  }
  return scriptedSuite(folder, 'chromium', templates);
}
