// Opens the agent of a collection by its name: the built-in policy with saved weights, or a model behind an endpoint. Rejects an agent
// that cannot play, before anything is played.

import { readFile } from 'node:fs/promises';
import { blobOf } from '../agents/compact/blob.ts';
import { CompactAgent } from '../agents/compact/compact-agent.ts';
import type { Config } from '../config/config.ts';

import { type Agent, COMPACT_AGENT } from '../core/agent.ts';
import type { Clock } from '../core/clock.ts';
import { type Version, version } from '../core/ids.ts';
import type { Mode } from '../core/policy.ts';
import type { SpentTokens } from '../endpoints/budget.ts';
import { tensor } from '../graph/tensor.ts';
import { Pool } from '../rollout/policy-pool.ts';
import { startWorker } from '../rollout/worker-process.ts';
import { decodePolicy } from '../run/folders/policy-file.ts';
import { findWeights } from '../run/folders/run-folder.ts';
import { type ModelAgentSnapshot, openModelAgent, requireUse } from '../run/model-agent.ts';
import { settingsOfAgent } from '../run/named-agent.ts';
import { AgentHealth } from './agent-health.ts';

export interface PlayingAgent {
  readonly agent: Agent;
  readonly mode: Mode;
  /** The version that plays. */
  readonly version: Version;
  /** The most episodes at a time. */
  readonly concurrency: number;
  /** For the user: which agent, and which weights or model. */
  readonly told: string;
  readonly health: AgentHealth;
  /** Failed requests by cause. */
  failedRequests(): Readonly<Record<string, number>>;
  /** By all requests, whatever became of their episodes; absent without servers. */
  spent?(): SpentTokens;
  close(): Promise<void>;
}

export interface PlayingAgentOptions {
  readonly name: string;
  /** The weights of the built-in policy. The default is that of `findWeights`. */
  readonly from: string | undefined;
  /** The option of `from` in errors. */
  readonly fromOption: string;
  /** The folder of the runs. */
  readonly root: string;
  readonly config: Config;
  /** The bundle of a policy worker, and how many decide for the built-in policy. */
  readonly workerEntry: URL;
  readonly workers: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The time that requests wait while no server of a model works. Default: that of the router. */
  readonly outageTimeoutMs?: number;
  /** Abandons the opening. */
  readonly closing: AbortSignal;
  readonly clock: Clock;
}

export const openPlayingAgent = (options: PlayingAgentOptions): Promise<PlayingAgent> =>
  options.name === COMPACT_AGENT ? openCompact(options) : openModel(options);

/** As many requests as usual in a batch of a policy worker. */
const BATCH = 32;

async function openCompact(options: PlayingAgentOptions): Promise<PlayingAgent> {
  const { from, fromOption, root, workerEntry, workers, clock } = options;
  const health = new AgentHealth({ agent: COMPACT_AGENT, servers: workers, clock });
  const file = await findWeights(from, root, fromOption);
  const policy = decodePolicy(await readFile(file), file);
  const { shape, mode, weights, by } = policy;
  const played = version(by?.version ?? 0);
  const pool = new Pool({
    ...{ size: workers, maxRequests: BATCH, maxWaitMs: 0, maxSwapping: 1, clock },
    health: health.report,
    start: () => startWorker({ entry: workerEntry, shape }),
  });
  pool.publish({ version: played, blob: blobOf(tensor('float32', [weights.length], weights)) });
  return {
    ...{ agent: new CompactAgent({ pool }), mode, version: played },
    concurrency: Number.POSITIVE_INFINITY,
    told: `Agent '${COMPACT_AGENT}' with the weights of ${by?.run ?? file}`,
    health,
    failedRequests: () => ({}),
    close: async () => {
      health.close();
      await pool.close();
    },
  };
}

async function openModel(options: PlayingAgentOptions): Promise<PlayingAgent> {
  const { name, from, fromOption, config, environment, outageTimeoutMs, closing, clock } = options;
  if (from !== undefined)
    throw new RangeError(
      `${fromOption} ${from} has no effect on the agent '${name}', whose weights are on its server. Omit it, or name the agent '${COMPACT_AGENT}'.`,
    );
  const settings = settingsOfAgent(name, config);
  const health = new AgentHealth({ agent: name, servers: settings.endpoints?.length ?? 1, clock });
  const opened = await openModelAgent(name, settings, {
    ...{ environment, clock, health: health.report, signal: closing },
    ...(outageTimeoutMs !== undefined && { outageTimeoutMs }),
  });
  try {
    requireUse(opened, 'evaluation');
  } catch (error) {
    opened.close();
    throw error;
  }
  const { agent, mode, capabilities, servers } = opened;
  return {
    ...{ agent, mode, version: UNVERSIONED },
    concurrency: (settings.limits?.concurrency ?? Number.POSITIVE_INFINITY) * servers.length,
    told: `Agent '${name}' (${capabilities.model}, profile ${settings.profile})`,
    health,
    failedRequests: () => failuresOf(opened.snapshot()),
    spent: () => opened.snapshot().spent,
    close: async () => {
      health.close();
      opened.close();
    },
  };
}

/** The version of a server that does not number its weights. */
const UNVERSIONED = version(0);

/** Over all servers. */
function failuresOf({ servers }: ModelAgentSnapshot): Readonly<Record<string, number>> {
  const sums = new Map<string, number>();
  for (const { failures } of servers)
    for (const [cause, count] of Object.entries(failures)) sums.set(cause, (sums.get(cause) ?? 0) + count);
  return Object.fromEntries(sums);
}
