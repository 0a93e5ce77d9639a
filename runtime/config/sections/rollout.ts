// The workers that run the policy, and how they sample actions.

import * as z from 'zod';
import { counts, share } from './descriptions.ts';

export const rollout = z
  .strictObject({
    workers: counts(1, 64).describe(
      'Processes that run the policy. Each takes a core; leave one for the trainer.',
    ),
    batch: counts(1, 1024).describe('The most decisions in one batch of a worker.'),
    patienceMs: z
      .number()
      .min(0)
      .max(1000)
      .describe(
        'Milliseconds that a request waits for others to share its batch while a worker is free. 0 never waits.',
      ),
    temperature: z
      .number()
      .gt(0)
      .max(10)
      .describe('The sampling temperature: 1 samples from the policy unchanged, higher values explore more.'),
    exploration: share.describe(
      'The share of random decisions (ε) in short tasks. Longer tasks use a smaller share, so that each episode has as many. Default: 0.05; 0.01 on desktops of the kinds `docker` and `offline`; 0.02 on those of the kind `web`; 0 for agents that reply in tokens.',
    ),
    daring: share.describe(
      'The share of random decisions in every other rollout of an unsolved instance, while its task never succeeds. It falls to 0 with the success rate of the task. Default: 0.3, or 0.1 on desktops of the kind `docker`, or 0.8 on those of the kind `web`, or 0 for agents that reply in tokens.',
    ),
    guided: z
      .boolean()
      .describe(
        'Random decisions prefer what can be pressed, what the instruction names, and texts that it quotes. Otherwise all are equally likely. Default: true on desktops of the kind `web`, otherwise false.',
      ),
    mostAttempts: counts(1, 100).describe('The most attempts of an order whose desktop fails.'),
  })
  .describe('The workers that run the policy.');
