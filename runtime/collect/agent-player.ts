// An agent as the player of a collection or an evaluation.

import type { Config } from '../config/config.ts';
import type { TaskId } from '../core/ids.ts';
import type { CollectPolicy } from '../protocol/daemon/collection.ts';
import { openSuite, trainingTasks } from '../run/suite.ts';
import { byAgent } from './by-agent.ts';
import {
  instancesToPlay,
  MAX_GUEST_DESKTOPS,
  type Player,
  type PlayerContext,
  type PlayerRequest,
  refuseGuest,
  wantedTasks,
} from './player.ts';
import { openPlayingAgent } from './playing-agent.ts';

type AgentPolicy = Extract<CollectPolicy, { kind: 'agent' }>;

const DEFAULT_SEED = 'dartboard';
/** Episodes at a time by default: few servers answer more requests at a time without delay. */
const DEFAULT_PARALLEL = 16;

/** `name` is the name of the collection. The source of the player closes the agent. */
export async function agentPlayer(
  name: string,
  by: AgentPolicy,
  request: PlayerRequest,
  context: PlayerContext,
): Promise<Player> {
  const { config, evaluates, wanted } = request;
  const { root, entries, isGuest, environment, closing, clock } = context;
  refuseGuest(config, isGuest);
  const suite = await openSuite(config);
  const tasks =
    wanted !== undefined
      ? wantedTasks(wanted, suite, evaluates)
      : evaluates === undefined
        ? trainingTasks(config, suite)
        : suite.tasks(evaluates);
  requireTasks(tasks, config);
  const instances = instancesToPlay(request, config, suite);
  const player = await openPlayingAgent({
    ...{ name: by.agent, from: by.from, root, config, environment, closing, clock },
    fromOption: evaluates === undefined ? '--from' : '--weights',
    workerEntry: entries.worker,
    workers: isGuest ? 1 : config.rollout.workers,
  });
  const source = byAgent({
    ...{ player, name, config, clock, rollouts: by.rollouts, temperature: by.temperature },
    seed: by.seed ?? DEFAULT_SEED,
    parallel: parallelOf(by, player.concurrency, config, isGuest),
    purpose: evaluates === undefined ? 'collect' : 'evaluate',
  });
  const told = `${player.told} at temperature ${by.temperature}`;
  return { source, suite, tasks, instances, told, agent: by.agent };
}

function requireTasks(tasks: readonly TaskId[], { environments }: Config): void {
  if (tasks.length > 0) return;
  throw new RangeError(
    `Desktops of the kind '${environments.kind}' have no such tasks. Choose others with --tier, --tasks or --split.`,
  );
}

/** Real desktops exist in the configured number; the pocket desktop is made on demand. */
function parallelOf(
  { parallel }: AgentPolicy,
  concurrency: number,
  { environments }: Config,
  isGuest: boolean,
): number {
  const desktops = environments.kind === 'pocket' ? Number.POSITIVE_INFINITY : environments.desktops;
  return Math.min(
    parallel ?? Math.min(DEFAULT_PARALLEL, concurrency),
    desktops,
    isGuest ? MAX_GUEST_DESKTOPS : Number.POSITIVE_INFINITY,
  );
}
