// A state that only a reducer changes; who draws it is told at most once a frame of the display.

export class Store<State, Event> {
  readonly #reduce: (state: State, event: Event) => State;
  readonly #changed: (state: State, before: State) => void;
  #state: State;
  #drawn: State;
  #isWaiting = false;

  constructor(
    initial: State,
    reduce: (state: State, event: Event) => State,
    changed: (state: State, before: State) => void,
  ) {
    this.#state = initial;
    this.#drawn = initial;
    this.#reduce = reduce;
    this.#changed = changed;
  }

  get state(): State {
    return this.#state;
  }

  tell(event: Event): void {
    const next = this.#reduce(this.#state, event);
    if (next === this.#state) return;
    this.#state = next;
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    requestAnimationFrame(() => {
      this.#isWaiting = false;
      const before = this.#drawn;
      this.#drawn = this.#state;
      this.#changed(this.#state, before);
    });
  }
}
