// The four modules side by side, in the order in which a trajectory passes them.

import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import { make, need } from '../shared/dom.ts';
import { counted } from '../shared/words.ts';
import { Card } from './figures.ts';
import { measured } from './words.ts';

const environments = new Card(
  'Environments',
  'Desktops on which the agent acts',
  {
    occupancy: 'Holding an episode|Of the time of all desktops',
    stepping: 'Acting|Of the time of all desktops: within a call',
  },
  {
    desktops: 'Desktops',
    broken: 'Broken|They are started again',
    failed: 'Failed episodes|A desktop or a worker broke: says nothing about the policy',
  },
);

const rollout = new Card(
  'Rollout',
  'Workers that decide what to do',
  { utilisation: 'Deciding|Of the time of all workers: deciding or loading weights' },
  {
    episodesPerSecond: 'Episodes / s',
    stepsPerSecond: 'Steps / s',
    episodes: 'Episodes',
    steps: 'Steps',
    workers: 'Workers',
  },
);

const data = new Card(
  'Data',
  'Chooses what is worth training on',
  { trainable: 'Groups with something to learn|The others were all alike: they carry no gradient' },
  {
    staleness:
      'Staleness|Versions between the weights that chose a step and those that it trained: on average, at most',
    orders: 'Orders queued',
    trajectories: 'Trajectories queued',
    batches: 'Batches queued',
    lessons: 'Lessons queued',
    injections: 'Successes added|Groups without a success that got one from the pool',
  },
);

const trainer = new Card(
  'Trainer',
  'Turns batches into better weights',
  {
    utilisation: 'Training|Of its time: inside an update or an assessment',
    kept: 'Steps kept|Of the steps of trained groups, those that the high-entropy mask left',
  },
  { version: 'Version of the weights', updates: 'Updates', updatesPerSecond: 'Updates / s' },
);

const metrics = make('dl');
trainer.element.append(make('details', { class: 'metrics' }, make('summary', { text: 'Metrics' }), metrics));

const CARDS = { environments, rollout, data, trainer };
need('modules', HTMLElement).append(...Object.values(CARDS).map(({ element }) => element));

export function showModules(state: RunState): void {
  const { environments: desktops, rollout: workers, data: kept, trainer: learning } = state;
  const { failed, submitted } = kept.books;
  environments.show(desktops, {
    desktops: counted(desktops.desktops),
    broken: counted(desktops.broken),
    failed: submitted === 0 ? '–' : `${counted(failed)} (${measured((100 * failed) / submitted)} %)`,
  });
  rollout.show(workers, {
    episodesPerSecond: measured(workers.episodesPerSecond),
    stepsPerSecond: measured(workers.stepsPerSecond),
    episodes: counted(workers.episodes),
    steps: counted(workers.steps),
    workers: counted(workers.workers),
  });
  const groups = kept.trainableGroups + kept.filteredGroups;
  data.show(
    { trainable: groups === 0 ? undefined : kept.trainableGroups / groups },
    {
      staleness: `${measured(kept.staleness.mean)}, at most ${measured(kept.staleness.max)}`,
      orders: counted(kept.queues.orders),
      trajectories: counted(kept.queues.trajectories),
      batches: counted(kept.queues.batches),
      lessons: counted(kept.queues.lessons),
      injections: counted(kept.injections),
    },
  );
  trainer.show(
    { utilisation: learning.utilisation, kept: learning.keptSteps },
    {
      version: counted(learning.version),
      updates: counted(learning.updates),
      updatesPerSecond: measured(learning.updatesPerSecond),
    },
  );
  const named = Object.entries(learning.metrics).sort(([a], [b]) => a.localeCompare(b));
  metrics.replaceChildren(
    ...named.map(([name, value]) =>
      make('div', {}, make('dt', { text: name }), make('dd', { text: measured(value) })),
    ),
  );
}
