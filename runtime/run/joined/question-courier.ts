// Carries the questions of a joined host to the daemon, and the answers back. Images are blobs: each travels once, although every turn of an
// episode shows those of earlier turns again.

import { PutOnce } from '../../blobs/put-once.ts';
import type { Clock } from '../../core/clock.ts';
import { messageOf, sentenceOf } from '../../core/errors.ts';
import type { Failure } from '../../core/failure.ts';
import type { ModelAnswer, ModelQuestion } from '../../core/model-question.ts';
import { retry } from '../../core/retry.ts';
import { linked } from '../../core/run-together.ts';
import type { Fabric } from '../../fabric/fabric.ts';
import { UnfitValue, ValueCodec } from '../../fabric/nats/codec.ts';
import { HostRequestRefused, isRefusal } from '../../hosts/host-requests.ts';
import type { Membership } from '../../hosts/join.ts';
import { ASK_PATH, BLOBS_GONE } from '../../hosts/messages.ts';

export interface CourierOptions {
  readonly fabric: Pick<Fabric, 'questions' | 'answers'>;
  readonly membership: Pick<Membership, 'post' | 'blobs'>;
  readonly clock: Clock;
}

const BACKOFF = { firstMs: 500, maxMs: 10_000 };
/** The daemon keeps blobs that nobody uses for ten minutes. */
const KNOWN_MS = 5 * 60_000;

/** Until the signal is aborted. A daemon that does not answer delays answers, and loses none. */
export async function carryQuestions(options: CourierOptions, signal: AbortSignal): Promise<void> {
  const taker = options.fabric.questions.taker();
  const courier = new QuestionCourier(options, signal);
  try {
    for (;;) {
      const { item, acknowledge } = await taker.take(signal);
      void courier.carry(item);
      await acknowledge();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await taker.close();
  }
}

class QuestionCourier {
  readonly #options: CourierOptions;
  readonly #signal: AbortSignal;
  readonly #blobs: PutOnce;
  readonly #codec: ValueCodec;
  /** Of sessions with open questions. */
  readonly #sessions = new Map<string, AbortController>();

  constructor(options: CourierOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#blobs = new PutOnce(options.membership.blobs, options.clock, KNOWN_MS);
    this.#codec = new ValueCodec(this.#blobs);
  }

  /** Never rejects. */
  async carry(question: ModelQuestion): Promise<void> {
    const { session, kind } = question.ask;
    if (kind === 'end') {
      this.#sessions.get(session)?.abort(new Error(`The session '${session}' has ended.`));
      this.#sessions.delete(session);
      // The daemon ends silent sessions by itself.
      await this.#ask(question, this.#signal).catch(() => undefined);
      return;
    }
    const ended = this.#sessions.get(session) ?? new AbortController();
    this.#sessions.set(session, ended);
    const { over, release } = linked(ended.signal, this.#signal);
    try {
      const answer = await this.#answerTo(question, over.signal);
      if (!over.signal.aborted) await this.#options.fabric.answers.put(answer);
    } catch {
      // The session or the membership is over: nobody waits.
    } finally {
      release();
    }
  }

  /** Rejects when the signal is aborted. */
  async #answerTo(question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer> {
    try {
      for (;;) {
        const answer = await this.#ask(question, signal);
        if (answer !== undefined) return answer;
      }
    } catch (error) {
      signal.throwIfAborted();
      const failure: Failure = {
        boundary: 'provider',
        thing: 'the model of the run',
        message: messageOf(error),
      };
      return { question: question.id, failure };
    }
  }

  /** Undefined while there is no answer. Rejects when the daemon or a proxy refuses the question, which a repetition does not change. */
  async #ask(question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer | undefined> {
    const { membership, clock } = this.#options;
    return await retry(
      async () => {
        const bytes = await membership.post(ASK_PATH, (await this.#codec.encode(question)).bytes, signal);
        return bytes && (await this.#decoded(bytes));
      },
      {
        ...{ clock, signal, backoff: BACKOFF },
        failed: error => {
          // The question: no message can carry it.
          if (error instanceof UnfitValue) throw error;
          if (!isRefusal(error)) return;
          if (!(error instanceof HostRequestRefused && error.status === BLOBS_GONE)) throw error;
          this.#blobs.forget();
        },
      },
    );
  }

  /** A proxy may answer with a page of its own: then the daemon has not answered yet. */
  async #decoded(bytes: Uint8Array): Promise<ModelAnswer> {
    try {
      return (await this.#codec.decode(bytes)) as ModelAnswer;
    } catch (error) {
      throw new Error(`The answer of the daemon cannot be read: ${sentenceOf(error)}`, { cause: error });
    }
  }
}
