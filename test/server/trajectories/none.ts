// Stand-ins that reject every request: no trajectories, pre-sorts, exchange, desktops, recordings or collections.

import type { Collections } from '../../../runtime/collect/collections.ts';
import type { Recordings } from '../../../runtime/person/recordings.ts';
import type { Desktops } from '../../../runtime/server/desktops/desktops.ts';
import type { Exchange } from '../../../runtime/server/exchange/exchange.ts';
import type { Presorting } from '../../../runtime/server/presort/presorts.ts';
import type { Trajectories } from '../../../runtime/server/trajectories/trajectories.ts';

const none = (): Promise<never> => Promise.reject(new Error('There are no trajectories in this test.'));

export const NO_TRAJECTORIES: Trajectories = {
  prepare: () => undefined,
  list: none,
  whole: none,
  frame: none,
  pictures: none,
  elements: none,
  uncertain: none,
  agents: none,
  compareAgents: none,
  queue: none,
  agreement: none,
  annotate: none,
  pool: none,
  fleet: async () => ({}),
  tasks: none,
};

export const NO_PRESORTS: Presorting = {
  now: async () => ({ agents: [] }),
  start: none,
  follow: none,
  cancel: none,
};

export const NO_EXCHANGE: Exchange = { import: none, export: none, now: [] };

export const NO_DESKTOPS: Desktops = { look: none, kinds: none };

export const NO_RECORDINGS: Recordings = {
  tasks: none,
  start: none,
  run: none,
  takeOver: none,
  now: () => ({}),
  of: () => {
    throw new Error('There are no recordings in this test.');
  },
  leave: async () => undefined,
  ownerLeft: () => undefined,
};

export const NO_COLLECTIONS: Collections = {
  now: undefined,
  start: none,
  follow: none,
  results: () => ({ episodes: [], failedRequests: {} }),
  cancel: none,
};
