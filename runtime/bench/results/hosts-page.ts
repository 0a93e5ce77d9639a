// The sections of docs/results.md about runs over several hosts.

import {
  type BenchPage,
  counted,
  type FigureSpec,
  figure,
  max,
  megabytes,
  milliseconds,
  min,
  number,
  picture,
  SOLVED,
  share,
  TIME,
  times,
} from './page-spec.ts';

/** Of every run with faults. */
const FAULT_FIGURES: readonly FigureSpec[] = [
  number('episodes_lost', 'ordered episodes without a result after all faults', max(0)),
  number('episodes_twice', 'episodes that were trained more than once', max(0)),
  number(
    'actions_twice',
    'actions that a desktop performed, and that its stored trajectory does not have',
    max(0),
  ),
  number('actions_unperformed', 'stored trajectories whose actions no desktop performed', max(0)),
  number(
    'misattributed',
    'steps whose version names other weights than those that their worker had loaded',
    max(0),
  ),
  figure('seconds')('failover_s', 'from a fault until training goes on, longest', max(15)),
  number('faults', 'faults'),
  number(
    'visible_faults',
    'of these, shown by the panel: a lost host, a wrong clock, or a problem of the broker',
  ),
  number('invisible_faults', 'faults that no panel shows', max(0)),
  number('episodes', 'episodes ordered until the last fault was over'),
  number('episodes_trained', 'of these and later ones, trained'),
  number('episodes_repeated', 'results of episodes that another host had played meanwhile; not trained'),
  number('steps', 'stored steps, each compared with the weights of its version'),
  number('files_unreadable', 'stored trajectories whose file cannot be read', max(0)),
  number('hosts_ended', 'processes of joined hosts that ended by themselves', max(0)),
  number('hosts_playing_at_end', 'joined hosts that play at the end, of three', min(3)),
];

const GOES_ON =
  'Training goes on when any host has stored an episode and new weights are published, so a fault of one host may not delay it. The episodes of a killed host are played again only after their lease of 30 s.';
const NETWORK =
  'Where the system allows it, each host is a network namespace with an address of its own, and connections are encrypted.';

const HOSTS_PAGE: BenchPage = {
  name: 'hosts',
  title: 'Several hosts',
  about: `A run whose hosts are processes on one machine, with a real broker between them. ${NETWORK} Pocket desktops are slowed: a reset or an action takes 1.5 to 2.5 s, as in OSWorld, and no processor time. Each host has 8 of them and one policy worker. During the faults a call takes 300 to 700 ms, so that more happens. Faults come every 15 s: a joined host is killed and starts again, sleeps for 45 s, or is cut off for 15 s; the broker is killed and starts again. ${GOES_ON}`,
  figures: [
    times('scaling_2_hosts', 'calls of desktops per second with two hosts, against one', min(1.9)),
    times('scaling_4_hosts', 'calls of desktops per second with four hosts, against one', min(3.6)),
    share(
      'overhead_share',
      "growth of the ring's own processor time per step, four hosts over NATS against one without a broker",
      max(0.3),
    ),
    share('overhead_share_1_host', 'the same, with one host over NATS', max(0.3)),
    share('overhead_share_of_all', 'four hosts, all processor time: with desktops, decisions and training'),
    ...FAULT_FIGURES,
    number('steps_per_s_1_host', 'steps per second with one host'),
    number('steps_per_s_4_hosts', 'steps per second with four hosts'),
    milliseconds('ring_ms_per_step', "the ring's own processor time per step, without a broker"),
    milliseconds('ring_ms_per_step_4_hosts', 'the same with four hosts, the broker included'),
  ],
  pictures: [
    picture(
      ['calls per second', 'Speed by number of hosts', 'slow desktops, 8 on each host'],
      counted('calls of desktops per second'),
      { label: 'hosts', unit: 'number' },
    ),
  ],
};

export const HOSTS_PAGES: readonly BenchPage[] = [
  HOSTS_PAGE,
  {
    name: 'hosts-faults',
    title: 'Many faults of hosts',
    command: 'hosts --faults 200',
    about: `The run of [several hosts](#several-hosts), four of them, and a fault every 15 s. A joined host is killed and starts again after 20 s, sleeps for 90 s, is cut off for 30 s, or has a clock that is an hour ahead for 30 s. The broker is killed and starts again, or its disk is full for 3 s. Where the user may not make network namespaces or mount disks, these kinds are left out; the settings list those that were injected. ${GOES_ON}`,
    figures: FAULT_FIGURES,
  },
  {
    name: 'hosts-desktops',
    title: 'Many desktops on several hosts',
    command: 'hosts --desktops 1000',
    about: `1000 pocket desktops on ten joined hosts, for ten minutes. ${NETWORK} A reset or an action takes 20 to 40 s and no processor time, so that two cores suffice for all hosts, the trainer and the broker.`,
    figures: [
      share('occupancy', 'desktops with a live episode, mean over time', min(0.95)),
      share('lowest_occupancy', 'the same, at its lowest'),
      share('broker_share', 'of one core, used by the broker', max(0.2)),
      share(
        'memory_growth',
        'growth of the memory of all processes, from a third of the time to its end',
        max(0.05),
      ),
      megabytes('memory_mb', 'memory of all processes at the end'),
      share('daemon_share', 'of one core, used by the daemon'),
      share('busy_share', 'share of all cores in use', max(0.6)),
      number('steps_per_s', 'steps per second'),
    ],
  },
  {
    name: 'hosts-learn',
    title: 'Learning over several hosts',
    command: 'hosts --learn',
    about:
      'Five minutes of training on tier 1 from random weights, with 32 desktops and two policy workers: on one host without a broker, and on two hosts over NATS that share them. Both use the same seeds and the same two cores.',
    figures: [
      share('nats_minus_embedded', 'success over NATS, minus success without a broker', min(-0.03)),
      share('tier1_embedded', 'test instances solved without a broker'),
      share('tier1_nats', 'test instances solved over NATS'),
      share('joined_share', 'of all steps, played by the host that has joined'),
    ],
    pictures: [picture(['success', 'Success over training time', 'tier 1, test instances'], SOLVED, TIME)],
  },
];
