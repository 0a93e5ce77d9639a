// The player of a collection, its request, and the checks that all kinds of players share.

import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { RunId, TaskId } from '../core/ids.ts';
import type { Suite } from '../environments/suite.ts';
import {
  COLLECT_DEFAULTS,
  type CollectPolicy,
  defaultInstances,
  type EvaluatedSplit,
  type WantedTasks,
} from '../protocol/daemon/collection.ts';
import type { ModuleEntries } from '../run/modules.ts';
import { taskOfSplit, trainingTasks } from '../run/suite.ts';
import type { CollectSource } from './source.ts';

/** The part of a request that chooses who plays what. */
export interface PlayerRequest {
  /** The configuration of the workspace. */
  readonly config: Config;
  readonly by: CollectPolicy;
  /** By default the tasks of the weights, or those that a run of this workspace would train; for an evaluation all tasks. */
  readonly wanted?: WantedTasks;
  readonly evaluates?: EvaluatedSplit;
  /** Of each task. */
  readonly instances?: number;
}

export interface PlayerContext {
  /** The folder of the runs. */
  readonly root: string;
  readonly entries: Pick<ModuleEntries, 'host' | 'worker'>;
  /** A run trains on this machine and has priority. */
  readonly isGuest: boolean;
  /** The variables with the keys of agents. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Abandons the search for what an agent's servers can do. */
  readonly closing: AbortSignal;
  readonly clock: Clock;
}

export interface Player {
  readonly source: CollectSource;
  readonly suite: Suite;
  readonly tasks: readonly TaskId[];
  /** Of each task. */
  readonly instances: number;
  /** For the user: which policy plays. */
  readonly told: string;
  /** The run whose weights play, if it belongs to this workspace. */
  readonly run?: RunId;
  /** The name of the agent, if an agent plays. */
  readonly agent?: string;
}

/** The number of desktops of a collection while a run trains. */
export const MAX_GUEST_DESKTOPS = 4;

/** Throws a RangeError for a task or tier that the part of the suite does not have. */
export const wantedTasks = (
  wanted: WantedTasks,
  suite: Suite,
  split: EvaluatedSplit = 'train',
): readonly TaskId[] =>
  'tasks' in wanted
    ? wanted.tasks.map(id => taskOfSplit(suite, id, split, '--tasks'))
    : split === 'unseen'
      ? wanted.tiers.flatMap(tier => suite.tasks(split, tier))
      : trainingTasks({ suite: { tiers: [...wanted.tiers] } }, suite);

/**
 * The instances of each task that play. `config` has the desktops that play. Training instances are few: playing one twice at temperature 0
 * adds no information.
 */
export function instancesToPlay(request: PlayerRequest, { environments }: Config, suite: Suite): number {
  const { evaluates = 'train' } = request;
  const { instances = defaultInstances(environments.kind, COLLECT_DEFAULTS.instances) } = request;
  if (evaluates !== 'train' || instances <= suite.trainSeeds) return instances;
  throw new RangeError(
    `--instances ${instances} exceeds the ${suite.trainSeeds} training instances of a task. Give at most ${suite.trainSeeds}.`,
  );
}

/** For a collection on these desktops. */
export function refuseStored({ environments: { kind } }: Config): void {
  if (kind === 'offline')
    throw new RangeError(
      "Desktops of the kind 'offline' play stored successes, so there is nothing to collect. Evaluate the agent on them ('dartboard eval'), or collect on another kind.",
    );
}

/** A collection or a recording opens pocket and web desktops of its own. */
export function refuseGuest({ environments: { kind } }: Config, isGuest: boolean): void {
  if (isGuest && (kind === 'docker' || kind === 'guest'))
    throw new RangeError(
      `Desktops of the kind '${kind}' cannot be opened while a run trains, since the run may use all of them. Stop it, or wait for its end.`,
    );
}
