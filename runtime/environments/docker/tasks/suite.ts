// The task suite of Docker desktops: one JSON file per task in this folder.

import type { Seed } from '../../../core/ids.ts';
import { instanceOf, type Suite, suiteFrom } from '../../suite.ts';
import * as files from './files.ts';
import { type DockerTaskInstance, type DockerTemplate, templateFromFile } from './template.ts';

/** The image in the task files. */
const SNAPSHOT = 'dartboard-small';

export interface DockerSuite extends Suite<DockerTemplate> {
  /** An instance with its solution and its near misses. */
  made(id: string, number: Seed): DockerTaskInstance;
}

export function dockerSuiteOf(templates: readonly DockerTemplate[]): DockerSuite {
  const suite = suiteFrom('the Docker suite', templates, (template, number) => {
    const { instruction, config, evaluator, maxSteps } = template.make(number);
    return instanceOf(template, { instruction, snapshot: SNAPSHOT, config, evaluator, maxSteps });
  });
  return { ...suite, made: (id, number) => suite.template(id).make(number) };
}

/** In the order of their names; the id of a task is the name of its file. */
const templates = Object.values(files)
  .sort((one, other) => (one.id < other.id ? -1 : 1))
  .map(file => templateFromFile(file, `${file.id}.json`));

export const DOCKER: DockerSuite = dockerSuiteOf(templates);
