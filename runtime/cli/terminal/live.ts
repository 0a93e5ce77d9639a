// Draws frames over each other at one place of a terminal. The last frame and a visible cursor remain at the end.

import { renderLine, type StyledLine } from './line.ts';

export interface TerminalStream {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

const HIDE = '\x1b[?25l';
const SHOW = '\x1b[?25h';
/** Synchronised output: the terminal shows the frame once it is whole. Other terminals ignore it. */
const [BEGIN, END] = ['\x1b[?2026h', '\x1b[?2026l'];
/** Off in a frame: characters that take two columns would wrap a line of it, and the next frame would begin too low. */
const [NO_WRAP, WRAP] = ['\x1b[?7l', '\x1b[?7h'];
const CLEAR_BELOW = '\x1b[0J';
const CLEAR_LINE_END = '\x1b[0K';
const CLEAR_ALL = '\x1b[2J\x1b[H';

export class LiveDisplay {
  readonly #terminal: TerminalStream;
  readonly #colour: boolean;
  readonly #resized = (): void => {
    // The terminal has re-wrapped the last frame.
    this.#again = true;
  };
  readonly #exit = (): void => this.end();
  #shown: readonly string[] = [];
  /** The last lines above the frames, as many as the terminal has rows. */
  #above: readonly string[] = [];
  #again = false;
  #isOver = false;

  constructor(terminal: TerminalStream, colour: boolean) {
    this.#terminal = terminal;
    this.#colour = colour;
    terminal.on('resize', this.#resized);
    // However the process ends, the terminal gets its cursor back.
    process.once('exit', this.#exit);
    terminal.write(HIDE);
  }

  get size(): { readonly columns: number; readonly rows: number } {
    return { columns: this.#terminal.columns || 80, rows: this.#terminal.rows || 24 };
  }

  show(lines: readonly StyledLine[]): void {
    const texts = lines.map(line => renderLine(line, this.#colour));
    const before = this.#shown;
    if (!this.#again && texts.length === before.length && texts.every((text, at) => text === before[at]))
      return;
    const cleared = this.#again ? `${CLEAR_ALL}${this.#above.join('')}` : '';
    const home = this.#again ? '' : this.#home();
    const frame = texts.map(text => `${text}${CLEAR_LINE_END}\n`).join('');
    this.#terminal.write(`${BEGIN}${cleared}${NO_WRAP}${home}${frame}${CLEAR_BELOW}${WRAP}${END}`);
    this.#shown = texts;
    this.#again = false;
  }

  /** Prints lines that stay above all later frames. */
  above(lines: readonly StyledLine[]): void {
    const texts = lines.map(line => `${renderLine(line, this.#colour)}\n`);
    this.#above = [...this.#above, ...texts].slice(-this.size.rows);
    // It clears first: behind a line that fills its row, that would erase the last character.
    this.#terminal.write(`${BEGIN}${this.#home()}${CLEAR_BELOW}${texts.join('')}${END}`);
    this.#shown = [];
  }

  /** Moves to the first line of the last frame. */
  #home(): string {
    return this.#shown.length === 0 ? '' : `\x1b[${this.#shown.length}A\r`;
  }

  /** Repeated calls have no effect. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    process.off('exit', this.#exit);
    this.#terminal.off('resize', this.#resized);
    this.#terminal.write(SHOW);
  }
}
