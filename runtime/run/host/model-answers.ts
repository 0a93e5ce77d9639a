// Answers the questions of joined hosts: the host on the machine of the daemon asks the servers of the model for them. Its router treats
// them as it does the requests of its own episodes, with the same limits and the same record of weights.

import { failureOf } from '../../core/failure.ts';
import type { ModelAsk, ModelQuestion } from '../../core/model-question.ts';
import { untilAborted } from '../../core/run-together.ts';
import type { ChatModel, ChatRequest } from '../../endpoints/chat.ts';
import type { Taken } from '../../fabric/channels.ts';
import type { Fabric } from '../../fabric/fabric.ts';

type Channels = Pick<Fabric, 'questions' | 'answers'>;

/** Until the signal is aborted. Questions without an answer then return to the channel. Without a model, nobody asks. */
export async function answerQuestions(
  channels: Channels,
  chat: ChatModel | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (chat === undefined) return untilAborted(signal);
  const taker = channels.questions.taker();
  const answering = new Answering(channels, chat, signal);
  try {
    for (;;) {
      const taken = await taker.take(signal);
      // A closed channel ends this loop as well.
      answering.answer(taken).catch(() => undefined);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    answering.stop();
    await taker.close();
  }
}

class Answering {
  readonly #channels: Channels;
  readonly #chat: ChatModel;
  readonly #signal: AbortSignal;
  /** Of sessions with open questions. */
  readonly #sessions = new Map<string, AbortController>();

  constructor(channels: Channels, chat: ChatModel, signal: AbortSignal) {
    this.#channels = channels;
    this.#chat = chat;
    this.#signal = signal;
  }

  async answer({ item, acknowledge }: Taken<ModelQuestion>): Promise<void> {
    const { id: question, ask } = item;
    if (ask.kind === 'end') {
      this.#end(ask.session);
      return acknowledge();
    }
    const session = this.#sessionOf(ask.session);
    try {
      const reply = await this.#chat.complete(requestOf(ask, session));
      await this.#channels.answers.put({ question, reply });
    } catch (error) {
      // The taker gives it back.
      if (this.#signal.aborted) return;
      if (!session.aborted)
        await this.#channels.answers.put({ question, failure: failureOf(error, 'provider', ask.session) });
    }
    await acknowledge();
  }

  stop(): void {
    for (const session of this.#sessions.keys()) this.#end(session);
  }

  #sessionOf(key: string): AbortSignal {
    const session = this.#sessions.get(key) ?? new AbortController();
    this.#sessions.set(key, session);
    return session.signal;
  }

  #end(key: string): void {
    this.#sessions.get(key)?.abort(new Error(`The session '${key}' has ended.`));
    this.#sessions.delete(key);
    this.#chat.end(key);
  }
}

function requestOf(
  { messages, images, sampling, session }: Extract<ModelAsk, { kind: 'complete' }>,
  signal: AbortSignal,
): ChatRequest {
  return {
    ...{ messages, sampling, session, signal },
    images: sha256 => {
      const png = images[sha256];
      if (png === undefined) throw new RangeError(`The question has no image ${sha256}. Send it along.`);
      return png;
    },
  };
}
