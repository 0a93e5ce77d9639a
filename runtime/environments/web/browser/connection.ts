// The CDP connection to a browser over its debugging pipe: matches replies with commands, enforces deadlines, and routes events to sessions.

import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../../core/clock.ts';
import { BoundaryError } from '../../../core/failure.ts';
import { parsedJson } from '../../../core/json.ts';
import { MessageSplitter } from './messages.ts';
import type { CdpCommands, CdpEvents, CdpSession } from './session.ts';

const REPLY_TIMEOUT_MS = 10_000;
/** Of a browser that has not answered a command. */
const VERSION_TIMEOUT_MS = 5_000;
/** One timer for all commands: a timer per command would cost more than most commands. */
const CHECK_MS = 500;
const MAX_ERROR_CHARACTERS = 500;

const BROWSER_SESSION = '';

interface PendingCommand {
  readonly session: string;
  readonly method: string;
  readonly expires: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly sessionId?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

export const browserError = (message: string): BoundaryError =>
  new BoundaryError({ boundary: 'environment', thing: 'browser', message });

/** The texts of Chromium when a document is replaced during a call. */
export const isDocumentGone = (error: unknown): boolean =>
  error instanceof BoundaryError &&
  /context was destroyed|Cannot find context|navigated or closed/.test(error.failure.message);

interface PipeOptions {
  readonly input: Writable;
  readonly output: Readable;
  readonly clock: Clock;
  /** Called when the browser answers neither a command nor, after that, the question for its version. */
  readonly hung?: () => void;
}

export class Connection {
  readonly browser: TargetSession;
  readonly #input: Writable;
  readonly #clock: Clock;
  readonly #hung: () => void;
  readonly #sessions = new Map<string, TargetSession>();
  readonly #pending = new Map<number, PendingCommand>();
  readonly #ended = new AbortController();
  #isWatching = false;
  #isAsking = false;
  #id = 0;
  #unwritten = '';

  constructor({ input, output, clock, hung = () => undefined }: PipeOptions) {
    this.#input = input;
    this.#clock = clock;
    this.#hung = hung;
    const splitter = new MessageSplitter(text => this.#receive(text));
    output.on('data', (data: Buffer) => splitter.push(data));
    // The end of the process reports the reason.
    for (const stream of [input, output]) stream.on('error', () => undefined);
    this.browser = this.session(BROWSER_SESSION);
  }

  /** The session with an id that the browser assigned. */
  session(id: string): TargetSession {
    const existing = this.#sessions.get(id);
    if (existing !== undefined) return existing;
    const session = new TargetSession(id, this);
    this.#sessions.set(id, session);
    return session;
  }

  send(session: string, method: string, params: unknown, timeoutMs: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#id += 1;
      const expires = this.#clock.now() + timeoutMs;
      this.#pending.set(this.#id, { session, method, expires, resolve, reject });
      const target = session === BROWSER_SESSION ? {} : { sessionId: session };
      this.#write(`${JSON.stringify({ id: this.#id, method, params, ...target })}\0`);
      if (!this.#isWatching) void this.#watch();
    });
  }

  /** Rejects the commands of a session that wait for a reply. The session receives no more events. */
  endSession(id: string, reason: string): void {
    this.#sessions.delete(id);
    this.#reject(reason, command => command.session === id);
  }

  /** Ends all sessions. Repeated calls have no effect. */
  end(reason: string): void {
    this.#ended.abort();
    for (const session of [...this.#sessions.values()]) session.end(reason);
  }

  /** Commands that are sent together need one system call, and wake the browser once. */
  #write(text: string): void {
    if (this.#unwritten === '')
      process.nextTick(() => {
        this.#input.write(this.#unwritten);
        this.#unwritten = '';
      });
    this.#unwritten += text;
  }

  #receive(text: string): void {
    const message = parsedJson(text);
    if (typeof message !== 'object' || message === null) return;
    const { id, method, sessionId, params, result, error }: Message = message;
    if (typeof id === 'number') this.#settle(id, result, error);
    else if (typeof method === 'string')
      this.#sessions.get(typeof sessionId === 'string' ? sessionId : BROWSER_SESSION)?.emit(method, params);
  }

  #settle(id: number, result: unknown, error: unknown): void {
    const command = this.#pending.get(id);
    this.#pending.delete(id);
    if (error === undefined) command?.resolve(result);
    else command?.reject(browserError(`${command.method} failed: ${textOfError(error)}`));
  }

  #reject(reason: string, isMatch: (command: PendingCommand) => boolean): void {
    for (const [id, command] of this.#pending)
      if (isMatch(command)) {
        this.#pending.delete(id);
        command.reject(browserError(`${command.method} has no result: ${reason}`));
      }
  }

  async #watch(): Promise<void> {
    this.#isWatching = true;
    while (this.#pending.size > 0 && !this.#ended.signal.aborted) {
      // It rejects only at the end of the connection, which also ends the loop.
      await this.#clock.sleep(CHECK_MS, this.#ended.signal).catch(() => undefined);
      const now = this.#clock.now();
      // A page that hangs does not keep the browser from its own commands.
      const isLate = [...this.#pending.values()].some(
        ({ session, expires }) => session === BROWSER_SESSION && expires <= now,
      );
      if (isLate && !this.#isAsking) void this.#ask();
      this.#reject(
        'the browser did not reply in time. The page may be busy or blocked.',
        ({ expires }) => expires <= now,
      );
    }
    this.#isWatching = false;
  }

  /** A slow browser answers, a stopped one does not. */
  async #ask(): Promise<void> {
    this.#isAsking = true;
    const hasAnswered = await this.browser.sendWithin(VERSION_TIMEOUT_MS, 'Browser.getVersion').then(
      () => true,
      () => this.#ended.signal.aborted,
    );
    this.#isAsking = false;
    if (!hasAnswered) this.#hung();
  }
}

function textOfError(error: unknown): string {
  const { message, data }: { message?: unknown; data?: unknown } =
    typeof error === 'object' && error !== null ? error : {};
  return [message, data]
    .filter(part => typeof part === 'string')
    .join(' ')
    .slice(0, MAX_ERROR_CHARACTERS);
}

type Listener = (params: unknown) => void;

/** The session of one target. */
export class TargetSession implements CdpSession {
  readonly id: string;
  readonly #connection: Connection;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #onEnd = new Set<(reason: string) => void>();
  #endReason: string | undefined;

  constructor(id: string, connection: Connection) {
    this.id = id;
    this.#connection = connection;
  }

  get isOpen(): boolean {
    return this.#endReason === undefined;
  }

  send<Method extends keyof CdpCommands>(
    method: Method,
    ...params: CdpCommands[Method]['paramsType']
  ): Promise<CdpCommands[Method]['returnType']> {
    return this.sendWithin(REPLY_TIMEOUT_MS, method, ...params);
  }

  /** With another deadline. */
  async sendWithin<Method extends keyof CdpCommands>(
    timeoutMs: number,
    method: Method,
    ...[params]: CdpCommands[Method]['paramsType']
  ): Promise<CdpCommands[Method]['returnType']> {
    if (this.#endReason !== undefined) throw browserError(`${method} was not sent: ${this.#endReason}`);
    // The browser follows its protocol. What a page can choose in a result are texts, and their readers bound them.
    return this.#connection.send(this.id, method, params ?? {}, timeoutMs) as Promise<
      CdpCommands[Method]['returnType']
    >;
  }

  on<Event extends keyof CdpEvents>(
    event: Event,
    listener: (...params: CdpEvents[Event]) => void,
  ): () => void {
    const listeners = this.#listeners.get(event) ?? new Set<Listener>();
    this.#listeners.set(event, listeners);
    const call: Listener = params => listener(...([params] as unknown as CdpEvents[Event]));
    listeners.add(call);
    return () => listeners.delete(call);
  }

  /** Calls the listener once, when the session ends. Returns a function that removes it. */
  onEnd(listener: (reason: string) => void): () => void {
    this.#onEnd.add(listener);
    return () => this.#onEnd.delete(listener);
  }

  emit(event: string, params: unknown): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(params);
  }

  /** The first reason counts. */
  end(reason: string): void {
    if (this.#endReason !== undefined) return;
    this.#endReason = reason;
    this.#listeners.clear();
    this.#connection.endSession(this.id, reason);
    for (const listener of this.#onEnd) listener(reason);
  }
}
