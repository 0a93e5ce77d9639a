// The task suite of Docker desktops: one JSON file per task in this folder.

import { type ScriptedSuite, scriptedSuite } from '../../template/suite.ts';
import { type ScriptedTemplate, templateReader } from '../../template/template.ts';
import * as files from './files.ts';
import parts from './parts.json';
import values from './values.json';

/** The image in the task files. */
const SNAPSHOT = 'dartboard-small';

export const dockerSuiteOf = (templates: readonly ScriptedTemplate[]): ScriptedSuite =>
  scriptedSuite('the Docker suite', SNAPSHOT, templates);

const templateOf = templateReader({ parts, values });

/** In the order of their names; the id of a task is the name of its file. */
const templates = Object.values(files)
  .sort((one, other) => (one.id < other.id ? -1 : 1))
  .map(file => templateOf(file, `${file.id}.json`));

export const DOCKER: ScriptedSuite = dockerSuiteOf(templates);
