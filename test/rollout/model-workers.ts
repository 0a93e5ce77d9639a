// Workers that decide nothing: what is asked of them waits until a test answers it, or takes time by a clock that jumps.

import type { Clock } from '../../runtime/core/clock.ts';
import { seed, version } from '../../runtime/core/ids.ts';
import type { DecisionRequest, Weights } from '../../runtime/core/policy.ts';
import type { Answer, PolicyWorker } from '../../runtime/rollout/policy-worker.ts';
import { PeerEnded } from '../../runtime/rpc/client.ts';
import { choiceOf, WAIT } from './models.ts';

export const weights = (number: number): Weights => ({ version: version(number), blob: new Uint8Array() });

/** Requests are told apart by their seeds. */
export const request = (number: number, pinned?: number): DecisionRequest => ({
  observation: { encoding: 'model', bytes: new Uint8Array() },
  seed: seed(number),
  ...{ temperature: 1, exploration: 0 },
  ...(pinned !== undefined && { version: version(pinned) }),
});

/** Something that was asked of a worker, and not answered yet. */
export interface Call {
  readonly kind: 'decide' | 'load';
  readonly requests: readonly DecisionRequest[];
  readonly answer: () => void;
  readonly fail: (error: Error) => void;
}

export class ModelWorker implements PolicyWorker {
  /** In the order in which they were made. */
  calls: Call[] = [];
  readonly pinned = new Set<number>();
  newest: number | undefined;
  isClosed = false;
  #gone: PeerEnded | undefined;
  #reportEnd: (reason: PeerEnded) => void = () => undefined;
  readonly ended = new Promise<PeerEnded>(resolve => {
    this.#reportEnd = resolve;
  });

  decide(requests: readonly DecisionRequest[]): Promise<readonly Answer[]> {
    return this.#call('decide', requests, () =>
      requests.map(({ version: pinned, seed: number }) =>
        pinned !== undefined && pinned !== this.newest && !this.pinned.has(pinned)
          ? { refused: `it has no version ${pinned}` }
          : { ...choiceOf(WAIT, pinned ?? this.newest ?? -1), meant: [patch(number)] },
      ),
    );
  }

  load({ version: number }: Weights): Promise<void> {
    return this.#call('load', [], () => {
      this.newest = number;
    });
  }

  async pin({ version: number }: Weights): Promise<void> {
    this.pinned.add(number);
  }

  async unpin(number: number): Promise<void> {
    this.pinned.delete(number);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.end();
  }

  /** As a process that is killed: all that was asked of it, and will be, rejects. */
  end(): void {
    this.#gone ??= new PeerEnded('The policy worker ended with SIGKILL.');
    this.#reportEnd(this.#gone);
    for (const { fail } of this.calls.splice(0)) fail(this.#gone);
  }

  /** Answers the first call; false where there is none. */
  answer(): boolean {
    const call = this.calls.shift();
    call?.answer();
    return call !== undefined;
  }

  /** The first call comes to nothing, but not because the worker ended. */
  fail(message: string): void {
    this.calls.shift()?.fail(new Error(message));
  }

  #call<T>(kind: Call['kind'], requests: readonly DecisionRequest[], result: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#gone !== undefined) return reject(this.#gone);
      this.calls.push({ kind, requests, answer: () => resolve(result()), fail: reject });
    });
  }
}

/** Says in an answer which request it answers. */
const patch = (index: number) =>
  ({ kind: 'patch', index, box: { x: 0, y: 0, width: 1, height: 1 } }) as const;

/** Answers by itself, one call after another: a batch takes so long whatever is in it, and so do new weights. */
export class TimedWorker extends ModelWorker {
  readonly #clock: Clock;
  readonly #times: { readonly decides: number; readonly loads: number };
  #before: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock, times: { readonly decides: number; readonly loads: number }) {
    super();
    this.#clock = clock;
    this.#times = times;
  }

  override decide(requests: readonly DecisionRequest[]): Promise<readonly Answer[]> {
    this.#answerAfter(this.#times.decides);
    return super.decide(requests);
  }

  override load(given: Weights): Promise<void> {
    this.#answerAfter(this.#times.loads);
    return super.load(given);
  }

  #answerAfter(milliseconds: number): void {
    this.#before = this.#before.then(() => this.#clock.sleep(milliseconds)).then(() => this.answer());
  }
}
