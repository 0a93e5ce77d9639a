// Which tasks a run trains on.

import * as z from 'zod';
import { each } from './descriptions.ts';

export const tiers = each(z.literal([1, 2, 3, 4])).describe(
  'How hard the tasks are that are trained on: one or several of 1 to 4. Not together with `tasks`.',
);
export const tasks = each(z.string().min(1)).describe(
  'The ids of the tasks that are trained on, where whole tiers are too many. Not together with `tiers`.',
);
export const files = z
  .string()
  .min(1)
  .describe('A folder of task files, from the workspace on; its tasks join those that are built in.');
