// The task suites of Docker desktops: one JSON file per task in this folder, and in large/ those that need the large image.

import { type ScriptedSuite, scriptedSuite } from '../../template/suite.ts';
import { type ScriptedTemplate, type TemplateReader, templateReader } from '../../template/template.ts';
import { isLargeImage } from '../image-defaults.ts';
import * as files from './files.ts';
import * as largeFiles from './large/files.ts';
import largeParts from './large/parts.json';
import largeValues from './large/values.json';
import parts from './parts.json';
import values from './values.json';

/** `snapshot` is the image in the task files. */
export const dockerSuiteOf = (
  templates: readonly ScriptedTemplate[],
  snapshot = 'dartboard-small',
): ScriptedSuite => scriptedSuite('the Docker suite', snapshot, templates);

interface TaskFileJson {
  readonly id: string;
}

/** In the order of their names; the id of a task is the name of its file. */
const templatesOf = (
  all: Readonly<Record<string, TaskFileJson>>,
  reader: TemplateReader,
): readonly ScriptedTemplate[] =>
  Object.values(all)
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map(file => reader(file, `${file.id}.json`));

const templates = templatesOf(files, templateReader({ parts, values }));

/** The tasks of the small image. The large one has its applications, too. */
export const DOCKER: ScriptedSuite = dockerSuiteOf(templates);

const largeReader = templateReader({
  parts: { ...parts, ...largeParts },
  values: { ...values, ...largeValues },
});

export const DOCKER_LARGE: ScriptedSuite = dockerSuiteOf(
  [...templates, ...templatesOf(largeFiles, largeReader)],
  'dartboard-large',
);

export const suiteOfImage = (image: string): ScriptedSuite => (isLargeImage(image) ? DOCKER_LARGE : DOCKER);
