// The way of a question in one process: an agent of a joined host, the courier, the daemon's desk, and the host with the servers. Between
// courier and desk is a connection that can fail.

import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { type BlobHash, type Blobs, blobHash } from '../../../runtime/blobs/blobs.ts';
import { MemoryBlobs } from '../../../runtime/blobs/memory-blobs.ts';
import type { ChatMessage, ChatReply } from '../../../runtime/core/chat.ts';
import { version } from '../../../runtime/core/ids.ts';
import type { ModelAnswer, ModelQuestion } from '../../../runtime/core/model-question.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import type { ChatModel, ChatRequest } from '../../../runtime/endpoints/chat.ts';
import { EmbeddedQueue } from '../../../runtime/fabric/embedded/queue.ts';
import { answered } from '../../../runtime/hosts/host-answers.ts';
import { HostRequestRefused } from '../../../runtime/hosts/host-requests.ts';
import { Refusal } from '../../../runtime/hosts/refusal.ts';
import { AskedModel } from '../../../runtime/run/host/asked-model.ts';
import { answerQuestions } from '../../../runtime/run/host/model-answers.ts';
import { asking } from '../../../runtime/run/joined/host-desks.ts';
import { ModelDesk } from '../../../runtime/run/joined/model-desk.ts';
import { carryQuestions } from '../../../runtime/run/joined/question-courier.ts';

export const replyOf = (raw: string, more: Partial<ChatReply> = {}): ChatReply => ({
  ...{ raw, tokens: [{ text: raw, id: 7, logProbability: -0.5 }], prompt: [1, 2, 3], estimator: 'surprisal' },
  ...{ finish: 'stop', defects: [], version: version(3) },
  served: { endpoint: 'lab', model: 'tars', latencyMs: 10, retries: [] },
  ...more,
});

/** A model that records what it was asked. */
export class RecordedModel implements ChatModel {
  readonly requests: ChatRequest[] = [];
  readonly ended: string[] = [];
  readonly #answer: (request: ChatRequest, number: number) => Promise<ChatReply>;

  constructor(answer: (request: ChatRequest, number: number) => Promise<ChatReply>) {
    this.#answer = answer;
  }

  complete(request: ChatRequest): Promise<ChatReply> {
    return this.#answer(request, this.requests.push(request));
  }

  end(session: string): void {
    this.ended.push(session);
  }
}

/** Large enough for a blob of its own. */
export function pictureOf(fill: number): { readonly sha256: string; readonly png: Uint8Array } {
  const png = new Uint8Array(20_000).fill(fill);
  png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return { sha256: createHash('sha256').update(png).digest('hex'), png };
}

export function requestOf(session: string, pictures: readonly ReturnType<typeof pictureOf>[] = []) {
  const messages: readonly ChatMessage[] = [
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'Mute the sound.' },
        ...pictures.map(({ sha256 }) => ({ type: 'image', sha256, width: 2, height: 2 }) as const),
      ],
    },
  ];
  return {
    ...{ messages, session, signal: new AbortController().signal },
    images: (sha256: string) => pictures.find(each => each.sha256 === sha256)?.png ?? new Uint8Array(),
    sampling: { temperature: 1, topP: 1, topK: -1, maxTokens: 50, seed: 1 },
  };
}

/** Of each host. */
export const DESKTOPS = 20;

/** The outcome of one request over the connection: `reply` is lost after the daemon has handled it, and `page` is that of a proxy. */
export type Loss = 'request' | 'reply' | 'page' | undefined;

const channels = () => ({
  questions: new EmbeddedQueue<ModelQuestion>('questions'),
  answers: new EmbeddedQueue<ModelAnswer>('answers'),
});

class CountedBlobs implements Blobs {
  readonly puts: BlobHash[] = [];
  readonly #blobs: Blobs;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  async put(bytes: Uint8Array): Promise<BlobHash> {
    this.puts.push(blobHash(bytes));
    return this.#blobs.put(bytes);
  }

  get(hash: BlobHash): Promise<Uint8Array | undefined> {
    return this.#blobs.get(hash);
  }
}

export function connected(model: ChatModel, loss: (request: number) => Loss = () => undefined) {
  const clock = new VirtualClock();
  const daemon = channels();
  const stored = { blobs: new MemoryBlobs() };
  const atDaemon: Blobs = { put: bytes => stored.blobs.put(bytes), get: hash => stored.blobs.get(hash) };
  const versions: number[] = [];
  const desk = new ModelDesk({
    ...{ fabric: daemon, clock, replied: each => void versions.push(each) },
    desktopsOf: () => DESKTOPS,
  });
  const deskEnded = desk.run();
  const answer = asking(desk, atDaemon);
  const over = new AbortController();
  let requests = 0;
  const askDaemon = async (host: string, bytes: Uint8Array, signal: AbortSignal) => {
    requests += 1;
    const lost = loss(requests);
    if (lost === 'request') throw new Error('The connection was refused.');
    if (lost === 'page') return Buffer.from('<title>Sign in</title>');
    try {
      const reply = await answered(answer(host, bytes, signal));
      if (lost === 'reply') throw new Error('The connection was reset.');
      return reply;
    } catch (error) {
      const isFinal = error instanceof Refusal && error.status !== 429;
      throw isFinal ? new HostRequestRefused(error.message, error.status) : error;
    }
  };
  const join = (name: string) => {
    const fabric = channels();
    const blobs = new CountedBlobs(atDaemon);
    const membership = {
      blobs,
      post: (_: string, bytes: Uint8Array, signal: AbortSignal) => askDaemon(name, bytes, signal),
    };
    const carrying = carryQuestions({ fabric, membership, clock }, over.signal);
    const chat = new AskedModel({ fabric, asker: `${name}-process` });
    onTestFinished(async () => {
      over.abort();
      await Promise.all([carrying, chat.close()]);
    });
    return { chat, blobs, fabric };
  };
  /** The host with the servers; the result ends it. */
  const serve = (served: ChatModel = model) => {
    const stop = new AbortController();
    const serving = answerQuestions(daemon, served, stop.signal);
    const end = async () => {
      stop.abort();
      await serving;
    };
    onTestFinished(end);
    return end;
  };
  return {
    ...{ clock, daemon, versions, join, serve, stored, deskEnded },
    get requests() {
      return requests;
    },
  };
}
