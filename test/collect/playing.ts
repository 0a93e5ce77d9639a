// Agents that play collections in tests: the profile `generic` over a chat that a function answers.

import { ModelAgent } from '../../runtime/agents/model/agent.ts';
import { GENERIC } from '../../runtime/agents/model/profiles/generic.ts';
import { AgentHealth } from '../../runtime/collect/agent-health.ts';
import { byAgent } from '../../runtime/collect/by-agent.ts';
import type { PlayingAgent } from '../../runtime/collect/playing-agent.ts';
import { type Config, parseConfig } from '../../runtime/config/config.ts';
import type { ChatReply } from '../../runtime/core/chat.ts';
import type { Clock } from '../../runtime/core/clock.ts';
import { version } from '../../runtime/core/ids.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import type { ChatModel, ChatRequest } from '../../runtime/endpoints/chat.ts';
import { clickingModel } from '../doubles/openai/clicking.ts';

/** Replies to the n-th request, counted from 0. */
export type Answer = (request: ChatRequest, number: number) => string;

/** Clicks the element that the task names, then reports the end. */
export const clicks: Answer = ({ messages }) =>
  clickingModel({
    ...{ model: 'm', temperature: 0, seed: 0 },
    messages: messages.map(({ role, parts }) => ({
      role,
      text: parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n'),
      images: [],
    })),
  });

export class ScriptedChat implements ChatModel {
  readonly requests: ChatRequest[] = [];
  readonly ended: string[] = [];
  readonly #answer: Answer;

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  async complete(request: ChatRequest): Promise<ChatReply> {
    const number = this.requests.push(request) - 1;
    // Replies of concurrent episodes come later than their requests.
    await systemClock.sleep(0);
    request.signal.throwIfAborted();
    const raw = this.#answer(request, number);
    return {
      ...{ raw, tokens: [], estimator: 'none', finish: 'stop', defects: [] },
      served: {
        ...{ endpoint: 'toy', model: 'm', latencyMs: 10, retries: [] },
        ...{ promptTokens: 100, completionTokens: 5, cost: 0.001 },
      },
    };
  }

  end(session: string): void {
    this.ended.push(session);
  }
}

export function playingAgent(chat: ChatModel, clock: Clock): PlayingAgent & { readonly closed: string[] } {
  const closed: string[] = [];
  return {
    agent: new ModelAgent({ id: 'toy', profile: GENERIC, chat, sampling: { temperature: 0.8 } }),
    ...{ mode: 'a11y_tree', version: version(0), concurrency: 64, told: 'toy' },
    health: new AgentHealth({ agent: 'toy', servers: 1, clock }),
    failedRequests: () => ({}),
    close: async () => void closed.push('toy'),
    closed,
  };
}

interface PlayOptions {
  readonly answer?: Answer;
  readonly config?: Config;
  readonly temperature?: number;
  readonly seed?: string;
  readonly rollouts?: number;
  readonly parallel?: number;
  readonly purpose?: 'evaluate' | 'collect';
  readonly clock?: Clock;
}

export function source(options: PlayOptions = {}) {
  const { answer = clicks, clock = systemClock, ...others } = options;
  const chat = new ScriptedChat(answer);
  const player = playingAgent(chat, clock);
  const played = byAgent({
    ...{ player, name: 'evaluate-1', config: parseConfig({}), clock },
    ...{ rollouts: 1, temperature: 0, seed: 'a', parallel: 3, purpose: 'evaluate', ...others },
  });
  return { chat, player, played };
}
