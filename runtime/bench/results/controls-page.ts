// The sections of docs/results.md about recipes, and about controls: each teacher without the others, on tier 1 and on Docker desktops.

import { type BenchPage, min, number, picture, SOLVED, STEPS, share, times } from './page-spec.ts';

const RECIPES = {
  ...{ dart: 'DART', grpo: 'GRPO', dapo: 'DAPO', c3po: 'C3PO', computer_rl: 'ComputerRL' },
  ...{ mobile_rl: 'MobileRL', craft_gui: 'CRAFT-GUI', digi_rl: 'DigiRL', ui_tars_2: 'UI-TARS-2' },
};

export const RECIPES_PAGE: BenchPage = {
  name: 'recipes',
  title: 'Recipes',
  about:
    'Published methods as settings, from the same cloned weights on tiers 2 and 3. No arm explores, relabels or makes random decisions, and none but ComputerRL imitates beside its groups. Success is on six test instances of each task. [recipes.md](recipes.md#protocol-of-the-comparison) has the protocol.',
  figures: [
    number('arms', 'arms'),
    number('seeds', 'seeds; `seedsOfArms` below has those of each arm'),
    share('success_cloned', 'success of the cloned weights'),
    ...Object.entries(RECIPES).map(([name, title]) => share(`success_${name}`, `final success of ${title}`)),
    ...Object.entries(RECIPES)
      .filter(([name]) => name !== 'grpo')
      .map(([name, title]) => share(`${name}_over_grpo`, `${title} minus GRPO, seed by seed`)),
    times('dart_vs_clean_grpo_steps', 'steps of DART to the final success of GRPO, over those of GRPO'),
  ],
  pictures: [
    picture(['success by environment steps', 'Recipes', 'test worlds · mean of the seeds'], SOLVED, STEPS),
  ],
};

export const CONTROLS_PAGE: BenchPage = {
  name: 'recipes-controls',
  title: 'Controls',
  command: 'recipes --controls',
  about:
    'The headline training, tier 1 from random weights for five minutes, with all of its teachers and with each of them alone. The arms share their seeds, desktops and minutes. An arm without RL has no policy loss and trains on lessons alone. Success is on 20 test instances of each task with greedy decisions. [recipes.md](recipes.md#protocol-of-the-controls) has the protocol.',
  figures: [
    number('arms', 'arms'),
    number('seeds', 'seeds with RL and without; three of each other arm'),
    share('success_all', 'RL, hindsight, own successes and grounding', min(0.95)),
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

export const DOCKER_CONTROLS_PAGE: BenchPage = {
  name: 'docker-controls',
  title: 'Controls on Docker desktops',
  command: 'docker --controls',
  about:
    'All teachers with RL, and fewer of them, on real applications. All arms start from the same weights, which imitated 5 demonstrations of each of 28 tasks, and train for 32 minutes on 8 desktops. The interval of a difference is over the seeds; one seed has none. Success is on 8 test instances of each task. [recipes.md](recipes.md#protocol-of-the-controls) has the protocol.',
  figures: [
    number('arms', 'arms'),
    number('seeds', 'seeds of each arm'),
    share('success_cloned', 'the start: behaviour cloning'),
    share('success_all', 'RL, demonstrations and own successes'),
    share('success_filtered', 'filtered imitation: demonstrations and own successes'),
    share('success_imitation', 'demonstrations alone, without RL'),
    share('success_rl', 'RL alone'),
    share('rl_over_imitation', 'RL, demonstrations and own successes, minus demonstrations alone'),
    share('rl_over_imitation_ci_low', 'lower end of its 95 % interval', min(0)),
  ],
  pictures: [picture(['by task', 'Controls by task', 'Docker desktops · test instances'], SOLVED)],
};

export const DOCKER_LARGE_PAGE: BenchPage = {
  name: 'docker-large',
  title: 'Learning with office applications',
  command: 'docker --large',
  about:
    'The arms of the controls on Docker desktops, on the suite of the large image. Of its 62 tasks, 34 use LibreOffice, Chromium, Thunderbird, GIMP or VLC. All arms start from the same weights, which imitated 3 demonstrations of each task, and train for 20 minutes on 8 desktops. The interval of a difference is over the seeds; one seed has none. Success is on 3 test instances of each task. [recipes.md](recipes.md#protocol-of-the-controls) has the protocol.',
  figures: DOCKER_CONTROLS_PAGE.figures,
  pictures: [picture(['by task', 'Office applications by task', 'Docker desktops · test instances'], SOLVED)],
};
