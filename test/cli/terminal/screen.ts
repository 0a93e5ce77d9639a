// A terminal that remembers what was written to it.

import type { Output } from '../../../runtime/cli/terminal/output.ts';

export class Screen implements Output {
  isTTY = true;
  columns = 80;
  rows = 24;
  written: string[] = [];
  readonly #listeners = new Set<() => void>();

  write(text: string): void {
    this.written.push(text);
  }
  on(_: 'resize', listener: () => void): void {
    this.#listeners.add(listener);
  }
  off(_: 'resize', listener: () => void): void {
    this.#listeners.delete(listener);
  }
  resize(columns: number): void {
    this.columns = columns;
    for (const listener of this.#listeners) listener();
  }
  get listeners(): number {
    return this.#listeners.size;
  }
  get text(): string {
    return this.written.join('');
  }
}

/** What takes the place of a terminal where the output goes to a file. */
export function file(): Screen {
  const screen = new Screen();
  screen.isTTY = false;
  return screen;
}
