// API keys in the secret storage of VS Code. A key belongs to one folder, or to the agents of the user's settings: the dartboard.json of
// another folder, which may come from somebody else, cannot send it to a server. The names of the keys are in the state of the workspace or
// of the extension, because the storage does not list them.

import { nameOfVariable } from './variable.ts';

/** `SecretStorage` of VS Code. */
interface Secrets {
  get(id: string): PromiseLike<string | undefined>;
  store(id: string, value: string): PromiseLike<void>;
  delete(id: string): PromiseLike<void>;
}

/** `Memento` of VS Code. */
interface State {
  get<T>(id: string, missing: T): T;
  update(id: string, value: unknown): PromiseLike<void>;
}

export interface KeyStoreOptions {
  readonly secrets: Secrets;
  readonly state: State;
  /** The folder; empty for the keys of the user. */
  readonly owner: string;
}

const NAMES = 'dartboard.keys';

export class KeyStore {
  readonly #options: KeyStoreOptions;

  constructor(options: KeyStoreOptions) {
    this.#options = options;
  }

  /** In alphabetical order. */
  get names(): readonly string[] {
    return this.#options.state.get<readonly string[]>(NAMES, []);
  }

  get(name: string): PromiseLike<string | undefined> {
    return this.#options.secrets.get(this.#id(name));
  }

  /** The names change first: the storage reports a change, and listeners read the names. */
  async set(name: string, key: string): Promise<void> {
    const { secrets, state } = this.#options;
    await state.update(NAMES, [...new Set([...this.names, name])].sort());
    await secrets.store(this.#id(name), key);
  }

  async forget(name: string): Promise<void> {
    const { secrets, state } = this.#options;
    await state.update(
      NAMES,
      this.names.filter(each => each !== name),
    );
    await secrets.delete(this.#id(name));
  }

  /** The environment variables of these keys, without those that are not stored. `nameOf`: the name for the program. */
  async environment(
    names: readonly string[],
    nameOf = (name: string): string => name,
  ): Promise<Readonly<Record<string, string>>> {
    const values = await Promise.all(
      names.map(async name => [nameOfVariable(nameOf(name)), await this.get(name)] as const),
    );
    return Object.fromEntries(
      values.flatMap(([variable, key]) => (key === undefined ? [] : [[variable, key] as const])),
    );
  }

  #id(name: string): string {
    return JSON.stringify([this.#options.owner, name]);
  }
}
