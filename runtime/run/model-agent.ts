// Opens an agent of dartboard.json: resolves its key, probes its servers, and connects the router and the agent. Every command that plays
// a model agent opens it here.

import { ModelAgent } from '../agents/model/agent.ts';
import { PROFILES } from '../agents/model/profiles/index.ts';
import type { AgentSettings } from '../config/sections/agents.ts';
import type { Agent } from '../core/agent.ts';
import type { Clock } from '../core/clock.ts';
import type { Failure } from '../core/failure.ts';
import type { Version } from '../core/ids.ts';
import type { Mode } from '../core/policy.ts';
import { type SpentTokens, TokenBudget } from '../endpoints/budget.ts';
import {
  type AgentUse,
  commonCapabilities,
  dialectOf,
  type EndpointCapabilities,
  type UseVerdicts,
  usesOf,
} from '../endpoints/capabilities.ts';
import type { ChatModel } from '../endpoints/chat.ts';
import { EndpointClient } from '../endpoints/client.ts';
import { concernsAllRequests, EndpointError, isTemporary } from '../endpoints/failure.ts';
import { type HttpTransport, httpTransport } from '../endpoints/http-transport.ts';
import { keySourceOf, resolveKey } from '../endpoints/keys.ts';
import { type ProbeOptions, probeEndpoint } from '../endpoints/probe.ts';
import { firstVersion, openWay } from '../endpoints/rolling/open-way.ts';
import { resumePaused } from '../endpoints/rolling/pause-way.ts';
import type { RestartCommand } from '../endpoints/rolling/restart-way.ts';
import { RollingUpdate } from '../endpoints/rolling/rolling-update.ts';
import { EndpointRouter, type RouterOptions } from '../endpoints/router.ts';
import type { ServerSnapshot } from '../endpoints/server-record.ts';
import { runRestartCommand } from './restart-command.ts';

export interface ModelAgentContext {
  /** Has the keys. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Reports a server that fails, or works again. */
  readonly health?: RouterOptions['health'];
  /** Gets each failure that every later request would repeat. */
  readonly lost?: (failure: Failure) => void;
  /** Default: HTTP. Whoever passes one closes it. */
  readonly transport?: HttpTransport;
  /** Abandons the probe. It has no effect on the opened agent. */
  readonly signal?: AbortSignal;
  /** How long requests wait while no server works. Default: that of the router. */
  readonly outageTimeoutMs?: number;
  /** Spent by earlier processes of the same run: it counts for the limits of the agent. */
  readonly spentBefore?: SpentTokens;
  /** Opens the agent for new weights. The names of their adapters begin with this text. */
  readonly weightsName?: string;
  /** The weights of the run are trained: no server gets requests before it has loaded them. */
  readonly isTrained?: boolean;
}

export interface OpenModelAgent {
  readonly agent: Agent;
  /** For other questions to its model. They count for its limits. */
  readonly chat: ChatModel;
  /** The mode of its tasks. */
  readonly mode: Mode;
  /** What all its servers have in common. */
  readonly capabilities: EndpointCapabilities;
  readonly uses: UseVerdicts;
  readonly servers: readonly ProbedServer[];
  /** Takes new weights; present if the agent was opened for them. */
  readonly weights?: RollingUpdate;
  snapshot(): ModelAgentSnapshot;
  /** Ends timers and connections. Close sessions and `weights` first. */
  close(): void;
}

export interface ProbedServer {
  /** As in the records of its replies. */
  readonly name: string;
  readonly url: string;
  /** A server that did not answer the probe has the capabilities of another one, so that it can be used when it answers. */
  readonly capabilities: EndpointCapabilities;
  /** For single requests outside the budget and the router. */
  readonly client: EndpointClient;
  readonly restart?: RestartCommand;
}

export interface ModelAgentSnapshot {
  readonly servers: readonly ServerSnapshot[];
  /** Since the agent was opened, without the probe. */
  readonly spent: SpentTokens;
}

const CONCURRENCY = 64;
export const TIMEOUT_SECONDS = 120;
const RETRIES = 8;
/** Beyond the deadline of a request, for the check of its reply. */
const DRAIN_MARGIN_MS = 60_000;

/**
 * Rejects with an Error for a missing key or an unsupported mode, and with an EndpointError if no server answers, or one rejects every chat.
 * An agent that opens may still be refused for a use: see `requireUse`.
 */
export async function openModelAgent(
  name: string,
  settings: AgentSettings,
  context: ModelAgentContext,
): Promise<OpenModelAgent> {
  const { environment, clock, health, signal = NEVER } = context;
  const { limits = {}, prices, key, sampling } = settings;
  const profile = PROFILES[settings.profile];
  const mode = modeOf(name, settings);
  const images = mode !== 'a11y_tree';
  const apiKey = key === undefined ? undefined : resolveKey(name, keySourceOf(key), environment);
  const transport = context.transport ?? httpTransport();
  const closeTransport = () => {
    if (context.transport === undefined) transport.close();
  };
  const failed = new AbortController();
  try {
    const probed = await Promise.all(
      serversOf(name, settings).map(async ({ model, ...about }) => {
        const client = new EndpointClient({
          ...{ ...about, transport, clock },
          ...(apiKey !== undefined && { key: apiKey }),
          timeoutMs: 1000 * (limits.timeoutSeconds ?? TIMEOUT_SECONDS),
        });
        const probe = { client, model, images, clock, signal: AbortSignal.any([signal, failed.signal]) };
        return { ...about, model, client, ...(await foundAt(probe, context.weightsName !== undefined)) };
      }),
    );
    const servers = openedServers(probed);
    for (const each of servers) if (each.problem !== undefined) health?.(each.name, false, each.problem);
    const budget = new TokenBudget(
      {
        ...(limits.tokens !== undefined && { tokens: limits.tokens }),
        ...(limits.money !== undefined && { money: limits.money }),
      },
      prices,
      context.spentBefore,
    );
    const router = new EndpointRouter({
      ...{ agent: name, budget, clock },
      servers: servers.map(({ client, capabilities, problem }) => ({
        ...{ client, model: capabilities.model, aliases: capabilities.aliases },
        dialect: dialectOf(capabilities),
        ...(problem !== undefined && { problem }),
      })),
      concurrency: limits.concurrency ?? CONCURRENCY,
      retries: limits.retries ?? RETRIES,
      outageTimeoutMs: context.outageTimeoutMs,
      ...(health !== undefined && { health }),
    });
    const capabilities = commonCapabilities(servers.map(each => each.capabilities));
    const restarts = servers.every(({ restart }) => restart !== undefined);
    const weights = openWeights(settings, context, router, servers);
    const chat = reportingLoss(router, context.lost);
    return {
      agent: new ModelAgent({
        ...{ id: name, profile, chat },
        ...(sampling !== undefined && { sampling }),
      }),
      chat,
      ...{ mode, capabilities, uses: usesOf(capabilities, { images, restarts }) },
      servers,
      ...(weights !== undefined && { weights }),
      snapshot: () => ({ servers: router.snapshot(), spent: budget.spent }),
      close: () => {
        router.close();
        closeTransport();
      },
    };
  } catch (error) {
    // The probes of the other servers.
    failed.abort(error);
    closeTransport();
    throw error;
  }
}

interface ServerProbe extends ProbeOptions {
  readonly client: EndpointClient;
}

/** The error of a server that may answer later. Other errors are thrown. */
type Found = EndpointCapabilities | EndpointError;

interface ProbeResult {
  readonly found: Found;
  /** Its update may have ended half-way: nobody knows its weights. */
  readonly wasPaused: boolean;
}

/** Resumes a server of an agent whose weights are updated, if it may be paused. */
async function foundAt(probe: ServerProbe, isUpdated: boolean): Promise<ProbeResult> {
  const found = await probeOnce(probe);
  const mayBePaused = isUpdated && found instanceof EndpointError && found.reason === 'timeout';
  return mayBePaused && (await resumePaused(probe.client, probe.signal))
    ? { found: await probeOnce(probe), wasPaused: true }
    : { found, wasPaused: false };
}

async function probeOnce(probe: ServerProbe): Promise<Found> {
  try {
    return await probeEndpoint(probe);
  } catch (error) {
    if (error instanceof EndpointError && isTemporary(error.reason)) return error;
    throw error;
  }
}

interface OpenedServer extends ProbedServer {
  /** Why it did not answer. */
  readonly problem?: string;
  readonly wasPaused: boolean;
}

/** A server that did not answer counts as a copy of one that did. Throws its error if none did. */
function openedServers(
  probed: readonly (NamedServer & ProbeResult & { readonly client: EndpointClient })[],
): readonly OpenedServer[] {
  const answers = probed.flatMap(({ found }) => (found instanceof EndpointError ? [] : [found]));
  return probed.map(({ model, found, ...server }) => {
    if (!(found instanceof EndpointError)) return { ...server, capabilities: found };
    const like = answers.find(each => each.model === model) ?? answers[0];
    if (like === undefined) throw found;
    const aliases = like.model === model ? like.aliases : [];
    return { ...server, capabilities: { ...like, model, aliases }, problem: found.failure.message };
  });
}

function reportingLoss(chat: ChatModel, lost: ModelAgentContext['lost']): ChatModel {
  if (lost === undefined) return chat;
  return {
    async complete(request) {
      try {
        return await chat.complete(request);
      } catch (error) {
        if (error instanceof EndpointError && concernsAllRequests(error.reason)) lost(error.failure);
        throw error;
      }
    },
    end: session => chat.end(session),
  };
}

/** Throws a RangeError for a server that cannot load weights. */
function openWeights(
  { limits = {} }: AgentSettings,
  { weightsName, isTrained = false, clock, health = () => undefined, environment }: ModelAgentContext,
  router: EndpointRouter,
  servers: readonly OpenedServer[],
): RollingUpdate | undefined {
  if (weightsName === undefined) return undefined;
  const nameOf = (version: Version): string => `${weightsName}-v${version}`;
  const run = runRestartCommand(environment);
  return new RollingUpdate({
    ...{ router: router.servers, clock, health },
    drainMs: 1000 * (limits.timeoutSeconds ?? TIMEOUT_SECONDS) + DRAIN_MARGIN_MS,
    servers: servers.map(({ name, client, capabilities, restart, problem, wasPaused }) => ({
      ...{ name, model: capabilities.model },
      ...(problem !== undefined && { problem }),
      version:
        isTrained || wasPaused || problem !== undefined
          ? undefined
          : firstVersion(capabilities, restart !== undefined),
      way: openWay({ client, capabilities, clock, nameOf, restart, run }),
    })),
  });
}

/** Throws a RangeError with the reasons if the agent may not be used so. */
export function requireUse({ agent, uses }: Pick<OpenModelAgent, 'agent' | 'uses'>, use: AgentUse): void {
  const { allowed, reasons } = uses[use];
  if (allowed) return;
  throw new RangeError(`The agent '${agent.id}' cannot be used for ${use}. ${reasons.join(' ')}`);
}

const NEVER = new AbortController().signal;

/** Throws a RangeError for a mode that the profile does not support. */
export function modeOf(name: string, settings: Pick<AgentSettings, 'profile' | 'mode'>): Mode {
  const { modes } = PROFILES[settings.profile];
  const { mode = modes[0] } = settings;
  if (modes.includes(mode)) return mode;
  const supported = modes.map(each => `'${each}'`).join(' or ');
  throw new RangeError(
    `The agent '${name}' has the mode '${mode}', which the profile '${settings.profile}' does not support. Set 'mode' to ${supported}.`,
  );
}

interface NamedServer {
  readonly name: string;
  readonly url: string;
  readonly model: string;
  readonly restart?: RestartCommand;
}

/** One of several servers is named by its number, from 1. */
function serversOf(agent: string, { url, endpoints, model }: AgentSettings): readonly NamedServer[] {
  const all: NonNullable<AgentSettings['endpoints']> = endpoints ?? (url === undefined ? [] : [{ url }]);
  return all.map((each, index) => {
    const name = all.length === 1 ? agent : `${agent}.${index + 1}`;
    const own = each.model ?? model;
    if (own !== undefined) return { ...each, name, model: own };
    throw new RangeError(
      `The agent '${agent}' has no model. Add 'model' with the name that the server lists.`,
    );
  });
}
