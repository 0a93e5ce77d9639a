// What is asked of learning: what a policy reaches, and an hour of it.

import { type AskedBench, figure, type Label } from './asked.ts';

const BAND = 'band: 95 % interval';
const TIME: Label = { label: 'time trained (minutes : seconds)', unit: 'seconds' };

export const learn: AskedBench = {
  name: 'learn',
  title: 'Learning',
  about:
    'What a policy reaches within a given time, on test instances that training never sees: from random weights, and from five demonstrations a task.',
  command: 'learn',
  figures: [
    figure('tier1_elements_5min', 'tier 1, elements and pixels, random weights, 5 minutes', 'share', {
      least: 0.95,
    }),
    figure('tier1_pixels_10min', "tier 1's click tasks, pixels only, random weights, 10 minutes", 'share', {
      least: 0.8,
    }),
    figure('tiers12_demos', 'tiers 1 and 2, 5 demonstrations a task', 'share', { least: 0.9 }),
    figure('tier3_demos', 'tier 3, with demonstrations', 'share', { least: 0.7 }),
    figure('tier4_demos', 'tier 4, with demonstrations', 'share', { least: 0.4 }),
    figure('unseen', 'kinds of tasks that were never trained', 'share', { text: 'as it is' }),
    figure('useful_share', "both cores' time inside ONNX Runtime or a desktop", 'share', { least: 0.75 }),
    figure('peak_rss_mb', 'memory of all its processes together, at most', 'megabytes', { most: 1500 }),
  ],
  pictures: [
    {
      name: 'success',
      title: 'Success over time of training',
      subtitle: `on test worlds · ${BAND}, clustered by task`,
      x: TIME,
      y: { label: 'tasks solved', unit: 'share' },
    },
    {
      name: 'training success',
      title: 'Training success',
      subtitle: 'of the last rollouts of each task',
      x: TIME,
      y: { label: 'rollouts that succeed', unit: 'share' },
    },
    {
      name: 'mean rollouts',
      title: 'Mean number of rollouts a group',
      subtitle: 'of the last groups: the surer a task succeeds, the fewer it gets',
      x: TIME,
      y: { label: 'rollouts a group', unit: 'number' },
    },
    {
      name: 'mean length',
      title: 'Mean length that a rollout may have',
      subtitle: 'of the last groups: a quarter more than the longest success of late',
      x: TIME,
      y: { label: 'steps', unit: 'number' },
    },
  ],
};

export const hour: AskedBench = {
  name: 'hour',
  title: 'An hour of training',
  about: 'Whether memory stays flat, and what the cores do: all tiers, with demonstrations.',
  command: 'hour',
  figures: [
    figure('peak_mb', 'memory of all its processes together, at most', 'megabytes', { most: 1500 }),
    figure('growth_mb_last_half', 'growth an hour, by a line through the second half', 'megabytes', {
      text: 'flat',
    }),
    figure('useful_share', "all cores' time inside ONNX Runtime or a desktop", 'share', { least: 0.75 }),
    figure('useful_of_used', 'the same, of the time that its processes had at all', 'share'),
    figure('desktops_share', "of all cores' time, desktops", 'share'),
    figure('deciding_share', 'the same, deciding in ONNX Runtime', 'share'),
    figure('training_share', 'the same, training in ONNX Runtime', 'share'),
    figure('host_rest_share', "the host's other work: messages, collecting garbage", 'share'),
    figure('workers_rest_share', "the policy workers' other work", 'share'),
    figure('trainer_rest_share', "the trainer's other work: rows for the next update, checkpoints", 'share'),
    figure('daemon_share', 'the daemon with its index: files, channels, books', 'share'),
    figure('idle_share', 'idle, or at work for other programs', 'share'),
  ],
  pictures: [
    {
      name: 'memory',
      title: 'Memory while it trains',
      subtitle: 'what processes share counts once',
      x: { label: 'time (minutes : seconds)', unit: 'seconds' },
      y: { label: 'megabytes', unit: 'number' },
    },
    {
      name: 'processor',
      title: 'What the cores did',
      subtitle: "shares of all cores' time",
      y: { label: 'share of the time', unit: 'share' },
    },
  ],
};
