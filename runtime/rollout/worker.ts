// A policy worker around one session of the deciding program: decodes observations, writes the weights that a batch needs, and returns the
// choices. One call at a time.

import { vectorIn } from '../agents/compact/blob.ts';
import { choicesMade } from '../agents/compact/choice.ts';
import { samplingFeedsOf } from '../agents/compact/decide.ts';
import type { LabelContext } from '../agents/compact/decision-labels.ts';
import { ReusedMemory } from '../agents/compact/feed-memory.ts';
import { feedsOf } from '../agents/compact/feeds.ts';
import { runsOf } from '../agents/compact/length-buckets.ts';
import { decode } from '../agents/compact/observation.ts';
import { tokensOf } from '../agents/compact/tokens.ts';
import { at } from '../core/at.ts';
import { messageOf } from '../core/errors.ts';
import type { Version } from '../core/ids.ts';
import type { Choice, DecisionRequest, Weights } from '../core/policy.ts';
import { seeded } from '../core/rng.ts';
import { WEIGHTS } from '../graph/layout.ts';
import type { Session } from '../graph/session.ts';
import type { Tensor } from '../graph/tensor.ts';
import type { Answer, PolicyWorker } from './policy-worker.ts';

interface LoadedWeights {
  readonly version: Version;
  readonly vector: Tensor;
}

/** A decodable request with its index in the batch. */
interface DecodedRequest {
  readonly index: number;
  readonly request: DecisionRequest;
  readonly context: LabelContext;
}

export class Worker implements PolicyWorker {
  readonly #session: Session;
  readonly #pixels: boolean;
  readonly #memory = new ReusedMemory();
  readonly #pinned = new Map<Version, LoadedWeights>();
  #newest: LoadedWeights | undefined;
  /** The weights in the session. */
  #written: LoadedWeights | undefined;

  constructor(session: Session, pixels: boolean) {
    this.#session = session;
    this.#pixels = pixels;
  }

  async decide(requests: readonly DecisionRequest[]): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    const byWeights = new Map<LoadedWeights, DecodedRequest[]>();
    for (const [index, request] of requests.entries()) {
      try {
        const weights = this.#weightsFor(request.version);
        const observation = decode(request.observation);
        const decoded = byWeights.get(weights) ?? [];
        byWeights.set(weights, decoded);
        decoded.push({ index, request, context: { observation, tokens: tokensOf(observation) } });
      } catch (error) {
        answers[index] = { refused: messageOf(error) };
      }
    }
    for (const [weights, decoded] of byWeights) {
      for (const run of runsOf(decoded.map(({ context }) => context.tokens.count))) {
        const together = run.map(place => at(decoded, place));
        const choices = await this.#decideWith(weights, together);
        for (const [row, { index }] of together.entries()) answers[index] = at(choices, row);
      }
    }
    return requests.map((_, index) => at(answers, index));
  }

  async load(weights: Weights): Promise<void> {
    const loaded = loadedFrom(weights);
    // Written now, while no request waits. Weights that do not fit the network are rejected here.
    await this.#write(loaded);
    this.#newest = loaded;
  }

  async pin(weights: Weights): Promise<void> {
    this.#pinned.set(weights.version, loadedFrom(weights));
  }

  async unpin(version: Version): Promise<void> {
    this.#pinned.delete(version);
  }

  /** The owner of the session closes it. */
  async close(): Promise<void> {}

  async #decideWith(weights: LoadedWeights, decoded: readonly DecodedRequest[]): Promise<readonly Choice[]> {
    await this.#write(weights);
    const rows = decoded.map(({ context }) => context);
    const drawings = decoded.map(({ request: { seed, temperature, exploration, isGuided } }) => {
      const random = seeded(seed);
      return {
        chance: () => random.next(),
        temperature,
        exploration,
        ...(isGuided !== undefined && { isGuided }),
      };
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
    return choicesMade(outputs, rows, weights.version);
  }

  async #write(weights: LoadedWeights): Promise<void> {
    if (this.#written === weights) return;
    await this.#session.write({ [WEIGHTS]: weights.vector });
    this.#written = weights;
  }

  /** Pinned weights go first: the mean of several versions is evaluated under the number of the newest. */
  #weightsFor(version: Version | undefined): LoadedWeights {
    const newest = this.#newest;
    const pinned = version === undefined ? newest : this.#pinned.get(version);
    const weights = pinned ?? (newest?.version === version ? newest : undefined);
    if (weights !== undefined) return weights;
    throw new RangeError(
      version === undefined
        ? 'The worker has no weights yet. Publish weights first.'
        : `The worker has no weights of version ${version}. Pin them before a request requires them.`,
    );
  }
}

const loadedFrom = ({ version, blob }: Weights): LoadedWeights => ({ version, vector: vectorIn(blob) });
