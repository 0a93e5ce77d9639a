// The daemon's side of questions of joined hosts to the model of the run: passes them on to the host that has the servers, and keeps each
// answer until the host that asked has fetched it. A host asks in short requests, and repeats a question until it has the answer.

import { UNVERSIONED } from '../../core/chat.ts';
import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';
import type { Version } from '../../core/ids.ts';
import type { ModelAnswer, ModelQuestion } from '../../core/model-question.ts';
import { ChannelClosed } from '../../fabric/channels.ts';
import type { Fabric } from '../../fabric/fabric.ts';
import { requireFewOpen } from '../../hosts/open-posts.ts';

export interface ModelDeskOptions {
  readonly fabric: Pick<Fabric, 'questions' | 'answers'>;
  /** A host got a reply of these weights. */
  readonly replied: (version: Version) => void;
  /** That a joined host offered. */
  readonly desktopsOf: (host: string) => number;
  readonly clock: Clock;
}

/** A request for an answer waits so long. */
export const ANSWER_WAIT_MS = 20_000;
/** A question that nobody repeats for so long is forgotten. */
const FORGOTTEN_MS = 120_000;
/** A longer pause within an episode costs the place in the cache of its server, and nothing else. */
const SESSION_MS = 15 * 60_000;

interface OpenQuestion {
  readonly host: string;
  readonly session: string;
  readonly answer: Promise<ModelAnswer>;
  readonly settle: (answer: ModelAnswer) => void;
  /** Answered ones stay until their host has the answer, and do not occupy the model. */
  isAnswered: boolean;
  askedMs: number;
}

export class ModelDesk {
  readonly #options: ModelDeskOptions;
  readonly #questions = new Map<string, OpenQuestion>();
  /** When each session asked last. */
  readonly #sessions = new Map<string, number>();

  constructor(options: ModelDeskOptions) {
    this.#options = options;
  }

  /** Takes answers until the channels close. */
  async run(): Promise<void> {
    const taker = this.#options.fabric.answers.taker();
    try {
      for (;;) {
        const { item, acknowledge } = await taker.take();
        this.#questions.get(item.question)?.settle(item);
        await acknowledge();
      }
    } catch (error) {
      if (!(error instanceof ChannelClosed)) throw error;
    }
  }

  /**
   * The answer, or undefined if it takes longer: then the host asks again. Rejects with ChannelClosed when the run has ended, and with a
   * Refusal for a new question of a host with too many open ones.
   */
  async ask(host: string, question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer | undefined> {
    const { clock } = this.#options;
    await this.#forgetOld();
    // Names of one host are no names of another.
    const session = `${host}/${question.ask.session}`;
    if (question.ask.kind === 'end') {
      await this.#end(session);
      return undefined;
    }
    const id = `${host}/${question.id}`;
    const known = this.#questions.get(id);
    if (known === undefined) this.#requireRoom(host);
    this.#sessions.set(session, clock.now());
    const open = known ?? (await this.#pass(host, { id, ask: { ...question.ask, session } }));
    open.askedMs = clock.now();
    const over = new AbortController();
    const waited = sleepUnlessAborted(clock, ANSWER_WAIT_MS, AbortSignal.any([over.signal, signal]));
    const answer = await Promise.race([open.answer, waited.then(() => undefined)]);
    over.abort();
    if (answer === undefined) return undefined;
    if ('reply' in answer) this.#options.replied(answer.reply.version ?? UNVERSIONED);
    return { ...answer, question: question.id };
  }

  #requireRoom(host: string): void {
    let waiting = 0;
    for (const open of this.#questions.values()) if (open.host === host && !open.isAnswered) waiting += 1;
    requireFewOpen('questions to the model', waiting, { host, desktops: this.#options.desktopsOf(host) });
  }

  async #pass(host: string, question: ModelQuestion): Promise<OpenQuestion> {
    let settle: OpenQuestion['settle'] = () => undefined;
    const answer = new Promise<ModelAnswer>(resolve => {
      settle = resolve;
    });
    const open: OpenQuestion = {
      ...{ host, session: question.ask.session, answer, isAnswered: false },
      settle: found => {
        open.isAnswered = true;
        settle(found);
      },
      askedMs: this.#options.clock.now(),
    };
    // Before it is put: a repetition that arrives meanwhile finds it.
    this.#questions.set(question.id, open);
    await this.#options.fabric.questions.put(question);
    return open;
  }

  async #end(session: string): Promise<void> {
    this.#sessions.delete(session);
    for (const [id, open] of this.#questions) if (open.session === session) this.#questions.delete(id);
    await this.#options.fabric.questions.put({ id: `${session}/end`, ask: { kind: 'end', session } });
  }

  /** Hosts may vanish at any time. */
  async #forgetOld(): Promise<void> {
    const now = this.#options.clock.now();
    for (const [id, { askedMs, session, isAnswered }] of this.#questions) {
      if (now - askedMs <= FORGOTTEN_MS) continue;
      this.#questions.delete(id);
      // It would occupy the model for nobody, and a host could leave any number of such questions.
      if (!isAnswered) await this.#end(session);
    }
    for (const [session, askedMs] of this.#sessions) if (now - askedMs > SESSION_MS) await this.#end(session);
  }
}
