// The sections of docs/results.md about modules that run independently.

import type { FigureBar } from './format.ts';
import {
  type BenchPage,
  type FigureSpec,
  min,
  type PictureSpec,
  picture,
  share,
  shareOf,
  times,
} from './page-spec.ts';

const gains = (occupancyBar?: FigureBar): readonly FigureSpec[] => [
  times('worker_utilisation_gain', 'worker utilisation, against the weakest coupled baseline', min(1.6)),
  times('worker_utilisation_vs_best_coupled', 'the same against the strongest coupled schedule'),
  times('worker_utilisation_vs_best_grouped', 'against the strongest batch-wise or task-wise schedule'),
  times('throughput_gain', 'trained actions per minute, against the weakest coupled baseline', min(1.9)),
  times('throughput_vs_best_coupled', 'the same against the strongest coupled schedule'),
  times('throughput_vs_best_grouped', 'against the strongest batch-wise or task-wise schedule'),
  times('environment_occupancy_gain', 'desktops in an episode, against that baseline', occupancyBar),
  times('environment_occupancy_vs_best_coupled', 'the same against the strongest coupled schedule'),
  times('environment_occupancy_vs_best_grouped', 'against the strongest batch-wise or task-wise schedule'),
];

const WITHOUT_HANGS: readonly FigureSpec[] = gains().map(({ name, meaning }) =>
  times(`${name}_without_hangs`, `${meaning}, without hangs`),
);

const PACING: readonly FigureSpec[] = [
  share(
    'capacity_share',
    'trained actions, as a share of what trainer, workers and desktops allow on average',
    min(0.9),
  ),
  share('lost_share', 'trajectories lost to age, with the latencies of the paper'),
  share('lost_share_unpaced', 'the same where workers load new weights one after another'),
  times('pacing_gain', 'trained actions per minute, against workers that load one after another'),
];

const world = (series: string, title: string): PictureSpec =>
  picture(
    [series, `Decoupling: ${title}`, 'by scheduling, synchronisation and staleness bound K'],
    shareOf('share of the time of workers and of desktops'),
  );

export const DECOUPLING_PAGES: readonly BenchPage[] = [
  {
    name: 'decoupling',
    title: 'Decoupling',
    about:
      'Desktops, workers and trainer that run independently, against schedules that couple them. The scheduler is the real one; desktops, workers and updates are simulated in virtual time. Gains of utilisation and throughput are the lowest of three worlds. The gain of occupancy is that of the world with the latencies of the paper: its hangs were chosen so that the weakest coupled baseline (batch-wise, all workers synchronise at once, K = 0) idles as in the paper. Without hangs, each gain is the lowest of the three worlds. The strongest coupled schedule is the best for that figure whose rollouts wait for those of their task or batch, or whose workers all wait while they load new weights; in each world that is rollout-wise scheduling where all workers synchronise at once, with K = 4. Paced workers load new weights as many at a time as the measured times need, so that each loads about every version; this is what the product does.',
    figures: [...gains(min(5.5)), ...PACING, ...WITHOUT_HANGS],
    pictures: [
      world('paper-like', 'latencies of the paper (seconds per step)'),
      world('docker', 'desktops in containers'),
      world('pocket', 'pocket desktops'),
    ],
  },
  {
    name: 'decoupling-real',
    title: 'Decoupling with real workers',
    about:
      'Four of the same schedules with real policy workers on slowed pocket desktops, in real time. The strongest task-wise schedule is the one with K = 1. The schedule that is rollout-wise with all workers synchronised at once has been added since the last measurement.',
    command: 'decoupling --real',
    figures: gains(),
    pictures: [world('real workers', 'real workers on slowed pocket desktops')],
  },
];
