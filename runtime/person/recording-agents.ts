// The agents that can act in a recording: the built-in policy, and the agents of dartboard.json.

import { openPlayingAgent, type PlayingAgent, type PlayingAgentOptions } from '../collect/playing-agent.ts';
import type { Config } from '../config/config.ts';
import { COMPACT_AGENT } from '../core/agent.ts';

export interface AskedAgent {
  readonly agent: string;
  /** The weights of the built-in policy. The default is that of `findWeights`. */
  readonly from?: string;
}

export interface RecordingAgents {
  names(config: Config): readonly string[];
  /** Rejects with the reason if it cannot play. */
  open(asked: AskedAgent, config: Config, signal: AbortSignal): Promise<PlayingAgent>;
}

type AgentsOptions = Pick<PlayingAgentOptions, 'root' | 'workerEntry' | 'environment' | 'clock'>;

/** A person watches: they learn soon that no server answers, and try again themselves. */
const OPEN_TIMEOUT_MS = 15_000;

export const recordingAgents = (options: AgentsOptions): RecordingAgents => ({
  names: ({ agents }) => [COMPACT_AGENT, ...Object.keys(agents)],
  open: ({ agent: name, from }, config, closing) =>
    openPlayingAgent({
      ...{ ...options, name, from, fromOption: 'from', config, closing },
      ...{ workers: 1, outageTimeoutMs: OPEN_TIMEOUT_MS },
    }),
});
