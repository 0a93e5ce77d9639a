// Which tab of a window is in front. Pure state.

/** Tabs in the order of their creation, like those of a window. */
export class TabOrder<Tab> {
  #tabs: readonly Tab[] = [];
  /** The tabs by when they were in front last; the last one is in front now. */
  #recent: readonly Tab[] = [];
  #changes = 0;

  get tabs(): readonly Tab[] {
    return this.#tabs;
  }

  get front(): Tab | undefined {
    return this.#recent.at(-1);
  }

  /** How often another tab came to the front. */
  get changes(): number {
    return this.#changes;
  }

  /** A new tab is in front. */
  add(tab: Tab): void {
    this.#tabs = [...this.#tabs, tab];
    this.show(tab);
  }

  show(tab: Tab): void {
    this.#setRecent([...this.#recent.filter(other => other !== tab), tab]);
  }

  /** The tab that was in front before comes to the front again. */
  remove(tab: Tab): void {
    this.#tabs = this.#tabs.filter(other => other !== tab);
    this.#setRecent(this.#recent.filter(other => other !== tab));
  }

  /** The next or previous tab, from the last to the first. */
  neighbour(step: 1 | -1): Tab | undefined {
    const { front } = this;
    return front === undefined
      ? undefined
      : this.#tabs.at((this.#tabs.indexOf(front) + step) % this.#tabs.length);
  }

  #setRecent(recent: readonly Tab[]): void {
    if (recent.at(-1) !== this.front) this.#changes += 1;
    this.#recent = recent;
  }
}
