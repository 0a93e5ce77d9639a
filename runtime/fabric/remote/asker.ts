// Asks the other side of a port, and matches its answers to what was asked. What the answers mean is the channels' affair.

import { ChannelClosed } from '../channels.ts';
import type { CallName, Calls, Request, ToClient, ToServer } from './messages.ts';
import type { Port } from './port.ts';

/** What can be said about one channel whose values are T. */
export interface Asks<T> {
  readonly channel: string;
  /** From when this side leaves, before the other side hears of it. */
  hasLeft(): boolean;
  /** A number that nothing else of this side has. */
  number(): number;
  ask<C extends CallName>(call: C, takes: Calls<T>[C]['takes']): Promise<Calls<T>[C]['gives']>;
  tell<C extends CallName>(call: C, takes: Calls<T>[C]['takes']): void;
}

/** What went wrong on the other side, under the name that it has there. */
class RemoteError extends Error {
  override readonly name: string;
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

interface Pending {
  readonly what: string;
  readonly resolve: (gives: never) => void;
  readonly reject: (reason: unknown) => void;
}

export class Asker {
  readonly #port: Port;
  readonly #pending = new Map<number, Pending>();
  /** Resolves when nothing is answered any more. */
  readonly #ended: Promise<void>;
  #numbers = 0;
  /** Why nothing can be asked any more. */
  #over: string | undefined;

  constructor(port: Port) {
    this.#port = port;
    this.#ended = new Promise(resolve => {
      const end = (why: string) => {
        this.#over ??= why;
        for (const { what, reject } of this.#pending.values())
          reject(unanswered(what, `${why}; whether it was done is not known`));
        this.#pending.clear();
        resolve();
      };
      port.receive(message => {
        const answer = message as ToClient;
        if (answer.kind === 'left') end(LEFT);
        else this.#settle(answer);
      });
      port.closed(() => end(CLOSED));
    });
  }

  of<T>(channel: string): Asks<T> {
    return {
      channel,
      hasLeft: () => this.#over === LEFT,
      number: () => ++this.#numbers,
      ask: (call, takes) =>
        new Promise((resolve, reject) => {
          const what = `${channel}.${call}`;
          if (this.#over !== undefined) return reject(unanswered(what, this.#over));
          const id = ++this.#numbers;
          this.#pending.set(id, { what, resolve, reject });
          this.#port.send({ kind: 'ask', id, channel, call, takes } as Request, error => {
            this.#pending.delete(id);
            reject(error);
          });
        }),
      tell: (call, takes) => {
        if (this.#over !== undefined) return;
        this.#port.send({ kind: 'tell', id: ++this.#numbers, channel, call, takes } as Request);
      },
    };
  }

  /** After what was asked so far. Resolves once everything is given back; may be called more than once. */
  async leave(): Promise<void> {
    if (this.#over === undefined) {
      this.#over = LEFT;
      this.#port.send({ kind: 'leave' } satisfies ToServer);
    }
    await this.#ended;
  }

  #settle(answer: Exclude<ToClient, { kind: 'left' }>): void {
    const pending = this.#pending.get(answer.id);
    if (pending === undefined) return;
    this.#pending.delete(answer.id);
    if (answer.kind === 'gives') pending.resolve(answer.gives as never);
    else if (answer.name === 'ChannelClosed') pending.reject(new ChannelClosed(answer.message));
    else pending.reject(new RemoteError(answer.name, answer.message));
  }
}

const LEFT = 'this side has left the fabric';
const CLOSED = 'the connection to the fabric has closed';

const unanswered = (what: string, why: string): ChannelClosed =>
  new ChannelClosed(`'${what}' has no answer: ${why}.`);
