// The sections of docs/results.md about hostile input, and about kills and stalls.

import {
  type BenchPage,
  figure,
  max,
  megabytes,
  milliseconds,
  min,
  number,
  picture,
  TIME,
} from './page-spec.ts';

const SURVIVE_PAGE: BenchPage = {
  name: 'survive',
  title: 'Hostile input',
  about:
    'Damaged and invented inputs to every border: servers, archives, files, replies of models, and bytes of desktops and guests. A process that crashes or hangs, an error that nobody expected, and a rejection that does not state what failed, on which value, and what to do, are faults.',
  figures: [
    number('hostile_borders', 'borders'),
    number('hostile_inputs', 'inputs to all of them', min(1_000_000)),
    number('hostile_rejected', 'of these, rejected'),
    number('crashes', 'crashes and hangs', max(0)),
    number('raw_errors', 'unknown errors, and rejections without the three parts', max(0)),
    milliseconds('blocked_ms_worst', 'the longest time that an input blocked the event loop', max(200)),
    megabytes('growth_mb_worst', 'the most memory that an input took, or that a border kept', max(100)),
  ],
};

export const SURVIVE_PAGES: readonly BenchPage[] = [
  SURVIVE_PAGE,
  {
    name: 'survive-kills',
    title: 'Kills and stalls',
    command: 'survive --kills 200 --stalls 50',
    about:
      'Four runs one after another, with pocket, web and Docker desktops and with a model agent. A seeded plan kills or stalls one process after another: the daemon, the host, the trainer, workers, the index thread, the browser, containers and the server of the model. It also fills the disk, moves the clock of all processes by an hour, and suspends the whole machine. After each fault the run must store another episode, publish other weights, and replace what was killed, within two minutes.',
    figures: [
      number('kills', 'kills', min(200)),
      number('stalls', 'stalls', min(50)),
      number('disturbances', 'full disks, jumps of the clock, and suspensions'),
      number('lost', 'acknowledged trajectories, labels and checkpoints that are lost', max(0)),
      number('twice', 'trajectories that trained twice', max(0)),
      number('stuck', 'faults after which the run did not go on by itself', max(0)),
      number('orphans', 'processes and containers that are left after the runs', max(0)),
      figure('seconds')('recover_s_p95', 'from a fault until training continues, p95', max(30)),
      figure('seconds')('recover_s_worst', 'the same, longest', max(30)),
      number('disagreements', 'trajectories on which the index and the files disagree', max(0)),
      number('contradictions', 'states of a run that contradict earlier ones', max(0)),
      number('setbacks', 'measurements of a curve that precede an earlier one', max(0)),
      number('curve_points', 'measurements on the curves'),
      number('trajectories', 'stored trajectories'),
    ],
  },
  {
    name: 'survive-hours',
    title: 'Hours of desktops',
    command: 'survive --hours 6',
    about:
      'A run on pocket desktops, one on web desktops and one on Docker desktops, each for ten minutes at least. Dartboard plays them as fast as it can, until they have played as many actions as desktops at the pace of OSWorld (two seconds for each action) do in six hours. The daemon evaluates every 15 s and saves a checkpoint every 3 s meanwhile. Growth is the median of the last quarter minus that of the second one, over all processes of the run.',
    figures: ['pocket', 'web', 'docker'].flatMap(kind => [
      number(`hours_${kind}`, `${kind}: hours of each desktop`, min(6)),
      megabytes(`megabytes_growth_${kind}`, `${kind}: growth of the memory, without pages of files`, max(50)),
      number(`descriptors_growth_${kind}`, `${kind}: growth of open files and sockets`, max(4)),
      number(`threads_growth_${kind}`, `${kind}: growth of threads`, max(2)),
      number(`processes_growth_${kind}`, `${kind}: growth of processes`, max(0)),
      ...(kind === 'docker'
        ? [number(`containers_growth_${kind}`, `${kind}: growth of containers`, max(0))]
        : []),
    ]),
    pictures: [
      picture(
        ['megabytes over time', 'Memory over hours of desktops', 'all processes of a run together'],
        { label: 'megabytes', unit: 'number' },
        TIME,
      ),
    ],
  },
];
