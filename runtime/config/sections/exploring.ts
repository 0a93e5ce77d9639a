// Exploration: learning without tasks.

import * as z from 'zod';
import { share } from './descriptions.ts';

export const exploring = z
  .strictObject({
    firstSeconds: z
      .number()
      .min(0)
      .max(86_400)
      .describe(
        'The first seconds of a run only explore and imitate; tasks follow. Default: at most a quarter of the run, and 0 on other desktops than `pocket`, which are not explored, for agents that reply in tokens, and with the recipe `computer-rl`.',
      ),
    searching: share.describe(
      'Afterwards, the share of time that explores while no success is known for some task. Default: 0.5, with the preset `taught` 0.2, and 0 on other desktops than `pocket`, for agents that reply in tokens, and with the recipe `computer-rl`.',
    ),
    otherwise: share.describe(
      'The share of time that explores when there are no such tasks. Default: 0.2, with the preset `taught` 0.15, and 0 on other desktops than `pocket`, for agents that reply in tokens, and with the recipe `computer-rl`.',
    ),
    novelty: z
      .boolean()
      .describe(
        'Prefers exploring actions after which new states were reached, as in GUI-Bee. Otherwise actions are random. Only pocket desktops are explored. Default: false.',
      ),
    hindsight: z
      .boolean()
      .describe(
        'Relabels failed rollouts with an instruction that fits their outcome: from the state of a pocket desktop, and from the instructions, elements and rewards of web and Docker desktops. Default: true on pocket desktops, and false on others, for agents that reply in tokens, and with the recipe `computer-rl`.',
      ),
    analogy: z
      .boolean()
      .describe(
        'Transfers demonstrations of a task to its other instances. Default: true on pocket desktops, and false on others and for agents that reply in tokens.',
      ),
  })
  .describe('What the policy learns by exploration.');
