// What a run finds out without being told.

import * as z from 'zod';
import { share } from './descriptions.ts';

export const exploring = z
  .strictObject({
    firstSeconds: z
      .number()
      .min(0)
      .max(86_400)
      .describe(
        'For so long it only explores and imitates, before it plays tasks. By default no more than a quarter of the run, and 0 on desktops of the kind `docker`, on which nothing is explored.',
      ),
    searching: share.describe(
      'After that, the share of its time that it explores while nobody knows how to do what some task asks for. By default 0.5, with the preset `taught` 0.2, and 0 on desktops of the kind `docker`.',
    ),
    otherwise: share.describe(
      'The share of its time that it explores when there are no such tasks. By default 0.2, with the preset `taught` 0.15, and 0 on desktops of the kind `docker`.',
    ),
    hindsight: z
      .boolean()
      .describe(
        'Whether failed rollouts that did something nameable are kept under the instruction that names it. By default they are, but on desktops of the kind `docker`.',
      ),
    analogy: z
      .boolean()
      .describe(
        'Whether what demonstrations show on some instances of a task is carried over to the others. By default it is, but on desktops of the kind `docker`.',
      ),
  })
  .describe('What it finds out by itself, without being told.');
