// Chooses the policy and the tasks of a collection. Rejects impossible requests before anything is played.

import { readFile } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';
import type { Config } from '../config/config.ts';
import { type RunId, runId } from '../core/ids.ts';
import type { CollectPolicy } from '../protocol/daemon/collection.ts';
import { decodePolicy, type SavedPolicy } from '../run/folders/policy-file.ts';
import { findWeights } from '../run/folders/run-folder.ts';
import { RunFolders } from '../run/folders/run-folders.ts';
import { configOfWeights } from '../run/folders/weights-origin.ts';
import { openSuite, trainedTasks, trainingTasks } from '../run/suite.ts';
import { agentPlayer } from './agent-player.ts';
import { byScript } from './by-script.ts';
import { byWeights } from './by-weights.ts';
import {
  instancesToPlay,
  MAX_GUEST_DESKTOPS,
  type Player,
  type PlayerContext,
  type PlayerRequest,
  refuseGuest,
  refuseStored,
  wantedTasks,
} from './player.ts';

/** `name` is the name of the collection. */
export async function playerOf(
  name: string,
  request: PlayerRequest & { readonly accepts: boolean },
  context: PlayerContext,
): Promise<Player> {
  const { by, config, evaluates, accepts } = request;
  // Weights play on their own kind of desktops.
  if (evaluates === undefined && by.kind !== 'weights') refuseStored(config);
  if (by.kind === 'agent') {
    if (evaluates === undefined || !accepts) return agentPlayer(name, by, request, context);
    throw new RangeError("Episodes of an evaluation never enter the success pool. Set 'accepts' to false.");
  }
  if (evaluates === undefined)
    return by.kind === 'script' ? scripted(request, context) : trainedPlayer(by, request, context);
  throw new RangeError(
    `An evaluation plays an agent, not ${by.kind === 'script' ? 'scripted solutions' : 'weights'}. Name one, such as 'compact'.`,
  );
}

async function scripted(request: PlayerRequest, { isGuest, clock }: PlayerContext): Promise<Player> {
  const { config, wanted } = request;
  refuseGuest(config, isGuest);
  const suite = await openSuite(config);
  const instances = instancesToPlay(request, config, suite);
  const tasks = wanted === undefined ? trainingTasks(config, suite) : wantedTasks(wanted, suite);
  const source = byScript({ config: isGuest ? asGuest(config) : config, tasks, clock });
  return { source, suite, tasks, instances, told: 'Scripted solutions' };
}

async function trainedPlayer(
  { from, rollouts, temperature }: Extract<CollectPolicy, { kind: 'weights' }>,
  request: PlayerRequest,
  { root, entries, isGuest, clock }: PlayerContext,
): Promise<Player> {
  const file = await findWeights(from, root, '--from');
  const policy = decodePolicy(await readFile(file), file);
  const run = await runOf(file, policy, root);
  const config = playedWith(
    request.config,
    await configOfWeights(file, policy.tasks, async () => request.config),
    run !== undefined,
  );
  refuseStored(config);
  refuseGuest(config, isGuest);
  const suite = await openSuite(config);
  const instances = instancesToPlay(request, config, suite);
  const tasks =
    request.wanted === undefined ? trainedTasks(suite, policy.tasks) : wantedTasks(request.wanted, suite);
  if (tasks.length === 0)
    throw new RangeError(
      policy.tasks.length === 0
        ? `These desktops have no tasks to train for '${file}'. Name some with --tasks, or add their files.`
        : `'${file}' was trained on tasks that do not exist here, such as '${policy.tasks[0]}'. Set 'suite.files' to their folder, or choose others with --tasks or --tier.`,
    );
  const source = byWeights({
    ...{ suite, tasks, policy, rollouts, temperature, clock },
    ...(run !== undefined && { run }),
    config: isGuest ? asGuest(config) : config,
    entries,
  });
  const told = `Weights of ${run ?? file} at temperature ${temperature}`;
  return { source, suite, tasks, instances, told, ...(run !== undefined && { run }) };
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
