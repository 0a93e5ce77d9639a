// Learners on SkyRL's server for the tests: the batch that they train on, and a learner whose process can be killed at a request.

import { seeded } from '../../../runtime/core/rng.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import {
  type HttpBytesTransport,
  type HttpRequest,
  httpTransport,
} from '../../../runtime/endpoints/http-transport.ts';
import type { AdamSettings, TokenStep, TokenUpdate } from '../../../runtime/learner/learner.ts';
import { TinkerClient } from '../../../runtime/learner/tinker/client.ts';
import type { LossReduction } from '../../../runtime/learner/tinker/datums.ts';
import type { JournalFiles } from '../../../runtime/learner/tinker/journal.ts';
import { TinkerLearner } from '../../../runtime/learner/tinker/tinker-learner.ts';
import { MemoryFiles } from '../../learner/tinker/lab.ts';
import type { SkyrlFolder, SkyrlServer } from './server.ts';

export const LIVE = new AbortController().signal;

export const ADAM: AdamSettings = {
  ...{ learningRate: 0.002, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, clipNorm: 0 },
};

const VOCABULARY = 64;
const ROWS = 6;

const random = seeded('skyrl');
const tokens = (count: number): number[] =>
  Array.from({ length: count }, () => 2 + Math.floor(random.next() * (VOCABULARY - 2)));

/** Of different lengths, below the length to which SkyRL pads. */
export const STEPS: readonly TokenStep[] = Array.from({ length: ROWS }, (_, row) => ({
  prompt: [{ kind: 'text', tokens: tokens(3 + row) }],
  reply: tokens(2 + (row % 4)),
}));

/** Of both signs in every row, and rows whose weights have a negative sum. */
export const weightsOf = (number: number): readonly (readonly number[])[] =>
  STEPS.map(({ reply }, row) =>
    reply.map((_, token) => Math.cos(number + 2 * row + 3 * token) / reply.length),
  );

/** Updates with equal numbers are equal. */
export const updateOf = (number: number, optimiser = ADAM, weights = weightsOf(number)): TokenUpdate => ({
  ...{ id: `update-${number}`, optimiser },
  rows: STEPS.map((step, row) => ({
    ...{ step, weights: weights[row] ?? [] },
    origin: { trajectory: `t${row}`, index: 0, group: 'g', task: 'task', advantage: 1, isSuccess: true },
  })),
});

/** When the process of the learner dies: before a request to this route is sent, or after the server has answered it. */
export interface Death {
  readonly route: string;
  readonly when: 'before' | 'after';
}

/** The process of a learner. Once it is killed it reaches neither the server nor its files. */
export class LearnerProcess implements HttpBytesTransport, JournalFiles {
  readonly #http = httpTransport();
  readonly #end = new AbortController();
  #death: Death | undefined;

  constructor(
    readonly files: MemoryFiles,
    /** Runs before each request. */
    readonly onRequest: (route: string) => Promise<void> = async () => undefined,
  ) {}

  /** Aborted at the death. */
  get life(): AbortSignal {
    return this.#end.signal;
  }

  dieAt(death: Death): void {
    this.#death = death;
  }

  async sendForBytes(request: HttpRequest) {
    const { pathname } = new URL(request.url);
    await this.onRequest(pathname);
    const isLast = pathname.endsWith(this.#death?.route ?? ' ');
    if (isLast && this.#death?.when === 'before') this.#kill();
    const reply = await this.#alive(this.#http).sendForBytes(request);
    if (isLast) this.#kill();
    return this.#alive(reply);
  }

  write(place: string, bytes: Uint8Array) {
    return this.#alive(this.files).write(place, bytes);
  }

  read(place: string) {
    return this.#alive(this.files).read(place);
  }

  remove(place: string) {
    return this.#alive(this.files).remove(place);
  }

  close(): void {
    this.#http.close();
  }

  #kill(): void {
    this.#end.abort(new Error('The process was killed.'));
  }

  #alive<T>(thing: T): T {
    this.life.throwIfAborted();
    return thing;
  }
}

interface OpenOptions {
  readonly process?: LearnerProcess;
  readonly needsReference?: boolean;
  readonly reduction?: LossReduction;
}

export const openOn = (
  { url }: Pick<SkyrlServer, 'url'>,
  { model }: Pick<SkyrlFolder, 'model'>,
  {
    process = new LearnerProcess(new MemoryFiles()),
    needsReference = false,
    reduction = 'row-mean',
  }: OpenOptions = {},
): Promise<TinkerLearner> =>
  TinkerLearner.open(
    {
      client: new TinkerClient({
        ...{ name: 'skyrl', url, transport: process, clock: systemClock, outageTimeoutMs: 600_000 },
      }),
      ...{ name: 'skyrl', files: process, clock: systemClock, needsReference, reduction },
      model: { baseModel: model, rank: 4, seed: 7 },
      images: sha256 => Promise.reject(new RangeError(`No image has the hash ${sha256}.`)),
    },
    LIVE,
  );
