// The sections of docs/results.md, in order. Measured values are not here.

import { BASE_PAGE } from './base-page.ts';
import { CONTROLS_PAGE, DOCKER_CONTROLS_PAGE, DOCKER_LARGE_PAGE, RECIPES_PAGE } from './controls-page.ts';
import { DECOUPLING_PAGES } from './decoupling-pages.ts';
import { HOSTS_PAGES } from './hosts-page.ts';
import {
  type BenchPage,
  counted,
  EPOCH,
  figure,
  max,
  megabytes,
  milliseconds,
  min,
  number,
  type PictureSpec,
  picture,
  SOLVED,
  STEPS,
  share,
  shareOf,
  TIME,
  times,
} from './page-spec.ts';
import { PANELS_PAGE } from './panels-page.ts';
import { SERVED_PAGES } from './served-pages.ts';
import { SURVIVE_PAGES } from './survive-page.ts';
import { WEB_PAGES } from './web-pages.ts';

const PARTS: Readonly<Record<string, string>> = {
  success_pool: 'the success pool',
  rollout_number: 'the dynamic number of rollouts',
  revisits: 'revisits',
  length: 'the dynamic step limit',
  high_entropy: 'the selection of high-entropy steps',
  alignment: 'distribution alignment',
};
const OVER_STEPS = 'success by environment steps';
const overSteps = (title: string, without?: string): PictureSpec => ({
  ...picture([OVER_STEPS, title, 'test worlds · band: 95 % interval over seeds'], SOLVED, STEPS),
  ...(without !== undefined && { file: without.replace('no-', ''), only: ['dart', without] }),
});

/** In the order of the document. */
export const PAGES: readonly BenchPage[] = [
  {
    name: 'learn',
    title: 'Learning',
    about:
      'Success on test instances after a given time of training, from random weights and from 5 demonstrations per task. Test instances have new names and layouts, but the phrasings of training.',
    figures: [
      share(
        'tier1_elements_5min',
        'tier 1, elements and pixels, random weights, 5 minutes; eleven seeds are under Controls',
        min(0.95),
      ),
      number('tier1_tasks_at_0', 'tasks of tier 1 that it never solves', max(0)),
      share('tier1_pixels_10min', 'click tasks of tier 1, pixels only, random weights, 10 minutes', min(0.8)),
      share('tiers12_demos', 'tiers 1 and 2, all tiers trained for 40 minutes, 5 demonstrations', min(0.9)),
      share('tier3_demos', 'tier 3, the same training', min(0.7)),
      share('tier4_demos', 'tier 4, the same training', min(0.4)),
      share('all_tiers_demos', 'all four tiers, the same training'),
      share('unseen', 'kinds of tasks that were never trained, the same training'),
      share('tiers12_demos_15min', 'tiers 1 and 2, trained alone for 15 minutes, 5 demonstrations'),
      share('useful_share', 'time of all cores in ONNX Runtime or in a desktop', min(0.75)),
      megabytes('peak_rss_mb', 'peak memory of all processes together', max(1500)),
    ],
    pictures: [
      picture(
        ['success', 'Success over training time', 'test worlds · band: 95 % interval, clustered by task'],
        SOLVED,
        TIME,
      ),
      picture(
        ['training success', 'Training success', 'last rollouts of each task'],
        shareOf('successful rollouts'),
        TIME,
      ),
      picture(
        ['mean rollouts', 'Mean rollouts per group', 'last groups; a task that succeeds reliably gets fewer'],
        counted('rollouts'),
        TIME,
      ),
      picture(
        ['mean length', 'Mean step limit', 'last groups; 1.25 times the longest recent success'],
        counted('steps'),
        TIME,
      ),
    ],
  },
  {
    name: 'demonstrations',
    title: 'A new task',
    about:
      'Two tasks of the pocket desktop that are not in the suite, each as a file in the workspace: a mail to star and mark as unread, and a contact with a new company. A hand shows each on five training instances, through the requests of the panel Record. Then a policy trains on that task alone, from random weights. Test instances have new names. The control trains for as long without the demonstrations.',
    figures: [
      share(
        'new_task_success',
        'success on test instances of both tasks, with five demonstrations each',
        min(0.6),
      ),
      share('new_task_without', 'the same without demonstrations'),
      share('new_task_success_mail', 'the mail, with demonstrations'),
      share('new_task_success_contact', 'the contact, with demonstrations'),
      share('new_task_without_mail', 'the mail, without'),
      share('new_task_without_contact', 'the contact, without'),
    ],
    pictures: [picture(['success', 'Success on new tasks', 'test instances'], SOLVED, TIME)],
  },
  {
    name: 'curation',
    title: 'Curation on recorded rewards',
    about:
      'Groups with a gradient per 1,000 rollouts, for each rule of curation, against the uniform rule (every task in turn, 8 rollouts, no success pool). Simulated: rewards are drawn from a table, and the policy does not change, so a task that was never solved stays as hard. The gain depends on the horizon: rules that visit a task again have nothing to gain in its first epoch, and the figures are those after eight epochs, a number that we chose. A group counts once, however many rollouts it has; the gain is smaller if it counts by its rollouts, since a task that succeeds reliably gets fewer. FILE is a JSON list of {"task": id, "rewards": [0 to 1]} and not part of this repository. Without it the benchmark generates a table with the same statistics, and its figures differ.',
    command: 'curation --table FILE',
    figures: [
      times(
        'groups_per_1000_gain',
        'groups with a gradient in eight epochs, against the uniform rule',
        min(1.7),
      ),
      times('gain_without_success_pool', 'the same without the success pool'),
      times('gain_without_rollout_number', 'the same without the dynamic number of rollouts'),
      times('gain_without_revisits', 'the same without revisits'),
      times('rollouts_per_1000_gain', 'the same, weighting a group by its rollouts that train'),
      times('rollouts_gain_without_revisits', 'that without revisits'),
      times('gain_of_success_pool_alone', 'the uniform rule with the success pool'),
      times('gain_with_filled_pool', 'the same with one success per task in the pool from the start'),
      number('groups_per_1000_uniform', 'groups per 1,000 rollouts, uniform rule'),
      number('groups_per_1000_dart', 'groups per 1,000 rollouts, all rules'),
    ],
    pictures: [
      picture(
        [
          'gain by epochs',
          'Gain by horizon',
          'groups with a gradient, against the uniform rule, in so many epochs · band: 95 % over seeds',
        ],
        counted('times the uniform rule'),
        EPOCH,
      ),
      picture(
        ['groups per 1000 by epoch', 'Groups with a gradient', 'per 1,000 rollouts · band: 95 % over seeds'],
        counted('groups'),
        EPOCH,
      ),
      picture(
        ['mean rollouts', 'Mean rollouts per group', 'simulated training'],
        counted('rollouts per group'),
        EPOCH,
      ),
      picture(
        [
          'never solved',
          'The success pool where every rollout failed',
          'share of failed groups that still train · band: 95 % over seeds',
        ],
        shareOf('groups'),
        EPOCH,
      ),
    ],
  },
  {
    name: 'curation-ablation',
    title: 'Ablation of curation',
    about:
      'Training on tiers 2 and 3 from the same cloned weights: with all of DART, with plain GRPO, and without one part of DART. Every arm, GRPO too, injects exploration and imitates demonstrations and hindsight examples. `alignment` is the importance correction of that exploration. Losses are paired by seed; only seeds 3 and 4 pair arms of one program, as the notes say. Arms of a faster program take more steps in their ten minutes, and the learning rate falls by the time: so losses are given at equal steps and after equal minutes, and only one that is clear in both is a result. After equal minutes the comparison favours the arms of the faster program, which are all that leave a part out.',
    command: 'curation --ablation --minutes 10',
    figures: [
      times(
        'dart_vs_grpo_steps',
        'steps of DART to the final success of GRPO, over those of GRPO',
        max(0.67),
      ),
      times('dart_vs_grpo_ci_low', 'lower end of its 95 % interval'),
      times('dart_vs_grpo_ci_high', 'upper end of its 95 % interval', max(1)),
      times('no_alignment_vs_grpo_steps', 'the same ratio for DART without distribution alignment'),
      share('grpo_gain', 'gain of GRPO over the cloned weights', min(0.1)),
      share('success_cloned', 'success of the cloned weights'),
      share('success_full', 'final success with all of DART'),
      share('success_grpo', 'final success with plain GRPO'),
      ...Object.entries(PARTS).flatMap(([name, part]) => [
        share(`success_without_${name}`, `final success without ${part}`),
        share(`loss_without_${name}`, `success lost without ${part}, at equal environment steps`),
        share(`loss_without_${name}_at_end`, `the same after equal minutes`),
      ]),
    ],
    pictures: [
      overSteps('Success over environment steps'),
      overSteps('With and without distribution alignment', 'no-alignment'),
      overSteps('With and without the success pool', 'no-success-pool'),
    ],
  },
  RECIPES_PAGE,
  CONTROLS_PAGE,
  BASE_PAGE,
  ...DECOUPLING_PAGES,
  {
    name: 'scale',
    title: 'Scale',
    about:
      'Processor time of the scheduler per environment step, with 100, 1,000 and 10,000 simulated desktops.',
    figures: [
      times('cost_growth_100_to_10000', 'cost per step with 10,000 desktops, against 100', max(2)),
      share('occupancy_10000', 'occupancy of 10,000 desktops', min(0.9)),
      figure('microseconds')('us_per_step', 'cost of the scheduler per step, with 10,000 desktops'),
    ],
    pictures: [
      picture(
        ['cost', 'Cost of the scheduler per step', 'processor time without simulated desktops and policies'],
        counted('microseconds per step'),
      ),
    ],
  },
  ...HOSTS_PAGES,
  {
    name: 'hour',
    title: 'An hour of training',
    about: 'Memory and processor time of a long training on all tiers, with demonstrations.',
    figures: [
      megabytes('peak_mb', 'peak memory of all processes together', max(1500)),
      megabytes('growth_mb_last_half', 'growth per hour, fitted to the second half', max(20)),
      share('useful_share', 'time of all cores in ONNX Runtime or in a desktop', min(0.75)),
      share('useful_of_used', 'the same, of the time that Dartboard used'),
      share('desktops_share', 'time of all cores in desktops'),
      share('deciding_share', 'in ONNX Runtime for decisions'),
      share('training_share', 'in ONNX Runtime for training'),
      share('host_rest_share', 'in the rest of the host: messages, garbage collection'),
      share('workers_rest_share', 'in the rest of the policy workers'),
      share('trainer_rest_share', 'in the rest of the trainer: rows of the next update, checkpoints'),
      share('daemon_share', 'in the daemon and its index: files, channels, counters'),
      share('idle_share', 'idle, or used by other programs'),
    ],
    pictures: [
      picture(['memory', 'Memory during training', 'shared pages count once'], counted('megabytes'), TIME),
      picture(
        ['processor', 'Use of the cores', 'share of the time of all cores'],
        shareOf('share of the time'),
      ),
    ],
  },
  {
    name: 'data',
    title: 'Data',
    about: 'Writing 100,000 trajectories durably, rebuilding their index, and querying it.',
    figures: [
      number('ingest_per_s', 'trajectories of 10 steps written durably per second', min(500)),
      figure('seconds')('rebuild_s_100k', 'rebuilding the index of 100,000 trajectories', max(60)),
      milliseconds('query_p99_ms', 'queries of the panels, 99th percentile', max(50)),
      milliseconds('query_p50_ms', 'queries of the panels, median'),
      figure('seconds')('start_s_100k', 'start with an up-to-date index'),
    ],
  },
  ...SURVIVE_PAGES,
  PANELS_PAGE,
  ...SERVED_PAGES,
  {
    name: 'docker',
    title: 'Docker desktops',
    about:
      'Desktops in containers, several at once. A step is one click, until the screen has settled and its frame of 320×240 pixels has arrived.',
    figures: [
      number('steps_per_s_1', 'steps per second with 1 desktop'),
      number('steps_per_s_8', 'steps per second with 8 desktops', min(250)),
      number('steps_per_s_16', 'steps per second with 16 desktops', min(350)),
      number('elements_steps_per_s_8', 'steps per second with 8 desktops, with elements', min(200)),
      share('stale_frames', 'frames taken before the screen had settled', max(0.001)),
      number('stale_checked', 'frames checked for that'),
      share('elements_stale_frames', 'the same with elements'),
      number('elements_stale_checked', 'frames checked for that'),
      times('vs_exec', 'against one `docker exec` process per screenshot', min(10)),
      milliseconds('ready_ms', 'start of a desktop', max(600)),
      milliseconds('anew_ms', 'reset of a used desktop'),
      times('new_vs_anew', 'processor time of a new container, against a reset'),
      megabytes('idle_mib', 'memory of an idle desktop', max(60)),
    ],
  },
  {
    name: 'docker-learn',
    title: 'Learning on Docker desktops',
    about:
      'Training on 8 Docker desktops with 5 demonstrations per task; success on instances of the test split.',
    command: 'docker --learn',
    figures: [
      share('success_random', 'success with random weights'),
      share('success_cloned', 'success after behaviour cloning of the demonstrations'),
      share('success_rl', 'success after reinforcement learning with imitation, from the cloned weights'),
      share(
        'gain',
        'gain over the cloned weights; most of it comes from imitation (see the controls)',
        min(0.15),
      ),
      share('gain_ci_low', 'lower end of its 95 % interval over the tasks', min(0)),
    ],
    pictures: [
      picture(['success', 'Success on Docker desktops', 'test instances'], SOLVED, TIME),
      picture(['by task', 'Success by task', 'test instances'], SOLVED),
    ],
  },
  DOCKER_CONTROLS_PAGE,
  DOCKER_LARGE_PAGE,
  ...WEB_PAGES,
  {
    name: 'engine',
    title: 'Engine',
    about:
      'Training and inference with onnxruntime-node through our graphs, against other engines. The engines take turns, each in its own process. The network in TensorFlow.js uses its public operations and its own gradients; a network tuned by hand is faster, as the note says.',
    figures: [
      times(
        'train_step_vs_tfjs_wasm',
        'a training step, against TensorFlow.js in WebAssembly with its public operations',
        min(20),
      ),
      times('train_step_vs_onnxruntime_web', 'a training step, against our graphs in WebAssembly'),
      number('train_samples_per_s_core', 'samples trained per second on one core', min(1000)),
      share('matmul_share', 'of the speed of one large matrix product on one core'),
      milliseconds('decide_ms_batch1', 'one decision', max(2)),
      times('decide_gain_batch16', '16 decisions in one batch, against one by one', min(1.6)),
      times('decide_gain_batch16_pipelined', 'the same, against 16 requests sent at once'),
      times('worker_scaling_2', 'two workers, against one', min(1.7)),
      milliseconds('swap_ms', 'loading new weights', max(1)),
      number('largest_loss_difference', 'largest relative difference between the losses of the engines'),
    ],
  },
  {
    name: 'pocket',
    title: 'Pocket desktop',
    about:
      'Speed of the pocket desktop along scripted solutions, on one core, and success of random actions.',
    figures: [
      number('steps_per_s', 'steps per second, with drawing, elements and encoding', min(6000)),
      share('perform_share', 'of that time, acting and drawing'),
      share('elements_share', 'of that time, listing elements'),
      share('encode_share', 'of that time, encoding the observation'),
      ...[1, 2, 3, 4].map(tier => share(`random_tier${tier}`, `success of random actions, tier ${tier}`)),
      number('random_episodes', 'random episodes played'),
    ],
  },
  {
    name: 'endurance',
    title: 'Random episodes',
    about: 'Ten thousand episodes of random agents on the pocket desktop.',
    figures: [
      number('exceptions', 'exceptions', max(0)),
      number('scores_out_of_bounds', 'scores outside 0 to 1', max(0)),
      megabytes('rss_growth_mb', 'growth of memory', max(20)),
      number('episodes', 'episodes played'),
      milliseconds('slowest_step_ms', 'slowest step'),
    ],
  },
];
