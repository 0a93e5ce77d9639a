// The section of docs/results.md about the controls of tier 1: each teacher without the others.

import { type BenchPage, number, picture, SOLVED, STEPS, share } from './page-spec.ts';

export const CONTROLS_PAGE: BenchPage = {
  name: 'recipes-controls',
  title: 'Controls',
  command: 'recipes --controls',
  about:
    'The headline training, tier 1 from random weights for five minutes, with all of its teachers and with each of them alone. The arms share their seeds, desktops and minutes. An arm without RL has no policy loss and trains on lessons alone. Success is on 20 test instances of each task with greedy decisions. [recipes.md](recipes.md#protocol-of-the-controls) has the protocol.',
  figures: [
    number('arms', 'arms'),
    number('seeds', 'seeds with RL and without; three of each other arm'),
    share('success_all', 'RL, hindsight, own successes and grounding'),
    share('success_imitation', 'the same without RL'),
    share('success_hindsight', 'hindsight alone'),
    share('success_filtered', 'own successes alone, without RL (filtered imitation)'),
    share('success_rl', 'RL alone'),
    share('all_over_imitation', 'all teachers, minus the same without RL'),
  ],
  pictures: [
    picture(
      ['success by environment steps', 'Controls of the headline', 'test worlds · mean of the seeds'],
      SOLVED,
      STEPS,
    ),
  ],
};
