// The model of a run as a joined host sees it. Its servers, their keys and the limits are with the machine of the daemon, so each request
// becomes a question over the channels.

import type { ChatReply } from '../../core/chat.ts';
import { BoundaryError } from '../../core/failure.ts';
import type { ModelAnswer, ModelAsk } from '../../core/model-question.ts';
import type { ChatModel, ChatRequest } from '../../endpoints/chat.ts';
import { ChannelClosed } from '../../fabric/channels.ts';
import type { Fabric } from '../../fabric/fabric.ts';

export interface AskedModelOptions {
  readonly fabric: Pick<Fabric, 'questions' | 'answers'>;
  /** Unique: the process before this one may have asked, too. */
  readonly asker: string;
}

interface OpenQuestion {
  readonly resolve: (reply: ChatReply) => void;
  readonly reject: (error: Error) => void;
}

export class AskedModel implements ChatModel {
  readonly #options: AskedModelOptions;
  readonly #open = new Map<string, OpenQuestion>();
  readonly #stop = new AbortController();
  readonly #taking: Promise<void>;
  #count = 0;

  constructor(options: AskedModelOptions) {
    this.#options = options;
    this.#taking = this.#take();
  }

  async complete({ messages, images, sampling, session, signal }: ChatRequest): Promise<ChatReply> {
    signal.throwIfAborted();
    const shown = messages.flatMap(({ parts }) =>
      parts.flatMap(part => (part.type === 'image' ? [[part.sha256, images(part.sha256)] as const] : [])),
    );
    const id = this.#nextId();
    const answered = new Promise<ChatReply>((resolve, reject) => this.#open.set(id, { resolve, reject }));
    const abandon = () => this.#open.get(id)?.reject(signal.reason);
    signal.addEventListener('abort', abandon, { once: true });
    try {
      this.#ask(id, {
        ...{ kind: 'complete', messages, sampling, session },
        images: Object.fromEntries(shown),
      });
      return await answered;
    } finally {
      signal.removeEventListener('abort', abandon);
      this.#open.delete(id);
    }
  }

  end(session: string): void {
    this.#ask(this.#nextId(), { kind: 'end', session });
  }

  /** Open questions stay without an answer. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#taking;
  }

  #nextId(): string {
    return `${this.#options.asker}-${++this.#count}`;
  }

  #ask(id: string, ask: ModelAsk): void {
    this.#options.fabric.questions.put({ id, ask }).catch(error => this.#open.get(id)?.reject(error));
  }

  async #take(): Promise<void> {
    const taker = this.#options.fabric.answers.taker();
    try {
      for (;;) {
        const { item, acknowledge } = await taker.take(this.#stop.signal);
        this.#settle(item);
        await acknowledge();
      }
    } catch (error) {
      const reason = this.#stop.signal.aborted ? new ChannelClosed(CLOSED) : (error as Error);
      for (const { reject } of this.#open.values()) reject(reason);
    } finally {
      await taker.close();
    }
  }

  #settle(answer: ModelAnswer): void {
    const open = this.#open.get(answer.question);
    if ('failure' in answer) open?.reject(new BoundaryError(answer.failure));
    else open?.resolve(answer.reply);
  }
}

const CLOSED = 'The host has ended, and with it its questions to the model.';
