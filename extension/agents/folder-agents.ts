// The agents that the open folder can use, and the question for one of them: those of its dartboard.json and of the user's settings.

import { COMPACT_AGENT } from '../../runtime/core/agent.ts';
import { pickOne } from '../ask.ts';
import { type ConfigFile, readConfigFile } from '../config-file.ts';
import { agentChoices, compactChoice } from './choices.ts';
import { agentsOf, type ConfiguredAgent, withUserAgents } from './configured-agents.ts';

const WHICH = 'Which agent?';

export class FolderAgents {
  readonly #folder: string;
  readonly #hasWeights: () => boolean;
  readonly #ofUser: () => ConfigFile;

  /** `hasWeights`: whether the folder has a run with weights. `ofUser`: the agents of the user's settings. */
  constructor(folder: string, hasWeights: () => boolean, ofUser: () => ConfigFile) {
    this.#folder = folder;
    this.#hasWeights = hasWeights;
    this.#ofUser = ofUser;
  }

  async list(): Promise<readonly ConfiguredAgent[]> {
    return agentsOf(await readConfigFile(this.#folder), this.#ofUser());
  }

  /** That dartboard.json with the agents of the user, for questions. The daemon adds them itself. */
  offeredIn(config: ConfigFile): ConfigFile {
    return withUserAgents(config, this.#ofUser());
  }

  /** The agent with that name. */
  async find(name: string): Promise<ConfiguredAgent> {
    const agent = (await this.list()).find(each => each.name === name);
    if (agent !== undefined) return agent;
    throw new Error(
      `Neither dartboard.json nor your settings have an agent '${name}'. Save the file, or configure the agent.`,
    );
  }

  /**
   * Asks for an agent: `compact` or a configured one. Without configured agents, `compact` is the only one, and there is no question.
   * Undefined if the user pressed Escape.
   */
  async ask(title: string): Promise<string | undefined> {
    const agents = await this.list();
    if (agents.length === 0) return COMPACT_AGENT;
    const choices = [compactChoice(this.#hasWeights()), ...agentChoices(agents)];
    return (await pickOne(choices, { title, placeHolder: WHICH }))?.agent;
  }

  /** Asks for a configured agent, if there are several. Undefined if the user pressed Escape. */
  async askConfigured(title: string): Promise<string | undefined> {
    const agents = await this.list();
    const [first, ...more] = agents;
    if (first === undefined)
      throw new Error("No agent is configured. Run 'Dartboard: Configure Agent…' first.");
    if (more.length === 0) return first.name;
    return (await pickOne(agentChoices(agents), { title, placeHolder: WHICH }))?.agent;
  }
}
