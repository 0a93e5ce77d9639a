// The suite of a Docker desktop: which tasks there are, and each instance of them as a task in OSWorld's shape.

import type { Seed } from '../../../core/ids.ts';
import type { Task } from '../../../core/task.ts';
import { instanceOf, type SuiteOf, suiteFrom } from '../../suite.ts';
import { TEMPLATES } from './all.ts';
import type { DockerTaskInstance, DockerTemplate } from './template.ts';

/** What a task file calls the image of a desktop that it is for. */
const SNAPSHOT = 'dartboard-small';

export interface DockerSuite extends SuiteOf<DockerTemplate> {
  /** One instance, with how it is solved and what is nearly right. */
  made(id: string, number: Seed): DockerTaskInstance;
}

export function dockerSuiteOf(templates: readonly DockerTemplate[]): DockerSuite {
  const suite = suiteFrom('the Docker suite', templates, taskFrom);
  return { ...suite, made: (id, number) => suite.template(id).make(number) };
}

function taskFrom(template: DockerTemplate, number: Seed): Task {
  const { instruction, config, evaluator, maxSteps } = template.make(number);
  return instanceOf(template, number, { instruction, snapshot: SNAPSHOT, config, evaluator, maxSteps });
}

export const DOCKER: DockerSuite = dockerSuiteOf(TEMPLATES);
