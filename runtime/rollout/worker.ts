// A policy worker around one session of the deciding program: decodes observations, writes the weights that a batch needs, and returns the
// choices. One call at a time.

import { vectorIn } from '../agent/blob.ts';
import { choicesMade } from '../agent/choice.ts';
import { samplingFeedsOf } from '../agent/decide.ts';
import type { LabelContext } from '../agent/decision-labels.ts';
import { ReusedMemory } from '../agent/feed-memory.ts';
import { feedsOf } from '../agent/feeds.ts';
import { runsOf } from '../agent/length-buckets.ts';
import { decode } from '../agent/observation.ts';
import { tokensOf } from '../agent/tokens.ts';
import { messageOf } from '../core/errors.ts';
import type { Version } from '../core/ids.ts';
import type { Choice, DecisionRequest, Weights } from '../core/policy.ts';
import { seeded } from '../core/rng.ts';
import { WEIGHTS } from '../graph/layout.ts';
import type { Session } from '../graph/session.ts';
import type { Tensor } from '../graph/tensor.ts';
import type { Answer, PolicyWorker } from './policy-worker.ts';

interface Held {
  readonly version: Version;
  readonly vector: Tensor;
}

/** A request that can be decided, and its place among all of the batch. */
interface Asked {
  readonly at: number;
  readonly request: DecisionRequest;
  readonly shown: LabelContext;
}

export class Worker implements PolicyWorker {
  readonly #session: Session;
  readonly #pixels: boolean;
  readonly #memory = new ReusedMemory();
  readonly #pinned = new Map<Version, Held>();
  #newest: Held | undefined;
  /** What the session decides with at present. */
  #written: Held | undefined;

  constructor(session: Session, pixels: boolean) {
    this.#session = session;
    this.#pixels = pixels;
  }

  async decide(requests: readonly DecisionRequest[]): Promise<readonly Answer[]> {
    const answers = new Map<number, Answer>();
    const byWeights = new Map<Held, Asked[]>();
    for (const [at, request] of requests.entries()) {
      try {
        const held = this.#weightsFor(request.version);
        const seen = decode(request.observation);
        const asked = byWeights.get(held) ?? [];
        byWeights.set(held, asked);
        asked.push({ at, request, shown: { seen, tokens: tokensOf(seen) } });
      } catch (error) {
        answers.set(at, { refused: messageOf(error) });
      }
    }
    for (const [held, asked] of byWeights) {
      for (const run of runsOf(asked.map(({ shown }) => shown.tokens.count))) {
        const together = run.flatMap(place => asked[place] ?? []);
        const choices = await this.#decideWith(held, together);
        for (const [index, { at }] of together.entries()) {
          const choice = choices[index];
          if (choice !== undefined) answers.set(at, choice);
        }
      }
    }
    return requests.map((_, at) => answers.get(at) ?? { refused: 'the network gave no choice for it' });
  }

  async load(weights: Weights): Promise<void> {
    const held = heldFrom(weights);
    // Now, while nobody waits for it; and what does not fit the network is found out.
    await this.#write(held);
    this.#newest = held;
  }

  async pin(weights: Weights): Promise<void> {
    this.#pinned.set(weights.version, heldFrom(weights));
  }

  async unpin(version: Version): Promise<void> {
    this.#pinned.delete(version);
  }

  /** The owner of the session closes it. */
  async close(): Promise<void> {}

  async #decideWith(held: Held, asked: readonly Asked[]): Promise<readonly Choice[]> {
    await this.#write(held);
    const rows = asked.map(({ shown }) => shown);
    const drawings = asked.map(({ request: { seed, temperature, exploration } }) => {
      const random = seeded(seed);
      return { chance: () => random.next(), temperature, exploration };
    });
    const outputs = await this.#session.run({
      ...feedsOf(
        rows.map(({ tokens }) => tokens),
        this.#pixels,
        undefined,
        this.#memory,
      ),
      ...samplingFeedsOf(drawings),
    });
    return choicesMade(outputs, rows, held.version);
  }

  async #write(held: Held): Promise<void> {
    if (this.#written === held) return;
    await this.#session.write({ [WEIGHTS]: held.vector });
    this.#written = held;
  }

  /** What is pinned comes first: under the number of the newest there may be the mean of several, to be evaluated. */
  #weightsFor(version: Version | undefined): Held {
    const newest = this.#newest;
    const pinned = version === undefined ? newest : this.#pinned.get(version);
    const held = pinned ?? (newest?.version === version ? newest : undefined);
    if (held !== undefined) return held;
    throw new RangeError(
      version === undefined
        ? 'The worker was given no weights yet: publish some first.'
        : `The worker has no weights of version ${version}: they must be the newest, or be pinned before they are asked for.`,
    );
  }
}

const heldFrom = ({ version, blob }: Weights): Held => ({ version, vector: vectorIn(blob) });
