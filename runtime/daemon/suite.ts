// The suite that a run is about: what is built in, and the tasks of a folder beside it.

import { templatesFrom } from '../environments/pocket/tasks/from-folder.ts';
import { POCKET, type Suite, suiteOf } from '../environments/pocket/tasks/suite.ts';

export const openSuite = async (folder: string | undefined): Promise<Suite> =>
  folder === undefined ? POCKET : suiteOf([...POCKET.templates, ...(await templatesFrom(folder))]);
