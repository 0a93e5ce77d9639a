// What is asked of the ring: that nobody waits for anybody, however many there are.

import { type AskedBench, type AskedFigure, type AskedPicture, figure } from './asked.ts';

const GAINS: readonly AskedFigure[] = [
  figure('worker_utilisation_gain', "workers' time in use, against the coupled baseline", 'times', {
    least: 1.6,
  }),
  figure('throughput_gain', 'actions trained a minute, against the coupled baseline', 'times', {
    least: 1.9,
  }),
  figure('environment_occupancy_gain', 'desktops with a live episode, where the baseline idles', 'times', {
    least: 5.5,
  }),
  figure('share_of_possible_gain', 'of the occupancy that could be gained, elsewhere', 'share', {
    least: 0.9,
  }),
];

const world = (name: string, title: string): AskedPicture => ({
  name,
  title: `Decoupling: ${title}`,
  subtitle: 'by scheduling, synchronisation and bound on staleness',
  y: { label: "share of the workers' and of the desktops' time", unit: 'share' },
});

export const decoupling: AskedBench = {
  name: 'decoupling',
  title: 'Decoupling',
  about:
    'What it gains that desktops, workers and trainer do not wait for one another: the real scheduler under virtual time. The gains in time of workers and in actions are the least of three worlds; that in desktops is of the one whose baseline is as idle as the paper says.',
  command: 'decoupling',
  figures: GAINS,
  pictures: [
    world('paper-like', 'steps of seconds, as in the paper'),
    world('docker', 'desktops in containers'),
    world('pocket', 'pocket desktops'),
  ],
};

export const decouplingReal: AskedBench = {
  name: 'decoupling-real',
  title: 'Decoupling, with real workers',
  about: 'The same, small, with real policy workers on slowed pocket desktops, by the clock on the wall.',
  command: 'decoupling --real',
  // Its baseline is busier than the paper's: there the share of what is possible counts.
  figures: GAINS.map(each =>
    each.name === 'environment_occupancy_gain' ? { ...each, bar: { text: 'as it is' } } : each,
  ),
  pictures: [world('real workers', 'real workers on slowed pocket desktops')],
};

export const scale: AskedBench = {
  name: 'scale',
  title: 'Scale',
  about: 'What the scheduler itself costs a step, with 100, 1,000 and 10,000 desktops.',
  command: 'scale',
  figures: [
    figure('cost_growth_100_to_10000', 'cost of a step with 10,000 desktops, against 100', 'times', {
      most: 2,
    }),
    figure('occupancy_10000', 'occupancy of 10,000 desktops', 'share', { least: 0.9 }),
    figure('us_per_step', "the scheduler's own cost of a step, with 10,000 desktops", 'microseconds'),
  ],
  pictures: [
    {
      name: 'cost',
      title: 'What the scheduler costs a step',
      subtitle: 'processor time, without what desktops and policies cost',
      y: { label: 'microseconds a step', unit: 'number' },
    },
  ],
};
