// How the trainer learns.

import * as z from 'zod';
import { ADVANTAGES } from '../../data/advantage.ts';
import { MAX_RUN_MINUTES } from '../../protocol/daemon/state.ts';
import { AGGREGATIONS } from '../../trainer/aggregation.ts';
import { counts, share, weight } from './descriptions.ts';

const passes = (source: string) =>
  z
    .number()
    .min(0)
    .max(1_000_000)
    .describe(
      `Rows that a step of ${source} adds. Default: practically unlimited, but few on desktops of the kinds docker and web.`,
    );

export const trainer = z
  .strictObject({
    learningRate: z
      .number()
      .gt(0)
      .max(1)
      .describe(
        'The learning rate of Adam after the warm-up. Default: 0.001, or 0.0003 on desktops of the kind `docker`, or 0.000001 for agents that reply in tokens.',
      ),
    warmupUpdates: counts(0, 1_000_000).describe(
      'Optimiser steps in which the learning rate rises linearly from 0. Default: 50, or 0 for agents that reply in tokens.',
    ),
    cooling: share.describe(
      'The share of the learning rate that is left at the end of the run. Default: 0.1, or 1 for agents that reply in tokens.',
    ),
    clipNorm: z.number().gt(0).max(1e6).describe('The largest norm of the gradient.'),
    batch: counts(1, 4096).describe('Rows of an update when there are no groups.'),
    replay: counts(0, 4096).describe(
      'Imitated rows of an update, in addition to those of groups. Default: 16, or 0 with the recipe `computer-rl`.',
    ),
    policyRows: counts(1, 4096).describe(
      'The most steps of groups in an update. Default: 24, or 128 for agents that reply in tokens.',
    ),
    policyWeight: weight.describe(
      'The weight of the policy loss. With 0 only lessons train, and groups are dropped: a control for experiments.',
    ),
    cloneWeight: weight.describe(
      'The weight of the imitation loss. Default: 1, or 0 for agents that reply in tokens.',
    ),
    renaming: share.describe(
      'The share of imitated rows in which names are replaced by random ones. Default: more on real desktops, and 0 in the mode `screenshot`, in which names are pixels.',
    ),
    shares: z
      .strictObject({
        hindsight: weight.describe(
          'Accidental outcomes, also of failed rollouts, that a task asks for. Default: 2, with the preset `taught` 1.5, and 0 with the recipe `computer-rl`.',
        ),
        beside: weight.describe(
          'Accidental outcomes that no task asks for. Default: 0.5, with the preset `taught` 0.3, and 0 with the recipe `computer-rl`.',
        ),
        successes: weight.describe(
          'Successful rollouts of the policy. Default: 2, with the recipe `computer-rl` 1, and 0 with the recipe `digi-rl`.',
        ),
        demonstrations: weight.describe('Demonstrations by scripts and people.'),
        grounding: weight.describe(
          'Single steps whose instruction names their target. Default: 1, with the preset `taught` 0.5, and 0 with the recipe `computer-rl`.',
        ),
      })
      .describe('The relative share of each source of imitated rows.'),
    passes: z
      .strictObject({
        hindsight: passes('an accidental outcome that a task asks for'),
        beside: passes('an accidental outcome that no task asks for'),
        successes: passes('a successful rollout'),
        demonstrations: passes('a demonstration'),
        grounding: passes('the single steps whose instruction names their target'),
      })
      .describe(
        'Imitation while there are no groups: each new step adds so many rows to one budget, and `trainer.shares` draws them from all sources. When it is used up, the trainer waits for groups.',
      ),
    objective: z
      .strictObject({
        clipLow: share.describe(
          'The policy ratio is clipped below 1 minus this. Default: 0.2, or 0.0003 with the recipe `gspo`.',
        ),
        clipHigh: z
          .number()
          .min(0)
          .max(10)
          .describe(
            'The policy ratio is clipped above 1 plus this. Default: 0.28, or from a `recipe` other than `dart`.',
          ),
        dualClip: z
          .union([z.literal(0), z.number().min(1).max(1000)])
          .meta({ patternErrorMessage: '0, or a number from 1 to 1000' })
          .describe(
            'For negative advantages the loss is clipped at this ratio; 0 turns it off. Default: 10, or 0 with a `recipe` other than `dart`.',
          ),
        truncation: z.number().gt(0).max(1000).describe('The largest importance weight for staleness.'),
        importance: z
          .enum(['token', 'sequence'])
          .describe(
            'For model agents. `token`: an importance weight per token. `sequence`: one per reply, from the product over its tokens.',
          ),
        ratio: z
          .enum(['token', 'sequence'])
          .describe(
            'For model agents. `token`: a policy ratio per token, as in PPO and GRPO. `sequence`: one per reply, as in GSPO. Default: `token`, or `sequence` with the recipe `gspo`.',
          ),
        divergence: weight.describe(
          'The weight (β) of the KL divergence from the initial weights; 0 turns it off. Useful for runs that start from the weights of another run and imitate little. Default: 0; for agents that reply in tokens 0.1, or from a `recipe` other than `dart`.',
        ),
        entropyFloor: share.describe(
          'Entropy of a decision below this share of its maximum is penalised. Default: 0.05, or 0.1 for agents that reply in tokens.',
        ),
        entropyWeight: weight.describe(
          'The weight of that penalty; 0 turns it off. Default: 0.02, or 0 for agents that reply in tokens.',
        ),
      })
      .describe("DART's objective."),
    advantages: z
      .enum(ADVANTAGES)
      .describe(
        'The advantage of a step is its distance from the mean of its group. `steps`: the mean over the steps, as in DART. `rollouts`: over the rollouts, as in GRPO. `contributions`: over the steps, of which only those count as rewarded that changed the screen in a success, as in ComputerRL. `matches`: by how well each action matches that of a stored trajectory, as in UI-S1; only on desktops of the kind `offline`. `actions`: by whether it matches, compared only at the same step of that trajectory, as in Mobile-R1; only on `offline` too. `parts`: the same with a reward for each part of the action that matches, as in CRAFT-GUI. `successes`: 1 in a success, and failures do not train: filtered imitation, a control for experiments. Or learned critics value a step: `filtered` imitates steps of the best tenth of the rollouts that raise the value, as in DigiRL; `values` is generalised advantage estimation, as in UI-TARS-2. Default: `steps`, or from a `recipe` other than `dart`.',
      ),
    aggregation: z
      .enum(AGGREGATIONS)
      .describe(
        'The mean in the policy loss. `steps`: over the steps of an update. `tokens`: over their tokens, or decisions of the built-in policy, as in DAPO. Default: `steps`, or `tokens` with the recipe `dapo`.',
      ),
    budget: counts(0, 100_000_000).describe(
      'Tokens of replies in an update, or decisions of the built-in policy, as in C3PO: the loss is divided by this number, and the rest of a batch does not train. 0 turns it off. Default: 0; with the recipe `c3po` 48, or 8192 for agents that reply in tokens.',
    ),
    shaping: z
      .strictObject({
        shortestPath: share.describe(
          'The share of its reward that a success loses as it gets longer than the shortest of its instance, as in MobileRL; 0 turns it off. Default: 0, or 0.5 with the recipe `mobile-rl`.',
        ),
        overlong: share.describe(
          'The last share of the step limit, in which a penalty rises from 0 to 1, as in DAPO; 0 turns it off. Default: 0, or 0.2 with the recipe `dapo`.',
        ),
        format: weight.describe(
          'For model agents. The weight of a reward for the share of replies that could be read, as in Mobile-R1; 0 turns it off. Default: 0, or 1 with the recipe `mobile-r1` on desktops.',
        ),
      })
      .describe('Changes of the rewards of a rollout. Success rates do not see them.'),
    positives: z
      .strictObject({
        share: z
          .number()
          .min(0)
          .max(0.9)
          .describe(
            'The share of a batch that successes of earlier batches fill, as in MobileRL; 0 turns it off. Default: 0, or 0.2 with the recipe `mobile-rl`.',
          ),
        perBatch: counts(1, 64).describe(
          'The successes with the highest advantages of a batch that are kept.',
        ),
      })
      .describe('Replay of the best successes, with their advantages.'),
    pulse: z
      .strictObject({
        imitation: counts(1, 1_000_000).describe('Optimiser steps of a phase of imitation.'),
        policy: counts(0, 1_000_000).describe(
          'Optimiser steps on groups between two phases of imitation, as in ComputerRL; 0 turns the phases off. Default: 0, or 600 with the recipe `computer-rl`.',
        ),
      })
      .describe('Phases of imitation instead of imitation whenever no group waits.'),
    maxMismatch: z
      .number()
      .gt(0)
      .max(1000)
      .describe(
        'For model agents. Training stops when the log-probabilities of the server and of the learner differ by more nats per token (`mismatch_kl`).',
      ),
    publishSeconds: z
      .number()
      .min(0)
      .max(86_400)
      .describe(
        'The least seconds between two published versions of the weights. Default: 1, or 3 on desktops of the kind `web` and 20 of the kinds `docker` and `guest`, where episodes take longer; 0 for agents that reply in tokens.',
      ),
    checkpointMinutes: z
      .number()
      .gt(0)
      .max(MAX_RUN_MINUTES)
      .describe(
        'Minutes between two checkpoints: about the most training that a failed trainer loses. Default: 0.25, or 10 for agents that reply in tokens.',
      ),
  })
  .describe('The trainer.');
