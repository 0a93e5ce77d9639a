// Who decides for the desktops, and how boldly.

import * as z from 'zod';
import { counts, share } from './descriptions.ts';

export const rollout = z
  .strictObject({
    workers: counts(1, 64).describe(
      'Processes that decide for the desktops. Each takes a core; leave one for the trainer.',
    ),
    batch: counts(1, 1024).describe('Decisions that a worker makes in one go, at most.'),
    patienceMs: z
      .number()
      .min(0)
      .max(1000)
      .describe(
        'How long a request waits for others to share its batch while a worker is free. 0 never waits.',
      ),
    temperature: z
      .number()
      .gt(0)
      .max(10)
      .describe('1 draws from the policy as it is; more is bolder, less keeps to what is likeliest.'),
    exploration: share.describe(
      'The share of decisions that are made at random in short tasks; in longer ones as much less, so that an episode is disturbed as often. By default 0.05, and 0.01 on desktops of the kind `docker`.',
    ),
    daring: share.describe(
      'The same in every other rollout of an instance that was never solved. By default 0.3, and 0.1 on desktops of the kind `docker`.',
    ),
    mostAttempts: counts(1, 100).describe('How often an order is tried when its desktop breaks.'),
  })
  .describe('Who decides, and how.');
