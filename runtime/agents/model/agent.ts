// The agent of a model behind an endpoint: a profile, which knows how to prompt the model and read its replies, and a chat model, which
// sends the requests.

import type { Agent, AgentSession, AgentTask } from '../../core/agent.ts';
import { BoundaryError } from '../../core/failure.ts';
import type { Version } from '../../core/ids.ts';
import type { ChatModel } from '../../endpoints/chat.ts';
import type { Profile } from './profile.ts';
import { ModelSession } from './session.ts';

export interface ModelAgentOptions {
  /** The name in dartboard.json. */
  readonly id: string;
  readonly profile: Profile;
  readonly chat: ChatModel;
  /** Replaces defaults of the profile. */
  readonly sampling?: Partial<Profile['sampling']>;
  /** The model or adapter name of a version; undefined if no server has it. Absent for endpoints without versions. */
  readonly modelOf?: (version: Version) => string | undefined;
}

export class ModelAgent implements Agent {
  readonly id: string;
  readonly #options: ModelAgentOptions;

  constructor(options: ModelAgentOptions) {
    this.id = options.id;
    this.#options = options;
  }

  begin(task: AgentTask): AgentSession {
    const { id, profile, chat } = this.#options;
    if (!profile.modes.includes(task.mode)) {
      const modes = profile.modes.map(mode => `'${mode}'`).join(' or ');
      throw this.#failure(
        `The profile '${profile.id}' does not support the mode '${task.mode}'. Use ${modes}.`,
      );
    }
    const sampling = { ...profile.sampling, ...this.#options.sampling };
    const model = this.#modelFor(task);
    return new ModelSession(task, {
      ...{ agent: id, profile, chat },
      // 1 is the temperature of the configuration; 0 is greedy whatever the configuration.
      sampling: { ...sampling, temperature: sampling.temperature * task.temperature },
      ...(model !== undefined && { model }),
    });
  }

  #modelFor({ version }: AgentTask): string | undefined {
    if (version === undefined) return undefined;
    const { modelOf } = this.#options;
    // Endpoints without versions have version 0 alone.
    if (modelOf === undefined && version === 0) return undefined;
    const model = modelOf?.(version);
    if (model !== undefined) return model;
    throw this.#failure(`No server has version ${version} of the weights. Publish it, or omit the version.`);
  }

  #failure(message: string): BoundaryError {
    return new BoundaryError({ boundary: 'policy', thing: this.id, message });
  }
}
