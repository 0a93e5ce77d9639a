// The servers of a model in a host: the router sends the requests of all episodes, and new weights reach one server after another.

import type { Config } from '../../config/config.ts';
import type { Agent } from '../../core/agent.ts';
import type { Clock } from '../../core/clock.ts';
import type { RunId } from '../../core/ids.ts';
import type { SpentTokens } from '../../endpoints/budget.ts';
import { decodePublished } from '../../learner/published.ts';
import { openModelAgent, requireUse } from '../model-agent.ts';
import { settingsOfAgent } from '../named-agent.ts';
import type { OpenHostPolicy } from './host-policy.ts';
import { ServerTimes } from './server-times.ts';
import { serversReport } from './servers-report.ts';

export interface ModelPolicyOptions {
  readonly run: RunId;
  readonly config: Pick<Config, 'agent' | 'agents'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** By earlier processes of the run. */
  readonly spent?: SpentTokens;
  /** Abandons the probe of the servers. */
  readonly signal: AbortSignal;
}

/** Rejects with the reasons if the servers do not answer, or do not report what training needs. */
export async function openModelPolicy({
  run,
  config,
  environment,
  clock,
  spent,
  signal,
}: ModelPolicyOptions): Promise<OpenHostPolicy> {
  const settings = settingsOfAgent(config.agent, config);
  let report: (thing: string, healthy: boolean, message: string) => void = () => undefined;
  const opened = await openModelAgent(config.agent, settings, {
    ...{ environment, clock, signal },
    ...(spent !== undefined && { spentBefore: spent }),
    // A trainer of the user publishes its weights itself.
    ...(settings.learner?.kind !== 'file' && { weightsName: run }),
    health: (thing, healthy, message) => report(thing, healthy, message),
  });
  try {
    requireUse(opened, 'training');
  } catch (error) {
    opened.close();
    throw error;
  }
  return ({ health }) => {
    report = health;
    const since = clock.now();
    const times = new ServerTimes(since);
    return {
      training: opened.agent,
      evaluating: withNewestWeights(opened.agent),
      publish: weights => opened.weights?.publish(decodePublished(weights)),
      evaluate: () => undefined,
      chat: opened.chat,
      account: () => times.account(opened.snapshot().servers, clock.now()),
      servers: () => serversReport(opened.snapshot(), { since, hasPrices: settings.prices !== undefined }),
      processorTime: async () => ({}),
      metrics: () => {
        const { promptTokens, completionTokens, money } = opened.snapshot().spent;
        return {
          prompt_tokens: promptTokens,
          completion_tokens: completionTokens,
          ...(settings.prices !== undefined && { cost: money }),
        };
      },
      close: async () => {
        await opened.weights?.close();
        opened.close();
      },
    };
  };
}

/** A server has few versions at a time, so evaluations use the newest. Each step records its version. */
const withNewestWeights = (agent: Agent): Agent => ({
  id: agent.id,
  begin: ({ version: _, ...task }) => agent.begin(task),
});
