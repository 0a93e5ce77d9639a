// The description of a run that a joining host gets from the daemon, and its configuration applied to the machine of the host.

import * as z from 'zod';
import type { NetworkShape } from '../../agents/compact/network.ts';
import { type BlobHash, isBlobHash } from '../../blobs/blobs.ts';
import { type Config, parseConfig } from '../../config/config.ts';
import { type PromptedAgent, promptedAgent } from '../../config/sections/agents.ts';
import { completeConfig } from '../../config/shape.ts';
import { COMPACT_AGENT } from '../../core/agent.ts';
import { messageOf } from '../../core/errors.ts';
import { type RunId, runId, type TaskId, taskId } from '../../core/ids.ts';
import { safeParse } from '../../core/safe-parse.ts';
import type { HostOffers } from '../../hosts/messages.ts';
import type { ModulesOptions } from '../modules.ts';
import { settingsOfAgent } from '../named-agent.ts';
import { openSuite } from '../suite.ts';
import type { ReceivedTasks } from './received-tasks.ts';

export interface JoinedStart {
  /** The time of the join, by the clock of the daemon. */
  readonly at: number;
  readonly run: RunId;
  readonly config: Config;
  readonly tasks: readonly TaskId[];
  readonly shape: NetworkShape;
  /** Its name in the run. */
  readonly host: string;
  /** Lists the user's own files that the tasks need. */
  readonly taskFiles?: BlobHash;
  /** The model agent that plays; absent for the built-in one. */
  readonly prompted?: PromptedAgent;
}

interface DescribedRun extends Pick<ModulesOptions, 'run' | 'config' | 'tasks' | 'shape'> {
  readonly taskFiles?: BlobHash;
}

/** Keys, passwords and the addresses of servers stay on the machine of the daemon. */
export function startFor(
  host: string,
  { run, config, tasks, shape, taskFiles }: DescribedRun,
  at: number,
): JoinedStart {
  const { environments: ownEnvironments, index } = parseConfig({});
  const { guest } = ownEnvironments;
  const environments = { ...config.environments, guest };
  return {
    ...{ at, run, config: { ...config, environments, index, agents: {} }, tasks, shape, host },
    ...(taskFiles !== undefined && { taskFiles }),
    ...(config.agent !== COMPACT_AGENT && { prompted: promptedBy(config) }),
  };
}

function promptedBy(config: Config): PromptedAgent {
  const { profile, sampling } = settingsOfAgent(config.agent, config);
  return { profile, ...(sampling !== undefined && { sampling }) };
}

const size = z.int().min(1);

const id = <Id>(valid: (text: string) => Id) =>
  z.string().transform((text, context) => {
    try {
      return valid(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: messageOf(error) });
      return z.NEVER;
    }
  });

const joinedStart = z.object({
  at: z.number(),
  run: id(runId),
  config: completeConfig,
  tasks: z.array(id(taskId)),
  shape: z.object({
    ...{ width: size, blocks: size, heads: size, hidden: size, letterWidth: size, pixels: z.boolean() },
  }),
  host: z.string(),
  taskFiles: z.custom<BlobHash>(value => typeof value === 'string' && isBlobHash(value)).exactOptional(),
  prompted: promptedAgent.exactOptional(),
});

/** Throws a RangeError when another version of Dartboard wrote it. */
export function readJoinedStart(value: unknown): JoinedStart {
  const { success, data, error } = safeParse(joinedStart, value);
  if (success) return data;
  const { path = [], message } = error.issues[0] ?? {};
  throw new RangeError(
    `The daemon's description of the run cannot be read (${path.join('.')}: ${message}). Install the same version of Dartboard on both machines.`,
  );
}

/** Throws a RangeError when this machine cannot play a task of the run. */
export async function requireTasks(config: Config, tasks: readonly TaskId[]): Promise<void> {
  const known = new Set((await openSuite(config)).tasks('train'));
  const missing = tasks.find(task => !known.has(task));
  if (missing !== undefined)
    throw new RangeError(
      `The run trains the task '${missing}', which this machine does not have. Install the same version of Dartboard on both machines.`,
    );
}

/** The configuration of the run with the folder of its task files on this machine. Without received files, all its tasks are built in. */
export function withReceived(run: Config, received: ReceivedTasks | undefined): Config {
  const { files: _, ...suite } = run.suite;
  return { ...run, suite: { ...suite, ...(received?.files !== undefined && { files: received.files }) } };
}

/**
 * The configuration of the run, with the desktops and workers of this machine. Engines, browser, guests and folders are those of `own`, the
 * configuration of this machine for the same kind of desktops; all that changes what a policy sees is that of the run. The run sends the pages
 * of MiniWoB++ that it trains. Files of its mirror replace those of this machine.
 */
export function configHere(
  run: Config,
  own: Config,
  { desktops, policy }: HostOffers,
  { mirror, miniwob }: Pick<ReceivedTasks, 'mirror' | 'miniwob'> = {},
): Config {
  const { docker, web } = run.environments;
  const { miniwob: _, ...pages } = web;
  return {
    ...run,
    environments: {
      ...{ ...run.environments, desktops },
      docker: { ...docker, hosts: own.environments.docker.hosts },
      web: {
        ...{ ...pages, browser: own.environments.web.browser },
        ...(miniwob !== undefined && { miniwob }),
      },
      guest: { ...own.environments.guest, ...(mirror !== undefined && { mirror }) },
    },
    rollout: { ...run.rollout, workers: policy },
  };
}
