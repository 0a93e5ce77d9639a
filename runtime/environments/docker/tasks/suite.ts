// The task suite of Docker desktops: one JSON file per task in this folder, or in `docker-tasks` beside the bundled program.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Seed } from '../../../core/ids.ts';
import { instanceOf, type SuiteOf, suiteFrom } from '../../suite.ts';
import { type DockerTaskInstance, type DockerTemplate, templateFromFile } from './template.ts';

/** The image in the task files. */
const SNAPSHOT = 'dartboard-small';

export interface DockerSuite extends SuiteOf<DockerTemplate> {
  /** An instance with its solution and its near misses. */
  made(id: string, number: Seed): DockerTaskInstance;
}

export function dockerSuiteOf(templates: readonly DockerTemplate[]): DockerSuite {
  const suite = suiteFrom('the Docker suite', templates, (template, number) => {
    const { instruction, config, evaluator, maxSteps } = template.make(number);
    return instanceOf(template, number, { instruction, snapshot: SNAPSHOT, config, evaluator, maxSteps });
  });
  return { ...suite, made: (id, number) => suite.template(id).make(number) };
}

function readTemplates(): readonly DockerTemplate[] {
  const bundled = new URL('docker-tasks/', import.meta.url);
  const folder = existsSync(bundled) ? bundled : new URL('./', import.meta.url);
  const files = readdirSync(folder).filter(file => file.endsWith('.json') && file !== 'values.json');
  return files
    .sort()
    .map(file => templateFromFile(JSON.parse(readFileSync(new URL(file, folder), 'utf8')), file));
}

export const DOCKER: DockerSuite = dockerSuiteOf(readTemplates());
