// The four modules, in the order in which a trajectory passes through them. A metric with a place of its own gets a line here.

import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import { findElement, make } from '../shared/dom.ts';
import { formatCount } from '../shared/labels.ts';
import { formatNumber } from './labels.ts';
import { ModuleCard } from './module-card.ts';

const environments = new ModuleCard(
  'Environments',
  'Desktops that run episodes',
  {
    occupancy: ['Occupied', 'Share of desktop time with a live episode'],
    stepping: ['Stepping', 'Share of desktop time inside a step'],
  },
  {
    desktops: ['Desktops'],
    broken: ['Broken', 'Dartboard restarts them'],
    failed: ['Failed episodes', 'A desktop or a worker failed; not counted as a failure of the policy'],
  },
);

const rollout = new ModuleCard(
  'Rollout',
  'Workers that run the policy',
  { utilisation: ['Busy', 'Share of worker time: inference or loading weights'] },
  {
    episodesPerSecond: ['Episodes / s'],
    stepsPerSecond: ['Steps / s'],
    episodes: ['Episodes'],
    steps: ['Steps'],
    workers: ['Workers'],
  },
);

const data = new ModuleCard(
  'Data',
  'Selects trajectories for training',
  { trainable: ['Groups with a gradient', 'The other groups had equal rewards'] },
  {
    staleness: [
      'Staleness',
      'Optimiser steps between the weights that sampled a step and those that train on it: mean, maximum',
    ],
    orders: ['Orders in queue'],
    trajectories: ['Trajectories in queue'],
    batches: ['Batches in queue'],
    lessons: ['Demonstrations in queue', 'Steps to imitate beside the next updates'],
    injections: ['Successes injected', 'Groups without a success that received one from the success pool'],
  },
);

const trainer = new ModuleCard(
  'Trainer',
  'Updates the weights',
  {
    utilisation: ['Busy', 'Share of time inside an update or an evaluation of steps'],
    kept: ['Steps kept', 'Share of steps that the high-entropy mask keeps'],
    imitated: ['Rows imitated', 'Share of lessons in all rows that trained'],
    transferred: [
      'Transferred from people',
      'Share of the rows of lessons that come from demonstrations by people, transferred to other instances',
    ],
  },
  { updates: ['Updates', 'Optimiser steps'], updatesPerSecond: ['Updates / s'] },
);

const metrics = make('dl');
trainer.element.append(
  make('details', { class: 'metrics' }, make('summary', { text: 'All metrics' }), metrics),
);

const CARDS = { environments, rollout, data, trainer };
findElement('modules', HTMLElement).append(...Object.values(CARDS).map(({ element }) => element));

export function showModules(state: RunState): void {
  const { environments: desktops, rollout: workers, data: kept, trainer: learning } = state;
  const { failed, submitted } = kept.books;
  environments.show(desktops, {
    desktops: formatCount(desktops.desktops),
    broken: formatCount(desktops.broken),
    failed: submitted === 0 ? '–' : `${formatCount(failed)} (${formatNumber((100 * failed) / submitted)} %)`,
  });
  rollout.show(workers, {
    episodesPerSecond: formatNumber(workers.episodesPerSecond),
    stepsPerSecond: formatNumber(workers.stepsPerSecond),
    episodes: formatCount(workers.episodes),
    steps: formatCount(workers.steps),
    workers: formatCount(workers.workers),
  });
  const groups = kept.trainableGroups + kept.filteredGroups;
  data.show(
    { trainable: groups === 0 ? undefined : kept.trainableGroups / groups },
    {
      staleness: `${formatNumber(kept.staleness.mean)}, max. ${formatNumber(kept.staleness.max)}`,
      orders: formatCount(kept.queues.orders),
      trajectories: formatCount(kept.queues.trajectories),
      batches: formatCount(kept.queues.batches),
      lessons: formatCount(kept.queues.lessons),
      injections: formatCount(kept.injections),
    },
  );
  trainer.show(
    {
      utilisation: learning.utilisation,
      kept: learning.keptSteps,
      imitated: learning.imitatedShare,
      transferred: learning.personTransferShare,
    },
    {
      updates: formatCount(learning.updates),
      updatesPerSecond: formatNumber(learning.updatesPerSecond),
    },
  );
  const named = Object.entries(learning.metrics).sort(([a], [b]) => a.localeCompare(b));
  metrics.replaceChildren(
    ...named.map(([name, value]) =>
      make('div', {}, make('dt', { text: name }), make('dd', { text: formatNumber(value) })),
    ),
  );
}
