// The own task suite of web desktops: one JSON file per task in this folder, on the pages in `pages/`.

import { type ScriptedSuite, scriptedSuite } from '../../template/suite.ts';
import { templateReader } from '../../template/template.ts';
import * as files from './files.ts';
import parts from './parts.json';
import values from './values.json';

/** What the desktops of these tasks are. */
const SNAPSHOT = 'chromium';

const templateOf = templateReader({ parts, values });

/** In the order of their names; the id of a task is the name of its file. */
const templates = Object.values(files)
  .sort((one, other) => (one.id < other.id ? -1 : 1))
  .map(file => templateOf(file, `${file.id}.json`));

export const WEB: ScriptedSuite = scriptedSuite('the web suite', SNAPSHOT, templates);
