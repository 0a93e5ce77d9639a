// Chooses the policy and the tasks of a collection. Rejects impossible requests before anything is played.

import { readFile } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { type RunId, runId, type TaskId } from '../core/ids.ts';
import type { Suite } from '../environments/suite.ts';
import type { CollectPolicy, WantedTasks } from '../protocol/daemon/collection.ts';
import type { ModuleEntries } from '../run/modules.ts';
import { decodePolicy, type SavedPolicy } from '../run/policy-file.ts';
import { findWeights } from '../run/run-folder.ts';
import { RunFolders } from '../run/run-folders.ts';
import { openSuite, trainingTask, trainingTasks } from '../run/suite.ts';
import { configOfWeights } from '../run/weights-origin.ts';
import { byScript } from './by-script.ts';
import { byWeights } from './by-weights.ts';
import type { CollectSource } from './source.ts';

export interface PlayerContext {
  /** The configuration of the workspace. */
  readonly config: Config;
  /** The folder of the runs. */
  readonly root: string;
  readonly entries: Pick<ModuleEntries, 'host' | 'worker'>;
  /** A run trains on this machine and has priority. */
  readonly isGuest: boolean;
  readonly clock: Clock;
}

export interface Player {
  readonly source: CollectSource;
  readonly suite: Suite;
  readonly tasks: readonly TaskId[];
  /** For the user: which policy plays. */
  readonly told: string;
  /** The run whose weights play, if it belongs to this workspace. */
  readonly run?: RunId;
}

/** The default of `wanted` is the tasks of the weights, or those that a run of this workspace would train. */
export const playerOf = (
  by: CollectPolicy,
  wanted: WantedTasks | undefined,
  context: PlayerContext,
): Promise<Player> => (by.kind === 'script' ? scripted(wanted, context) : trainedPlayer(by, wanted, context));

async function scripted(
  wanted: WantedTasks | undefined,
  { config, isGuest, clock }: PlayerContext,
): Promise<Player> {
  refuseGuest(config, isGuest);
  const suite = await openSuite(config);
  const tasks = wanted === undefined ? trainingTasks(config, suite) : named(wanted, suite);
  return { source: byScript({ config, tasks, clock }), suite, tasks, told: 'Scripted solutions' };
}

async function trainedPlayer(
  { from, rollouts, temperature }: Extract<CollectPolicy, { kind: 'weights' }>,
  wanted: WantedTasks | undefined,
  { config: here, root, entries, isGuest, clock }: PlayerContext,
): Promise<Player> {
  const file = await findWeights(from, root, '--from');
  const policy = decodePolicy(await readFile(file), file);
  const run = await runOf(file, policy, root);
  const config = playedWith(here, await configOfWeights(file, policy.tasks), run !== undefined);
  refuseGuest(config, isGuest);
  const suite = await openSuite(config);
  const tasks =
    wanted === undefined
      ? suite.tasks('train').filter(task => policy.tasks.includes(task))
      : named(wanted, suite);
  if (tasks.length === 0)
    throw new RangeError(
      `'${file}' was trained on tasks that do not exist here, such as '${policy.tasks[0]}'. Set 'suite.files' to their folder, or choose others with --tasks or --tier.`,
    );
  const source = byWeights({
    ...{ suite, tasks, policy, rollouts, temperature, clock },
    ...(run !== undefined && { run }),
    config: isGuest ? asGuest(config) : config,
    // No trainer is started.
    entries: { ...entries, trainer: entries.host },
  });
  const told = `Weights of ${run ?? file} at temperature ${temperature}`;
  return { source, suite, tasks, told, ...(run !== undefined && { run }) };
}

/** Uses the kind of desktops of the weights; the workspace configures them if it uses the same kind. */
function playedWith(here: Config, trained: Config, isLocalRun: boolean): Config {
  const isSame = here.environments.kind === trained.environments.kind;
  return {
    ...here,
    environments: isSame ? here.environments : trained.environments,
    suite: isSame && !isLocalRun ? here.suite : trained.suite,
  };
}

const named = (wanted: WantedTasks, suite: Suite): readonly TaskId[] =>
  'tasks' in wanted
    ? wanted.tasks.map(id => trainingTask(suite, id, '--tasks'))
    : trainingTasks({ suite: { tiers: [...wanted.tiers] } }, suite);

function refuseGuest({ environments }: Config, isGuest: boolean): void {
  if (isGuest && environments.kind !== 'pocket')
    throw new RangeError(
      "Desktops of the kind 'docker' cannot collect while a run trains, since the run uses all of them. Stop it, or wait for its end.",
    );
}

/** The number of desktops of a collection while a run trains. */
const MAX_GUEST_DESKTOPS = 4;

/** One worker and few desktops, so that the run keeps the machine. */
function asGuest(config: Config): Config {
  const { environments, rollout } = config;
  return {
    ...config,
    environments: { ...environments, desktops: Math.min(MAX_GUEST_DESKTOPS, environments.desktops) },
    rollout: { ...rollout, workers: 1 },
  };
}

/** The run of this workspace that trained the weights, according to their metadata or folder. */
async function runOf(file: string, { by }: SavedPolicy, root: string): Promise<RunId | undefined> {
  const folder = dirname(file);
  const name = by?.run ?? (relative(root, dirname(folder)) === '' ? basename(folder) : undefined);
  if (name === undefined) return undefined;
  const run = runId(name);
  // An unreadable run is none of this workspace.
  const about = await new RunFolders(root).read(run).catch(() => undefined);
  return about && run;
}
