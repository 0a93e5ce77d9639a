// A suite of template files with scripted solutions, for the kinds of desktops whose tasks are JSON.

import type { Seed } from '../../core/ids.ts';
import { instanceOf, type Suite, suiteFrom } from '../suite.ts';
import type { ScriptedInstance, ScriptedTemplate } from './template.ts';

export interface ScriptedSuite extends Suite<ScriptedTemplate> {
  /** An instance with its solution and its near misses. */
  made(id: string, number: Seed): ScriptedInstance;
}

/** `name` appears in errors; `snapshot` names the initial state of the desktops in the tasks. */
export function scriptedSuite(
  name: string,
  snapshot: string,
  templates: readonly ScriptedTemplate[],
): ScriptedSuite {
  const suite = suiteFrom(name, templates, (template, number) => {
    const { instruction, config, evaluator, maxSteps } = template.make(number);
    return instanceOf(template, { instruction, snapshot, config, evaluator, maxSteps });
  });
  return { ...suite, made: (id, number) => suite.template(id).make(number) };
}
