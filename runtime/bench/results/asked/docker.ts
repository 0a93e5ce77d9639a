// What is asked of real desktops: how fast they are, and what is learned on them.

import { type AskedBench, figure } from './asked.ts';

export const docker: AskedBench = {
  name: 'docker',
  title: 'Real desktops',
  about:
    'Desktops in containers: a click, until its screen has settled and the frame of 320×240 is there, with several desktops at once.',
  command: 'docker',
  figures: [
    figure('steps_per_s_1', 'steps a second with one desktop', 'number'),
    figure('steps_per_s_8', 'steps a second with 8', 'number', { least: 250 }),
    figure('steps_per_s_16', 'steps a second with 16', 'number', { least: 350 }),
    figure('elements_steps_per_s_8', 'steps a second with 8, each with its elements', 'number', {
      least: 200,
    }),
    figure('stale_frames', 'frames that had not settled', 'share', { most: 0.001 }),
    figure('vs_exec', 'against a process of its own in the container for each screenshot', 'times', {
      least: 10,
    }),
    figure('ready_ms', 'until a desktop can be used', 'milliseconds', { most: 600 }),
    figure('anew_ms', 'until the desktop of the last episode is like new', 'milliseconds'),
    figure('new_vs_anew', 'processor time of a new container against that', 'times'),
    figure('idle_mib', 'memory of a desktop on which nothing happens', 'megabytes', { most: 60 }),
  ],
  pictures: [],
};

export const dockerLearn: AskedBench = {
  name: 'docker-learn',
  title: 'Learning on real desktops',
  about:
    'Training through the ring on 8 real desktops, with 5 demonstrations of each task; success on instances that it never trains on.',
  command: 'docker --learn',
  figures: [
    figure('success_random', 'success with random weights', 'share'),
    figure('success_cloned', 'success after imitating the demonstrations', 'share'),
    figure('success_rl', 'success after reinforcement learning from those weights', 'share'),
    figure('gain', 'what reinforcement learning gains', 'share', { least: 0.15 }),
    figure('gain_ci_low', 'the lower end of its 95 % interval', 'share', { text: 'above 0' }),
  ],
  pictures: [
    {
      ...{ name: 'success', title: 'Success on real desktops', subtitle: 'on instances of the test split' },
      ...{ x: { label: 'time', unit: 'seconds' }, y: { label: 'solved', unit: 'share' } },
    },
    {
      ...{ name: 'by task', title: 'Success by task', subtitle: 'on instances of the test split' },
      y: { label: 'solved', unit: 'share' },
    },
  ],
};
