// The sections of docs/results.md about programs that answer requests: models behind endpoints, served desktops, the micro model.

import {
  type BenchPage,
  max,
  megabytes,
  milliseconds,
  min,
  number,
  picture,
  share,
  times,
} from './page-spec.ts';

export const SERVED_PAGES: readonly BenchPage[] = [
  {
    name: 'endpoint',
    title: 'Models behind an endpoint',
    about:
      'Our side of a step of a vision-language model at 1920×1080 with five images in the history, from the screen to the recorded turn, without the time of the server. The screen is a busy desktop: typing, buttons, menus, dialogs, scrolling and switching windows in turns. Times and memory are those of the slower of the profiles ui-tars-1.5 and qwen3-vl. The server is another process. In the storm, 64 episodes play against a server that answers in 500 ms and fails: 5 % of the requests get status 500, 2 % no reply, 1 % half a reply, 1 % wrong lengths of log-probabilities, 1.5 % a lost connection, 0.5 % status 429; it is killed twice and returns after 2 s. In the rolling updates, four endpoints with 16 slots each answer in 1 s and load weights in 1 s; new versions roll over them without a break, once as new adapters and once by drain, pause, update and resumption. The share is the rate of replies during the updates over the rate just before them. With 48 episodes, three endpoints have room for all; with 64, all four are needed, and a drained one is missing.',
    figures: [
      milliseconds('overhead_ms_p50', 'our side of a step, median', max(15)),
      milliseconds('overhead_processor_ms_p50', 'the same in processor time of all threads'),
      milliseconds('overhead_every_pixel_ms_p50', 'the same when every pixel of the screen changes'),
      times('overhead_growth', 'steps 180 to 199, against steps 10 to 29 of a shorter episode', max(1.1)),
      megabytes('episode_mb', 'memory per live episode, 64 episodes', max(10)),
      megabytes('episode_rss_mb', 'the same as resident memory of the process'),
      number('requests_per_s', 'requests per second, 64 episodes, a server without faults'),
      number('steps_lost', 'steps of the storm without a reply', max(0)),
      number('steps_resampled', 'steps asked for again without a recorded retry', max(0)),
      number('causes_wrong', 'retries with another cause than the fault', max(0)),
      number('versions_wrong', 'steps with another model or version than the one that answered', max(0)),
      number(
        'defects_wrong',
        'replies whose wrong lengths were not named, or that were named wrongly',
        max(0),
      ),
      number('rolling_update_lost', 'requests without a reply during rolling updates', max(0)),
      number('version_errors', 'replies of rolling updates with a wrong version', max(0)),
      share(
        'rolling_update_served_share',
        'replies per second during rolling updates, 48 episodes, the slower way',
        min(0.9),
      ),
      share(
        'rolling_update_served_share_adapter_full',
        'the same with 64 episodes, which need all endpoints, by adapters',
        min(0.9),
      ),
      share(
        'rolling_update_served_share_pause_full',
        'replies per second during rolling updates, 64 episodes that need all four endpoints, by drain and pause',
        min(0.9),
      ),
      number('rolling_update_requests', 'requests of these episodes'),
      number('misreports', 'kinds of wrong reports that were tried'),
      number('misreports_detected', 'kinds of wrong reports that were detected and named, of six', min(6)),
      number('honest_accused', 'honest replies with a named defect', max(0)),
      share('compact_direct', 'success of the compact policy after a minute of training, tiers 1 and 2'),
      share('compact_endpoint', 'the same policy through its endpoint, same instances and seeds'),
      number('actions_compared', 'actions compared, at temperatures 0 and 1'),
      number('actions_differ', 'instances in which an action differs', max(0)),
    ],
  },
  {
    name: 'openenv',
    title: 'Desktops for other programs',
    about:
      'Pocket desktops under OpenEnv. A step is an action of a scripted solution, sent over a WebSocket, and its reply with screenshot and elements. The same action on a desktop in this process, without an observation, is the comparison, in turns. Server and client are in one process. Killed clients are processes that play; each is killed by SIGKILL in the middle of an episode, 16 at a time.',
    figures: [
      milliseconds(
        'openenv_step_extra_ms',
        'a served step beyond the action on the desktop, median',
        max(10),
      ),
      milliseconds('openenv_step_extra_p95_ms', 'the same, 95th percentile'),
      milliseconds('openenv_step_ms', 'a served step, median'),
      milliseconds('openenv_inside_ms', 'the action on the desktop, median'),
      milliseconds('openenv_observed_ms', 'the same with the observation, without the server, median'),
      number('openenv_steps', 'steps'),
      number('openenv_sessions_killed', 'killed clients'),
      number('openenv_sessions_lost', 'desktops that did not come back within 30 s', max(0)),
      milliseconds(
        'openenv_return_ms_max',
        'from the last kill until all desktops are free, the slowest of 5 times',
      ),
    ],
  },
  {
    name: 'micro',
    title: 'The micro model',
    about:
      'The micro model (2.4 million weights) after 30 minutes of cloning scripted solutions of tier 1, from random weights, on two cores. It plays 20 test instances of each task through its HTTP endpoint, with the likeliest tokens, from the list of elements or from the screenshot.',
    figures: [
      share('success_cloned', 'success in click tasks of tier 1, in the better mode', min(0.6)),
      share('success_clicks_a11y_tree', 'success in click tasks, from the list of elements'),
      share('success_tier1_a11y_tree', 'success in all tasks of tier 1, from the list of elements'),
      share('success_clicks_screenshot', 'success in click tasks, from the screenshot'),
      share('success_tier1_screenshot', 'success in all tasks of tier 1, from the screenshot'),
      share('malformed_share', 'replies without a readable action'),
      number('tokens_per_s', 'generated tokens per second, one request at a time'),
    ],
    pictures: [
      picture(
        ['loss', 'Cloning into the micro model', 'one seed'],
        { label: '−log p of a reply token (nats)', unit: 'number' },
        { label: 'minutes', unit: 'number' },
      ),
    ],
  },
  {
    name: 'micro-learn',
    title: 'Reinforcement learning of the micro model',
    about:
      'From weights that were cloned for a few minutes, each arm trains for the same time on two cores, and plays test instances of the click tasks of tier 1 from the list of elements. Arms: DART on these tasks, over the chat protocol and the Tinker protocol; the same loop, where each step of a success has the advantage 1 and failures do not train (filtered imitation); cloning of scripted solutions (imitation), which goes on with all tasks of tier 1, half of its examples as screenshots. The constants of training were chosen for the arm of DART.',
    command: 'micro --learn',
    figures: [
      share('success_cloned_start', 'success of the cloned weights'),
      share('success_rl', 'success after DART'),
      share('success_filtered', 'success after filtered imitation'),
      share('success_imitation', 'success after imitation'),
      share('gain', 'gain of DART', min(0.1)),
      share('gain_ci_low', 'lower end of its 95 % interval', min(0)),
      share('rl_over_filtered', 'DART, against filtered imitation'),
      share('rl_over_imitation', 'DART, against imitation'),
    ],
  },
];
