// The agents of the open folder, and the question for one of them.

import * as vscode from 'vscode';
import { COMPACT_AGENT } from '../../runtime/core/agent.ts';
import { readConfigFile } from '../config-file.ts';
import { agentChoices } from './choices.ts';
import { type ConfiguredAgent, configuredAgents } from './configured.ts';

export class FolderAgents {
  readonly #folder: string;
  readonly #hasWeights: () => boolean;

  /** `hasWeights`: whether the folder has a run with weights. */
  constructor(folder: string, hasWeights: () => boolean) {
    this.#folder = folder;
    this.#hasWeights = hasWeights;
  }

  async list(): Promise<readonly ConfiguredAgent[]> {
    return configuredAgents(await readConfigFile(this.#folder));
  }

  /** The agent of dartboard.json with that name. */
  async find(name: string): Promise<ConfiguredAgent> {
    const agent = (await this.list()).find(each => each.name === name);
    if (agent !== undefined) return agent;
    throw new Error(`dartboard.json has no agent '${name}'. Save the file, or configure the agent.`);
  }

  /**
   * Asks for an agent: `compact` or one of dartboard.json. Without agents in dartboard.json, `compact` is the only one, and there is no
   * question. Undefined if the user pressed Escape.
   */
  async ask(title: string): Promise<string | undefined> {
    const agents = await this.list();
    if (agents.length === 0) return COMPACT_AGENT;
    const choices = agentChoices(agents, this.#hasWeights());
    const options = { title, placeHolder: 'Which agent?', ignoreFocusOut: true };
    return (await vscode.window.showQuickPick([...choices], options))?.agent;
  }

  /** Asks for an agent of dartboard.json, if there are several. Undefined if the user pressed Escape. */
  async askConfigured(title: string): Promise<string | undefined> {
    const agents = await this.list();
    const [first, ...more] = agents;
    if (first === undefined)
      throw new Error("dartboard.json has no agents. Run 'Dartboard: Configure Agent…' first.");
    if (more.length === 0) return first.name;
    const options = { title, placeHolder: 'Which agent?', ignoreFocusOut: true };
    return (await vscode.window.showQuickPick([...agentChoices(agents, false)], options))?.agent;
  }
}
