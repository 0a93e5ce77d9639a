// A shell in a container that stays: one `sh` behind one stream runs commands one after another, in milliseconds, where a
// process of its own takes fifty. What the commands are for is not known here.

import type { Clock } from '../../core/clock.ts';
import { BoundaryError } from '../../core/failure.ts';
import { type CommandResult, endingOf, greeting, resultReader, scriptOf } from './shell-frame.ts';
import type { ByteStream } from './streams.ts';

export interface RunOptions {
  /** Milliseconds after which a command that still goes on is killed, and all that it started in its session. */
  readonly timeout?: number;
  /** Bytes of its output, and of its errors, that are read. */
  readonly most?: number;
}

export interface ContainerShellOptions {
  /** The desktop, in errors. */
  readonly thing: string;
  /** A new `sh` in the container, without a terminal. */
  readonly open: () => Promise<ByteStream>;
  readonly clock: Clock;
  /** A word of letters and digits that nobody can guess, another one each time. */
  readonly secret: () => string;
}

/** As long as OSWorld gives a command. */
const TIMEOUT = 120_000;
const MOST = 8 << 20;
/** For a shell to start: a machine that is busy with many desktops can take seconds. */
const START = 15_000;

interface Running {
  readonly stream: ByteStream;
  isOver: boolean;
  hear: (data: Uint8Array) => void;
}

export class ContainerShell {
  readonly #options: ContainerShellOptions;
  #running: Running | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #commands = 0;
  #isClosed = false;
  /** The process in the container: its session is what a command that hangs is killed by. */
  #pid = '';

  constructor(options: ContainerShellOptions) {
    this.#options = options;
  }

  /** Runs it by `sh -c`, after all that was asked before, with nothing to read. */
  run(command: string, options: RunOptions = {}): Promise<CommandResult> {
    const answer = this.#last.then(() => this.#run(command, options));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  /** What is under way rejects. */
  close(): void {
    this.#isClosed = true;
    this.#running?.stream.close();
  }

  async #run(command: string, { timeout = TIMEOUT, most = MOST }: RunOptions): Promise<CommandResult> {
    if (command.includes('\0')) throw this.#failure('task', `no command can hold a NUL: ${shown(command)}`);
    const running = await this.#started();
    this.#commands += 1;
    const number = this.#commands;
    const answer = await this.#asked(running, mark => scriptOf(command, number, most, mark), timeout, most);
    if (answer !== 'late') return answer;
    await this.#killed(running);
    throw this.#failure('task', `${shown(command)} was not done within ${timeout / 1000} s, and was killed`);
  }

  /** The shell, a new one where an agent has ended the last. */
  async #started(): Promise<Running> {
    if (this.#running !== undefined && !this.#running.isOver) return this.#running;
    const stream = await this.#options.open();
    const running: Running = { stream, isOver: false, hear: () => undefined };
    this.#running = running;
    stream.onData(data => running.hear(data));
    void stream.closed.then(() => {
      running.isOver = true;
    });
    if (this.#isClosed) stream.close();
    const answer = await this.#asked(running, greeting, START, MOST);
    if (answer === 'late') {
      stream.close();
      throw this.#failure('environment', `no shell started within ${START / 1000} s: reset the desktop`);
    }
    this.#pid = Buffer.from(answer.output).toString('latin1');
    return running;
  }

  /** That another shell comes about, and says so, shows that the desktop is well and the command was at fault. */
  async #killed(running: Running): Promise<void> {
    const pid = this.#pid;
    running.stream.close();
    running.isOver = true;
    const next = await this.#started();
    const ending = (mark: string) => scriptOf(endingOf(pid), 0, MOST, mark);
    if ((await this.#asked(next, ending, START, MOST)) === 'late') {
      throw this.#failure('environment', 'a command that hangs could not be killed: reset the desktop');
    }
  }

  /** A stream that ends first rejects: whether the command was done, nobody knows. */
  async #asked(
    running: Running,
    script: (mark: string) => string,
    timeout: number,
    most: number,
  ): Promise<CommandResult | 'late'> {
    const mark = this.#options.secret();
    const waiting = new AbortController();
    try {
      return await new Promise((resolve, reject) => {
        running.hear = resultReader(mark, most, resolve);
        const { stream } = running;
        void stream.closed.then(() => reject(this.#failure('environment', ENDED)));
        this.#options.clock.sleep(timeout, waiting.signal).then(
          () => resolve('late'),
          () => undefined,
        );
        stream.write(Buffer.from(script(mark)));
      });
    } finally {
      waiting.abort();
      running.hear = () => undefined;
    }
  }

  #failure(boundary: 'environment' | 'task', message: string): BoundaryError {
    return new BoundaryError({ boundary, thing: this.#options.thing, message });
  }
}

const ENDED = 'its shell ended in the middle of a command: reset the desktop';

const shown = (command: string): string =>
  JSON.stringify(command.length > 80 ? `${command.slice(0, 80)}…` : command);
