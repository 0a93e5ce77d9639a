// Who plays what is collected, and which tasks, as they were asked for. What cannot be is refused here, before anything is played.

import { readFile } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { type RunId, runId, type TaskId } from '../core/ids.ts';
import type { Suite, Tier } from '../environments/suite.ts';
import type { ModuleEntries } from '../run/modules.ts';
import { decodePolicy, type SavedPolicy } from '../run/policy-file.ts';
import { findWeights } from '../run/run-folder.ts';
import { RunFolders } from '../run/run-folders.ts';
import { openSuite, tasksOf, trainable } from '../run/suite.ts';
import { trainedAs } from '../run/weights-origin.ts';
import { byScript } from './by-script.ts';
import { byWeights } from './by-weights.ts';
import type { CollectSource } from './source.ts';

export type WantedTasks = { readonly tiers: readonly Tier[] } | { readonly tasks: readonly string[] };

export type By =
  | { readonly kind: 'script' }
  | {
      readonly kind: 'weights';
      /** Absent for the latest run's. */
      readonly from?: string;
      readonly rollouts: number;
      readonly temperature: number;
    };

export interface CollectContext {
  /** The workspace's. */
  readonly config: Config;
  /** The folder of the runs. */
  readonly root: string;
  readonly entries: Pick<ModuleEntries, 'host' | 'worker'>;
  /** Something trains on this machine meanwhile, which goes first. */
  readonly isGuest: boolean;
  readonly clock: Clock;
}

export interface Player {
  readonly source: CollectSource;
  readonly suite: Suite;
  readonly tasks: readonly TaskId[];
  /** Who it is, in words. */
  readonly told: string;
  /** Whose weights play, where they are of a run of this workspace. */
  readonly run?: RunId;
}

/** Tasks that are not named are those that the weights were trained on, or that a run here would train. */
export const playerOf = (by: By, wanted: WantedTasks | undefined, around: CollectContext): Promise<Player> =>
  by.kind === 'script' ? scripted(wanted, around) : trainedPlayer(by, wanted, around);

async function scripted(
  wanted: WantedTasks | undefined,
  { config, isGuest, clock }: CollectContext,
): Promise<Player> {
  refuseGuest(config, isGuest);
  const suite = await openSuite(config);
  const tasks = wanted === undefined ? tasksOf(config, suite) : named(wanted, suite);
  return { source: byScript({ config, tasks, clock }), suite, tasks, told: 'Scripted solutions' };
}

async function trainedPlayer(
  { from, rollouts, temperature }: Extract<By, { kind: 'weights' }>,
  wanted: WantedTasks | undefined,
  { config: here, root, entries, isGuest, clock }: CollectContext,
): Promise<Player> {
  const file = await findWeights(from, root, '--from');
  const policy = decodePolicy(await readFile(file), file);
  const run = await runOf(file, policy, root);
  const config = playedWith(here, await trainedAs(file, policy.tasks), run !== undefined);
  refuseGuest(config, isGuest);
  const suite = await openSuite(config);
  const tasks =
    wanted === undefined
      ? suite.tasks('train').filter(task => policy.tasks.includes(task))
      : named(wanted, suite);
  if (tasks.length === 0)
    throw new RangeError(
      `'${file}' was trained on no task that is known here, such as '${policy.tasks[0]}': say with 'suite.files' where they are, or name others with --tasks or --tier.`,
    );
  const source = byWeights({
    ...{ suite, tasks, policy, rollouts, temperature, clock },
    ...(run !== undefined && { run }),
    config: isGuest ? modest(config) : config,
    // No trainer is started: whoever has learned plays.
    entries: { ...entries, trainer: entries.host },
  });
  const told = `Weights of ${run ?? file} at temperature ${temperature}`;
  return { source, suite, tasks, told, ...(run !== undefined && { run }) };
}

/** On desktops of the kind that the weights know, set up as they are here where that is the kind here. */
function playedWith(here: Config, trained: Config, isOfHere: boolean): Config {
  const isSame = here.environments.kind === trained.environments.kind;
  return {
    ...here,
    environments: isSame ? here.environments : trained.environments,
    suite: isSame && !isOfHere ? here.suite : trained.suite,
  };
}

const named = (wanted: WantedTasks, suite: Suite): readonly TaskId[] =>
  'tasks' in wanted
    ? wanted.tasks.map(id => trainable(suite, id, '--tasks'))
    : tasksOf({ suite: { tiers: [...wanted.tiers] } }, suite);

function refuseGuest({ environments }: Config, isGuest: boolean): void {
  if (isGuest && environments.kind !== 'pocket')
    throw new RangeError(
      "Nothing is collected on desktops of the kind 'docker' while a run trains, since it has all of them: stop it, or wait until it has ended.",
    );
}

/** Beside a training. */
const FEW = 4;

/** One process that decides, for few desktops: what trains keeps the machine. */
function modest(config: Config): Config {
  const { environments, rollout } = config;
  return {
    ...config,
    environments: { ...environments, desktops: Math.min(FEW, environments.desktops) },
    rollout: { ...rollout, workers: 1 },
  };
}

/** The run of this workspace that the weights are of, as they say themselves or as their folder says. */
async function runOf(file: string, { by }: SavedPolicy, root: string): Promise<RunId | undefined> {
  const folder = dirname(file);
  const name = by?.run ?? (relative(root, dirname(folder)) === '' ? basename(folder) : undefined);
  if (name === undefined) return undefined;
  const run = runId(name);
  const about = await new RunFolders(root).read(run).catch(() => undefined);
  return about && run;
}
