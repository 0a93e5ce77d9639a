// The agent of a model behind an endpoint: a profile, which knows how to prompt the model and read its replies, and a chat model, which
// sends the requests.

import type { Agent, AgentSession, AgentTask } from '../../core/agent.ts';
import { UNVERSIONED } from '../../core/chat.ts';
import { BoundaryError } from '../../core/failure.ts';
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
    const { mode, version = UNVERSIONED } = task;
    if (!profile.modes.includes(mode)) {
      const modes = profile.modes.map(each => `'${each}'`).join(' or ');
      throw this.#failure(`The profile '${profile.id}' does not support the mode '${mode}'. Use ${modes}.`);
    }
    if (version !== UNVERSIONED)
      throw this.#failure(
        `A server decides with the weights that it has, and version ${version} is required. Omit the version.`,
      );
    const sampling = { ...profile.sampling, ...this.#options.sampling };
    return new ModelSession(task, {
      ...{ agent: id, profile, chat },
      // 1 is the temperature of the configuration; 0 is greedy whatever the configuration.
      sampling: { ...sampling, temperature: sampling.temperature * task.temperature },
    });
  }

  #failure(message: string): BoundaryError {
    return new BoundaryError({ boundary: 'policy', thing: this.id, message });
  }
}
