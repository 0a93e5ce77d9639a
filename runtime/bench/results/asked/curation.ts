// What is asked of curation: on real rewards, and part by part in training.

import { type AskedBench, type AskedFigure, type AskedPicture, figure, type Label } from './asked.ts';

export const curation: AskedBench = {
  name: 'curation',
  title: 'Curation on real rewards',
  about:
    'How many groups carry a gradient, for as many rollouts, under the rules of curation and under the uniform rule. FILE is a table of real rewards, a list of {"task": its id, "rewards": [numbers from 0 to 1]}, which is not in this repository; without one a table of the same shape is made, and the figures are others.',
  command: 'curation --table FILE',
  figures: [
    figure('groups_per_1000_gain', 'groups with a gradient, against the uniform rule', 'times', {
      least: 1.7,
    }),
    figure('gain_without_success_pool', 'the same without the pool', 'times'),
    figure('gain_without_rollout_number', 'the same without the dynamic number', 'times'),
    figure('gain_without_revisits', 'the same without revisits', 'times'),
    figure('gain_of_success_pool_alone', 'the pool beside the uniform rule', 'times'),
    figure('gain_with_filled_pool', 'the same where the pool begins with a success of each task', 'times'),
    figure('groups_per_1000_uniform', 'of 1,000 rollouts, under the uniform rule', 'number'),
    figure('groups_per_1000_dart', 'of 1,000 rollouts, with all of it', 'number'),
  ],
  pictures: [
    {
      name: 'groups per 1000 by epoch',
      title: 'Groups that carry a gradient',
      subtitle: 'of 1,000 rollouts · band: 95 % interval over seeds',
      x: { label: 'epoch', unit: 'number' },
      y: { label: 'groups', unit: 'number' },
    },
    {
      name: 'mean rollouts',
      title: 'Mean number of rollouts a group',
      subtitle: 'over simulated training',
      x: { label: 'epoch', unit: 'number' },
      y: { label: 'rollouts a group', unit: 'number' },
    },
    {
      name: 'never solved',
      title: 'The success pool where nothing succeeded',
      subtitle:
        'of the groups that failed whole, those that train all the same · band: 95 % interval over seeds',
      x: { label: 'epoch', unit: 'number' },
      y: { label: 'groups', unit: 'share' },
    },
  ],
};

const PARTS: readonly (readonly [name: string, words: string])[] = [
  ['success_pool', 'the success pool'],
  ['rollout_number', 'the dynamic number of rollouts'],
  ['revisits', 'revisits'],
  ['length', 'dynamic length'],
  ['high_entropy', 'the choice of high-entropy steps'],
  ['alignment', 'distribution alignment'],
];

const withoutParts = PARTS.flatMap(([name, words]): AskedFigure[] => [
  figure(`success_without_${name}`, `success in the end, without ${words}`, 'share'),
  figure(`loss_without_${name}`, `what is lost without ${words}, after as many environment steps`, 'share'),
]);

const STEPS: Label = { label: 'environment steps', unit: 'number' };
const SOLVED: Label = { label: 'tasks solved', unit: 'share' };
const OVER_STEPS = 'success by environment steps';
const ON_TEST = 'on test worlds · band: 95 % interval over seeds';

/** One part of curation: the whole, and without it. */
const pair = (title: string, file: string, without: string): AskedPicture => ({
  ...{ name: OVER_STEPS, file, title, subtitle: ON_TEST, x: STEPS, y: SOLVED },
  only: ['dart', without],
});

export const ablation: AskedBench = {
  name: 'curation-ablation',
  title: 'Each part of curation, left out',
  about:
    'From the same cloned weights on tiers 2 and 3: all of curation, none of it, and each part off alone.',
  command: 'curation --ablation --minutes 10',
  figures: [
    figure('dart_vs_grpo_steps', 'steps to the success at which plain GRPO ends, of its own', 'times', {
      most: 0.67,
    }),
    figure('dart_vs_grpo_ci_low', 'the lower end of its 95 % interval', 'times'),
    figure('dart_vs_grpo_ci_high', 'the upper end', 'times', { most: 1 }),
    figure('grpo_gain', 'what plain GRPO itself gains', 'share', { least: 0.1 }),
    figure('success_cloned', 'success of the cloned weights', 'share'),
    figure('success_full', 'success in the end, with all of curation', 'share'),
    figure('success_grpo', 'success in the end, with plain GRPO', 'share'),
    ...withoutParts,
  ],
  pictures: [
    {
      ...{ name: OVER_STEPS, title: 'Success over environment steps', subtitle: ON_TEST },
      ...{ x: STEPS, y: SOLVED },
    },
    pair('With and without distribution alignment', 'alignment', 'no-alignment'),
    pair('With and without the success pool', 'success pool', 'no-success-pool'),
  ],
};
