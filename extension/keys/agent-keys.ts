// The keys of the agents that a folder can use: those of the folder for the agents of its dartboard.json, and those of the user for the
// agents of the user's settings.

import { agentsOf, type ConfiguredAgent, secretsOf } from '../agents/configured-agents.ts';
import { type UserSettings, type Variables, variablesOf, withKeyNames } from '../settings/user-settings.ts';
import type { KeyStore } from './key-store.ts';

export interface AgentKeysOptions {
  readonly folder: KeyStore;
  readonly user: KeyStore;
  readonly settings: () => UserSettings;
  /** Letters, digits and underscores, which nobody can guess. */
  readonly random: () => string;
}

/** With the random part, the name of a key is within the limit of dartboard.json. */
const MAX_NAME_LENGTH = 60;

export class AgentKeys {
  readonly folder: KeyStore;
  readonly user: KeyStore;
  readonly #options: AgentKeysOptions;

  constructor(options: AgentKeysOptions) {
    this.folder = options.folder;
    this.user = options.user;
    this.#options = options;
  }

  /** Whether a key of these agents is stored. */
  hasAny(agents: readonly ConfiguredAgent[]): boolean {
    return agents.some(agent => secretsOf([agent]).some(name => this.#storeOf(agent).names.includes(name)));
  }

  /**
   * The variables of a program that uses these agents: their keys, and the user's settings. The program gets a key of the user under a name
   * that is new each time: the dartboard.json of a folder can name a key of the user, but not this one.
   */
  async variablesFor(agents: readonly ConfiguredAgent[]): Promise<Variables> {
    const { settings, random } = this.#options;
    const ofUser = secretsOf(agents.filter(each => this.#storeOf(each) === this.user));
    const ofFolder = secretsOf(agents.filter(each => this.#storeOf(each) === this.folder));
    const stored = ofUser.filter(name => this.user.names.includes(name));
    const names = new Map(
      stored.map(name => [name, `${name.slice(0, MAX_NAME_LENGTH)}_${random()}`] as const),
    );
    const nameOf = (name: string): string => names.get(name) ?? name;
    return {
      ...(await this.folder.environment(ofFolder)),
      ...variablesOf(withKeyNames(settings(), nameOf)),
      ...(await this.user.environment(stored, nameOf)),
    };
  }

  /**
   * The variables of the daemon. It reads dartboard.json again for each run, so it gets all keys of the folder, also if the file is invalid
   * now.
   */
  async variablesForDaemon(listAgents: () => Promise<readonly ConfiguredAgent[]>): Promise<Variables> {
    const agents = await listAgents().catch(() => agentsOf({}, this.#options.settings().agents));
    return {
      ...(await this.folder.environment(this.folder.names)),
      ...(await this.variablesFor(agents)),
    };
  }

  #storeOf({ isOfUser }: ConfiguredAgent): KeyStore {
    return isOfUser === true ? this.user : this.folder;
  }
}
