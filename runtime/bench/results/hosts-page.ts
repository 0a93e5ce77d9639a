// The section of docs/results.md about runs over several hosts.

import {
  type BenchPage,
  counted,
  figure,
  max,
  milliseconds,
  min,
  number,
  picture,
  share,
  times,
} from './page-spec.ts';

export const HOSTS_PAGE: BenchPage = {
  name: 'hosts',
  title: 'Several hosts',
  about:
    'A run whose hosts are processes on one machine, with a real broker between them. Where the system allows it, each host is a network namespace with an address of its own, and connections are encrypted. Pocket desktops are slowed: a reset or an action takes 300 to 700 ms and no processor time, so that hosts do not compete for the cores. Each host has 8 of them and one policy worker. Faults come every 15 s: a joined host is killed and starts again, sleeps for 45 s, or is cut off for 15 s; the broker is killed and starts again.',
  figures: [
    times('scaling_2_hosts', 'calls of desktops per second with two hosts, against one', min(1.9)),
    times('scaling_4_hosts', 'the same with four hosts', min(3.6)),
    share(
      'overhead_share',
      "growth of the ring's own processor time per step, four hosts over NATS against one without a broker",
      max(0.3),
    ),
    share('overhead_share_of_all', 'the same for all processor time: with desktops, decisions and training'),
    number('episodes_lost', 'ordered episodes without a result after all faults', max(0)),
    number('episodes_twice', 'episodes that were trained more than once', max(0)),
    figure('seconds')(
      'failover_s',
      'from a fault until the run has stored another episode and published other weights, longest',
      max(15),
    ),
    number('faults', 'faults'),
    number('episodes', 'episodes ordered until the last fault was over'),
    number('episodes_trained', 'of these and later ones, trained'),
    number('episodes_repeated', 'results of episodes that another host had played meanwhile; not trained'),
    number('files_unreadable', 'stored trajectories whose file cannot be read', max(0)),
    number('hosts_ended', 'processes of joined hosts that ended by themselves', max(0)),
    number('hosts_playing_at_end', 'joined hosts that play at the end, of three', min(3)),
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
