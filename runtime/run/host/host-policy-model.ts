// The servers of a model in a host: the router sends the requests of all episodes, and new weights reach one server after another.

import type { Config } from '../../config/config.ts';
import type { Clock } from '../../core/clock.ts';
import type { RunId } from '../../core/ids.ts';
import type { Weights } from '../../core/policy.ts';
import type { SpentTokens } from '../../endpoints/budget.ts';
import type { HttpTransport } from '../../endpoints/http-transport.ts';
import { decodePublished } from '../../learner/published-weights.ts';
import { openModelAgent, requireUse } from '../model-agent.ts';
import { settingsOfAgent } from '../named-agent.ts';
import type { HostPolicyContext, OpenHostPolicy } from './host-policy.ts';
import { withNewestWeights } from './newest-weights.ts';
import { ServerTimes } from './server-times.ts';
import { serversReport } from './servers-report.ts';

export interface ModelPolicyOptions {
  readonly run: RunId;
  readonly config: Pick<Config, 'agent' | 'agents'>;
  /** No server gets requests before it has loaded the weights of the run. */
  readonly isTrained: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** By earlier processes of the run. */
  readonly spent?: SpentTokens;
  /** Abandons the probe of the servers. */
  readonly signal: AbortSignal;
  /** Default: HTTP. */
  readonly transport?: HttpTransport;
}

/** Rejects with the reasons if the servers do not answer, or do not report what training needs. */
export async function openModelPolicy({
  run,
  config,
  isTrained,
  environment,
  clock,
  spent,
  signal,
  transport,
}: ModelPolicyOptions): Promise<OpenHostPolicy> {
  const settings = settingsOfAgent(config.agent, config);
  let context: Pick<HostPolicyContext, 'health' | 'lost'> | undefined;
  /** Of servers that did not answer. */
  const early: Parameters<HostPolicyContext['health']>[] = [];
  const opened = await openModelAgent(config.agent, settings, {
    ...{ isTrained, environment, clock, signal },
    ...(spent !== undefined && { spentBefore: spent }),
    ...(transport !== undefined && { transport }),
    // A trainer of the user publishes its weights itself.
    ...(settings.learner?.kind !== 'file' && { weightsName: run }),
    health: (...report) => {
      if (context === undefined) early.push(report);
      else context.health(...report);
    },
    lost: failure => context?.lost(failure),
  });
  try {
    requireUse(opened, 'training');
  } catch (error) {
    opened.close();
    throw error;
  }
  return around => {
    context = around;
    const since = clock.now();
    for (const report of early.splice(0)) around.health(...report);
    const times = new ServerTimes(since);
    const publish = (weights: Weights) => opened.weights?.publish(decodePublished(weights));
    return {
      training: opened.agent,
      evaluating: withNewestWeights(opened.agent, opened.weights),
      publish,
      // The two registers are followed independently, so this one may be the first.
      evaluate: publish,
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
