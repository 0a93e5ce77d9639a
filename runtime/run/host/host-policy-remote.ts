// The model of a run in a joined host: the host prompts it and reads its replies, and the daemon has its servers.

import { ModelAgent } from '../../agents/model/agent.ts';
import { PROFILES } from '../../agents/model/profiles/index.ts';
import type { PromptedAgent } from '../../config/sections/agents.ts';
import type { Fabric } from '../../fabric/fabric.ts';
import { AskedModel } from './asked-model.ts';
import type { OpenHostPolicy } from './host-policy.ts';

export interface AskedPolicyOptions {
  /** The name of the agent. */
  readonly agent: string;
  readonly prompted: PromptedAgent;
  readonly fabric: Pick<Fabric, 'questions' | 'answers'>;
  /** As in AskedModelOptions. */
  readonly asker: string;
}

export const askedPolicy =
  ({ agent: id, prompted, fabric, asker }: AskedPolicyOptions): OpenHostPolicy =>
  () => {
    const { profile, sampling } = prompted;
    const chat = new AskedModel({ fabric, asker });
    const agent = new ModelAgent({
      ...{ id, chat, profile: PROFILES[profile] },
      ...(sampling !== undefined && { sampling }),
    });
    return {
      training: agent,
      // A joined host plays no evaluations.
      evaluating: agent,
      // The machine of the daemon updates the servers and counts their time and cost.
      publish: () => undefined,
      evaluate: () => undefined,
      account: () => [],
      processorTime: async () => ({}),
      metrics: () => ({}),
      close: () => chat.close(),
    };
  };
