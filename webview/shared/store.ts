// A state that only a reducer changes. The renderer is called at most once per animation frame.

export class Store<State, Event> {
  readonly #reduce: (state: State, event: Event) => State;
  readonly #render: (state: State, before: State) => void;
  #state: State;
  #rendered: State;
  #isScheduled = false;

  constructor(
    initial: State,
    reduce: (state: State, event: Event) => State,
    render: (state: State, before: State) => void,
  ) {
    this.#state = initial;
    this.#rendered = initial;
    this.#reduce = reduce;
    this.#render = render;
  }

  get state(): State {
    return this.#state;
  }

  dispatch(event: Event): void {
    const next = this.#reduce(this.#state, event);
    if (next === this.#state) return;
    this.#state = next;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      const before = this.#rendered;
      this.#rendered = this.#state;
      this.#render(this.#state, before);
    });
  }
}
