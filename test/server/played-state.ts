// A training as it might look after so many seconds: pure, so that a test or a picture shows the same one each time.

import { seeded } from '../../runtime/core/rng.ts';
import type { EvaluationPoint, RunState } from '../../runtime/protocol/daemon/state.ts';

export const STARTED = Date.UTC(2026, 10, 20, 12, 0, 0);
const LENGTH = 1200;
const MEASURED_EVERY = 60;

const TASKS: readonly (readonly [string, number])[] = [
  ['settings-night-light', 1],
  ['settings-volume', 1],
  ['settings-theme', 1],
  ['mail-star', 1],
  ['notes-open', 1],
  ['calculator-sum', 2],
  ['files-rename', 2],
  ['settings-device-name', 2],
  ['contacts-add', 2],
  ['calendar-event', 2],
  ['mail-forward', 3],
  ['files-move-into-folder', 3],
  ['contacts-edit-phone-number', 3],
  ['settings-infeasible', 3],
  ['across-mail-to-calendar', 4],
  ['across-contacts-to-mail', 4],
  ['across-notes-to-calculator', 4],
];

/** How hard the tiers are: success at the end, and how late it comes. */
const ENDS = [0, 0.97, 0.86, 0.58, 0.22];
const LATE = [0, 120, 280, 520, 800];

export function playedState(seconds: number, changes: Partial<RunState> = {}): RunState {
  const now = STARTED + 1000 * seconds;
  const submitted = Math.floor(seconds * 7.4);
  const [failed, dropped] = [Math.floor(submitted * 0.004), Math.floor(submitted * 0.011)];
  const running = seconds === 0 ? 0 : Math.min(submitted, 32);
  const filtered = Math.floor((submitted - failed - dropped - running) * 0.43);
  const updates = Math.floor(seconds * 1.6);
  const curve = (['test', 'train', 'unseen'] as const).flatMap(split => curveOf(split, seconds));
  return {
    run: '2026-11-20-120000-dartboard',
    status: 'running',
    startedAt: STARTED,
    seconds,
    of: LENGTH,
    about: {
      preset: 'scratch',
      mode: 'screenshot_a11y_tree',
      seed: 'dartboard',
      tiers: [1, 2, 3, 4],
      tasks: 83,
    },
    curve: [...curve].sort((a, b) => a.seconds - b.seconds),
    tasks: TASKS.map(([task, tier]) => ({
      task,
      tier,
      rollouts: Math.floor(submitted / TASKS.length),
      ...(seconds > 30 * tier && { rate: rateOf(task, tier, seconds) }),
    })),
    environments: { desktops: 32, broken: seconds > 400 ? 1 : 0, occupancy: 0.94, stepping: 0.31 },
    rollout: {
      workers: 2,
      utilisation: 0.87,
      episodes: submitted - running,
      steps: Math.floor(submitted * 6.2),
      episodesPerSecond: 7.4,
      stepsPerSecond: 45.9,
    },
    data: {
      books: {
        submitted,
        accepted: submitted - failed - dropped - running - filtered,
        filtered,
        dropped,
        failed,
        running,
      },
      queues: { orders: 46, trajectories: 3, batches: 1, lessons: 12 },
      trainableGroups: Math.floor(submitted / 19),
      filteredGroups: Math.floor(submitted / 23),
      injections: Math.floor(seconds / 41),
      staleness: { mean: seconds === 0 ? 0 : 1.4, max: seconds === 0 ? 0 : 4 },
    },
    trainer: {
      version: Math.floor(updates / 4),
      updates,
      updatesPerSecond: 1.6,
      utilisation: 0.91,
      keptSteps: 0.8,
      metrics: {
        'actor/ppo_kl': 0.0031,
        'actor/entropy': 0.42,
        'actor/pg_clipfrac': 0.061,
        'actor/grad_norm': 0.88,
      },
    },
    waiting:
      seconds > 60 ? [{ module: 'trainer', reason: 'a batch of three groups', since: now - 2400 }] : [],
    problems:
      seconds > 400
        ? [
            {
              thing: 'desktop-7',
              message: 'It did not answer for 10 s and was started again.',
              at: STARTED + 391_000,
            },
            {
              thing: 'worker-2',
              message: 'It was restarted after its process had ended with code 134.',
              at: STARTED + 622_000,
            },
          ].filter(({ at }) => at <= now)
        : [],
    ...changes,
  };
}

const learnt = (tier: number, seconds: number): number =>
  (ENDS[tier] ?? 0) / (1 + Math.exp(-(seconds - (LATE[tier] ?? 0)) / (60 + 25 * tier)));

function rateOf(task: string, tier: number, seconds: number): number {
  const hard = 0.75 + 0.35 * seeded(task).next();
  return Math.min(1, Math.round(32 * learnt(tier, seconds) * hard) / 32);
}

function curveOf(split: EvaluationPoint['split'], seconds: number): readonly EvaluationPoint[] {
  const share = { train: 1.04, test: 1, unseen: 0.74 }[split];
  const trials = { train: 166, test: 332, unseen: 160 }[split];
  const random = seeded(split);
  const moments = Array.from({ length: Math.floor(seconds / MEASURED_EVERY) + 1 }, (_, index) => index);
  // Unseen tasks are measured seldom.
  return moments
    .filter(index => split !== 'unseen' || index % 5 === 0)
    .map(index => {
      const at = index * MEASURED_EVERY;
      const whole = [1, 2, 3, 4].reduce((sum, tier) => sum + learnt(tier, at) / 4, 0) * share;
      const rate = Math.min(1, Math.max(0, whole + 0.05 * (random.next() - 0.5)));
      const half = 0.02 + 1.96 * Math.sqrt((rate * (1 - rate)) / trials) * 1.3;
      const successes = Math.round(rate * trials);
      return {
        seconds: at,
        steps: Math.round(50 * at),
        split,
        version: Math.floor(at * 0.4),
        successes,
        trials,
        rate: successes / trials,
        low: Math.max(0, rate - half),
        high: Math.min(1, rate + half),
      };
    });
}
