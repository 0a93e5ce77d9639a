// The tasks of a run.

import * as z from 'zod';
import { PHRASINGS } from '../../environments/pocket/tasks/phrasing.ts';
import { text, uniqueList } from './descriptions.ts';

export const tiers = uniqueList(z.literal([1, 2, 3, 4])).describe(
  'The tiers of difficulty, 1 to 4. Excludes `tasks`. Default: 1; 3 and 4 of the kind `guest`, 3 of the kind `offline`.',
);
export const tasks = uniqueList(text).describe('The ids of single tasks. Excludes `tiers`.');
export const files = text.describe(
  'A folder of task files, relative to the workspace. Its tasks are added to the built-in ones. Default: the folder of the kind of desktops in `.dartboard/tasks`, such as `.dartboard/tasks/pocket`, if it exists.',
);
export const phrasings = z
  .enum(PHRASINGS)
  .describe(
    'Pocket desktops. `varied` words the instructions in many more ways; tests have words and beginnings that training never has. Default: `fixed`.',
  );
