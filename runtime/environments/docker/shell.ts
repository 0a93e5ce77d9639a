// A persistent shell in a container: one `sh` on one stream runs commands one after another, in milliseconds. A new process per command
// takes fifty. Random marks, which no command can read, delimit each result in the stream.

import { DeadlineExceeded, withDeadline } from '../../core/deadline.ts';
import { BoundaryError } from '../../core/failure.ts';
import { quotePath, shellQuote } from '../command.ts';
import type { ByteStream, ConnectionOptions } from './streams.ts';

export interface CommandResult {
  /** The exit code as a shell counts it: above 128 for a signal. */
  readonly code: number;
  readonly output: Uint8Array;
  readonly errors: Uint8Array;
  /** Output or errors exceeded the limit. */
  readonly isCut: boolean;
}

export interface RunOptions {
  /** The command and its session are killed after this time. */
  readonly timeoutMs?: number;
  /** The limit of output and of errors, each. */
  readonly maxBytes?: number;
}

export interface ContainerShellOptions extends ConnectionOptions {
  /** Starts an `sh` in the container, without a terminal. */
  readonly open: () => ByteStream;
  /** A new, unguessable word of letters and digits. */
  readonly secret: () => string;
}

/** The limit of OSWorld. */
const COMMAND_TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 8 << 20;
/** A machine with many busy desktops can need seconds. */
const START_TIMEOUT_MS = 15_000;

interface RunningShell {
  readonly stream: ByteStream;
  isOver: boolean;
  onData: (data: Uint8Array) => void;
  /** Of the command in work. */
  onEnd: () => void;
}

export class ContainerShell {
  readonly #options: ContainerShellOptions;
  #running: RunningShell | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #commands = 0;
  #isClosed = false;
  /** The process id of the shell: its session is killed with a hung command. */
  #pid = '';

  constructor(options: ContainerShellOptions) {
    this.#options = options;
  }

  /** Runs a command with `sh -c` and empty input, after all earlier ones. */
  run(command: string, options: RunOptions = {}): Promise<CommandResult> {
    const result = this.#last.then(() => this.#run(command, options));
    this.#last = result.catch(() => undefined); // The caller of that command gets the error.
    return result;
  }

  /** Pending commands reject. */
  close(): void {
    this.#isClosed = true;
    this.#running?.stream.close();
  }

  async #run(command: string, options: RunOptions): Promise<CommandResult> {
    const { timeoutMs = COMMAND_TIMEOUT_MS, maxBytes = MAX_OUTPUT_BYTES } = options;
    if (command.includes('\0')) throw this.#failure('task', `${excerpt(command)} contains a NUL; remove it`);
    const running = await this.#start();
    this.#commands += 1;
    const number = this.#commands;
    const script = (mark: string) => commandScript(command, number, maxBytes, mark);
    const result = await this.#send(running, script, timeoutMs, maxBytes);
    if (result !== 'late') return result;
    await this.#kill(running);
    throw new CommandTimeout(this.#options.thing, excerpt(command), timeoutMs);
  }

  /** A new shell if an agent has killed the last one. */
  async #start(): Promise<RunningShell> {
    if (this.#running !== undefined && !this.#running.isOver) return this.#running;
    const stream = this.#options.open();
    const running: RunningShell = { stream, isOver: false, onData: () => undefined, onEnd: () => undefined };
    this.#running = running;
    stream.onData(data => running.onData(data));
    void stream.closed.then(() => {
      running.isOver = true;
      running.onEnd();
    });
    if (this.#isClosed) stream.close();
    const result = await this.#send(running, greetingScript, START_TIMEOUT_MS);
    if (result === 'late') {
      stream.close();
      throw this.#failure(
        'environment',
        `no shell started within ${START_TIMEOUT_MS / 1000} s. Reset the desktop.`,
      );
    }
    this.#pid = Buffer.from(result.output).toString('latin1');
    return running;
  }

  /** If a new shell starts and kills the command, the desktop works and the command is at fault. */
  async #kill(running: RunningShell): Promise<void> {
    const pid = this.#pid;
    running.stream.close();
    running.isOver = true;
    const next = await this.#start();
    const script = (mark: string) => commandScript(killSession(pid), 0, MAX_OUTPUT_BYTES, mark);
    if ((await this.#send(next, script, START_TIMEOUT_MS)) === 'late')
      throw this.#failure('environment', 'a hung command could not be killed. Reset the desktop.');
  }

  /** Rejects if the stream ends first: nobody knows whether the command ran. */
  async #send(
    running: RunningShell,
    script: (mark: string) => string,
    timeoutMs: number,
    maxBytes = MAX_OUTPUT_BYTES,
  ): Promise<CommandResult | 'late'> {
    const mark = this.#options.secret();
    const result = new Promise<CommandResult>((resolve, reject) => {
      running.onData = resultReader(mark, maxBytes, resolve);
      const ended = () =>
        this.#failure('environment', 'its shell ended during a command. Reset the desktop.');
      // One that has ended reports nothing any more. A reaction of `closed` for each command would keep its output.
      if (running.isOver) reject(ended());
      running.onEnd = () => reject(ended());
      running.stream.write(Buffer.from(script(mark)));
    });
    try {
      return await withDeadline(result, { what: 'command', ms: timeoutMs, clock: this.#options.clock });
    } catch (error) {
      if (error instanceof DeadlineExceeded) return 'late';
      throw error;
    } finally {
      running.onData = () => undefined;
      running.onEnd = () => undefined;
    }
  }

  #failure(boundary: 'environment' | 'task', message: string): BoundaryError {
    return new BoundaryError({ boundary, thing: this.#options.thing, message });
  }
}

export class CommandTimeout extends BoundaryError {
  constructor(thing: string, command: string, timeoutMs: number) {
    const message = `${command} did not end within ${timeoutMs / 1000} s and was killed`;
    super({ boundary: 'task', thing, message });
  }
}

const excerpt = (command: string): string =>
  JSON.stringify(command.length > 80 ? `${command.slice(0, 80)}…` : command);

/** In memory, and invisible in the folders of the desktop. */
const FOLDER = '/dev/shm/.dartboard';

/** The first script of a shell. Its output is the process id. */
const greetingScript = (mark: string): string =>
  `mkdir -p -m 700 ${FOLDER}; cd; printf '%s:%s%s:%s=0\\n' ${mark} $$ ${mark} ${mark}\n`;

/** The output goes through files, so that a program in the background does not keep the stream open. */
function commandScript(command: string, number: number, maxBytes: number, mark: string): string {
  const [output, errors] = [`${FOLDER}/$$-${number}-output`, `${FOLDER}/$$-${number}-errors`];
  const print = (file: string): string => `printf %s: ${mark}; head -c ${maxBytes + 1} ${file}`;
  return (
    `{ sh -c ${shellQuote(command)} </dev/null >${output} 2>${errors}; code=$?; ` +
    `${print(output)}; ${print(errors)}; printf '%s=%s\\n' ${mark} $code; rm -f ${output} ${errors}; }\n`
  );
}

/**
 * Kills a shell with all processes of its session, because a command can create process groups. Uses only shell builtins, because the
 * desktop can be at its process limit.
 */
const killSession = (shell: string): string =>
  `for file in /proc/[0-9]*/stat; do { read -r line <$file; } 2>/dev/null || continue; set -- \${line##*) }; ` +
  `[ "$4" = ${shell} ] && kill -KILL \${line%% *}; done; rm -f ${FOLDER}/${shell}-*`;

/** The longest possible last line: the mark is added to it. */
const LAST_LINE_BYTES = 64;

/** Reads one result from pieces of any size, and emits it after its last mark. */
export function resultReader(
  mark: string,
  maxBytes: number,
  emit: (result: CommandResult) => void,
): (piece: Uint8Array) => void {
  const pieces: Uint8Array[] = [];
  const last = new RegExp(`${mark}=(\\d+)\\n$`);
  let end = '';
  return piece => {
    pieces.push(piece);
    // Only the last mark is followed by '='. Each output is preceded by a mark and ':'.
    const tail = Buffer.from(piece.subarray(-LAST_LINE_BYTES)).toString('latin1');
    end = (end + tail).slice(-mark.length - LAST_LINE_BYTES);
    const code = last.exec(end)?.[1];
    if (code !== undefined) emit(parseResult(Buffer.concat(pieces), mark, Number(code), maxBytes));
  };
}

function parseResult(all: Buffer, mark: string, code: number, maxBytes: number): CommandResult {
  const first = all.indexOf(mark);
  const second = all.indexOf(mark, first + mark.length);
  const output = all.subarray(first + mark.length + 1, second);
  const errors = all.subarray(second + mark.length + 1, all.lastIndexOf(mark));
  return {
    code,
    output: output.subarray(0, maxBytes),
    errors: errors.subarray(0, maxBytes),
    isCut: output.length > maxBytes || errors.length > maxBytes,
  };
}

const MAX_FILE_BYTES = 64 << 20;
/** Bytes per command: Linux limits an argument to 128 KB, and base64 adds a third. */
const PIECE_BYTES = 60_000;

/**
 * Writes a file and creates its folders. Goes through the shell, because the engine's archives do not reach folders in memory such as
 * the home. The path is absolute, or relative to the home with or without `~/`.
 */
export async function writeFile(shell: ContainerShell, path: string, data: Uint8Array): Promise<void> {
  const word = quotePath(path);
  const run = async (command: string) => {
    const { code, errors } = await shell.run(command);
    if (code === 0) return;
    const message = `cannot write ${path}: ${textOf(errors)}`;
    throw new BoundaryError({ boundary: 'task', thing: 'files', message });
  };
  await run(`mkdir -p -- "$(dirname -- ${word})" && : >${word}`);
  for (let at = 0; at < data.length; at += PIECE_BYTES) {
    const text = Buffer.from(data.subarray(at, at + PIECE_BYTES)).toString('base64');
    await run(`printf %s ${text} | base64 -d >>${word}`);
  }
}

/** A file that is there and cannot be read: its owner forbids it, or it is too large. */
export class UnreadableFile extends BoundaryError {
  constructor(path: string, why: string) {
    super({ boundary: 'task', thing: 'files', message: `cannot read ${path}: ${why}` });
  }
}

/** Exit codes of the command that reads a file. */
const IS_MISSING = 3;
const IS_DENIED = 4;
const IS_LARGE = 5;

/** Undefined if there is no regular file. Rejects with UnreadableFile. */
export async function readFile(
  shell: Pick<ContainerShell, 'run'>,
  path: string,
): Promise<Uint8Array | undefined> {
  const word = quotePath(path);
  const command = `[ -f ${word} ] || exit ${IS_MISSING}; [ -r ${word} ] || exit ${IS_DENIED}
    size=$(wc -c <${word}); [ "$size" -le ${MAX_FILE_BYTES} ] || { echo $size; exit ${IS_LARGE}; }
    exec cat -- ${word}`;
  const { code, output, errors, isCut } = await shell.run(command, { maxBytes: MAX_FILE_BYTES });
  if (code === IS_MISSING) return undefined;
  if (code === IS_DENIED) throw new UnreadableFile(path, 'permission denied');
  if (code === IS_LARGE)
    throw new UnreadableFile(path, `it has ${textOf(output)} bytes, the limit is ${MAX_FILE_BYTES}`);
  if (isCut) throw new UnreadableFile(path, `it grew beyond the limit of ${MAX_FILE_BYTES} bytes`);
  if (code === 0) return output;
  throw new UnreadableFile(path, textOf(errors) || `cat failed with code ${code}`);
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString().trim();
