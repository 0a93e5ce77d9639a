// The operations of a daemon on runs: what the command line, the panels and the pages may call.

import type { Collections } from '../collect/collections.ts';
import type { Recordings } from '../person/recordings.ts';
import type { Desktops } from './desktops/desktops.ts';
import type { Exchange } from './exchange/exchange.ts';
import type { Presorting } from './presort/presorts.ts';
import type { RunHosts } from './run-hosts.ts';
import type { Trajectories } from './trajectories/trajectories.ts';
import type { WorkspaceRuns } from './workspace-runs.ts';

type RunOperations =
  | ('list' | 'start' | 'resume' | 'pause' | 'continue' | 'stop' | 'delete' | 'state' | 'watch' | 'compare')
  | ('judge' | 'accept' | 'reject' | 'poolChanged' | 'trainingNow');

export interface Runs extends Pick<WorkspaceRuns, RunOperations> {
  /** The trajectories of all runs, and their annotations. */
  readonly trajectories: Trajectories;
  /** Suggestions of model agents that order the review queue. */
  readonly presorts: Presorting;
  /** Trajectories of other programs, in and out. */
  readonly exchange: Exchange;
  /** Successes that are collected before or beside training. */
  readonly collections: Collections;
  /** Demonstrations that a person gives on a desktop. */
  readonly recordings: Recordings;
  /** The machines that play for the run that trains. */
  readonly hosts: RunHosts;
  /** The desktops of the run that trains, and the kinds that are available. */
  readonly desktops: Desktops;
}
