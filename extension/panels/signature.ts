// The name that the panels sign remarks with. All panels share it, since each person has one vote; the state of the extension keeps it.

/** `Memento` of VS Code. */
interface State {
  get<T>(id: string, missing: T): T;
  update(id: string, value: unknown): PromiseLike<void>;
}

type Listener = () => void;

const KEY = 'dartboard.signature';

export class Signature {
  readonly #state: State;
  readonly #listeners = new Set<Listener>();

  constructor(state: State) {
    this.#state = state;
  }

  /** Empty if the user has typed none. */
  get who(): string {
    return this.#state.get(KEY, '');
  }

  listen(listener: Listener): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Calls all listeners but the one of the page in which the user types. */
  change(who: string, by: Listener): void {
    void this.#state.update(KEY, who);
    for (const listener of this.#listeners) if (listener !== by) listener();
  }
}
