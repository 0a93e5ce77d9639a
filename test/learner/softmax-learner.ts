// A correct learner of a model with one table: the logits of a token depend on the token before it, and those of the first token on the
// whole prompt with its images. Small enough to check by hand; for the conformance suite.

import { at } from '../../runtime/core/at.ts';
import { sum } from '../../runtime/core/sum.ts';
import { clippedWeights, ratioReport } from '../../runtime/learner/built-in-loss.ts';
import type {
  AdamSettings,
  Learner,
  LearnerCapabilities,
  PngSource,
  PublishedWeights,
  TokenStep,
  TokenUpdate,
  UpdateReport,
} from '../../runtime/learner/learner.ts';
import { checkUpdate } from '../../runtime/learner/valid-update.ts';

/** Every token is below this number. */
export const VOCABULARY = 7;

/** Immutable. */
export interface SoftmaxState {
  readonly step: number;
  readonly weights: readonly number[];
  readonly mean: readonly number[];
  readonly variance: readonly number[];
  readonly last?: { readonly id: string; readonly report: UpdateReport };
}

const FIRST: SoftmaxState = {
  step: 0,
  weights: Array.from({ length: VOCABULARY ** 2 }, (_, index) => Math.sin(index)),
  mean: Array.from({ length: VOCABULARY ** 2 }, () => 0),
  variance: Array.from({ length: VOCABULARY ** 2 }, () => 0),
};

export interface SoftmaxOptions {
  readonly images: PngSource;
  /** The saved states, which survive a crash. */
  readonly disk: Map<string, SoftmaxState>;
  /** What the capabilities claim. */
  readonly clips?: boolean;
  /** What `load` makes of a saved state. */
  readonly restored?: (state: SoftmaxState) => SoftmaxState;
}

export class SoftmaxLearner implements Learner {
  readonly capabilities: LearnerCapabilities;
  readonly #options: SoftmaxOptions;
  #state = FIRST;
  #isOpen = true;

  constructor(options: SoftmaxOptions) {
    this.#options = options;
    this.capabilities = {
      ...{ kind: 'in-process', place: 'memory', model: 'softmax' },
      ...{ assesses: true, hasReference: true, clips: options.clips ?? true, publishes: true },
    };
  }

  get step(): number {
    return this.#state.step;
  }

  get last(): string | undefined {
    return this.#state.last?.id;
  }

  async assess(steps: readonly TokenStep[], weights: 'present' | 'reference', signal: AbortSignal) {
    this.#begin(signal);
    const table = weights === 'present' ? this.#state.weights : FIRST.weights;
    const contexts = await Promise.all(steps.map(step => this.#contextsOf(step)));
    return steps.map(({ reply }, row) =>
      reply.map((token, place) => Math.log(at(probabilities(table, at(at(contexts, row), place)), token))),
    );
  }

  async update(update: TokenUpdate, signal: AbortSignal): Promise<UpdateReport> {
    this.#begin(signal);
    const { last, step, weights } = this.#state;
    if (last?.id === update.id) return last.report;
    checkUpdate(update);
    const contexts = await Promise.all(update.rows.map(row => this.#contextsOf(row.step)));
    this.#begin(signal);
    const gradient = weights.map(() => 0);
    const { clip } = update;
    const ratios = update.rows.map(({ step: { reply }, weights: given, origin: { old = [] } }, row) => {
      const likely = at(contexts, row).map(context => probabilities(weights, context));
      const present = reply.map((token, place) => Math.log(at(at(likely, place), token)));
      return { weights: given, old, present };
    });
    let loss = 0;
    for (const [row, { step: trained, weights: given }] of update.rows.entries()) {
      const signed = clip === undefined ? given : clippedWeights(at(ratios, row), clip);
      for (const [place, token] of trained.reply.entries()) {
        const context = at(at(contexts, row), place);
        const likely = probabilities(weights, context);
        const weight = at(signed, place);
        loss -= weight * Math.log(at(likely, token));
        for (const [other, probability] of likely.entries()) {
          const index = context * VOCABULARY + other;
          gradient[index] = at(gradient, index) + weight * (probability - Number(other === token));
        }
      }
    }
    const report = { step: step + 1, ...(clip === undefined ? { loss } : ratioReport(ratios, clip)) };
    this.#state = {
      ...adamStep(this.#state, gradient, update.optimiser),
      last: { id: update.id, report },
    };
    return report;
  }

  async publish(signal: AbortSignal): Promise<PublishedWeights> {
    this.#begin(signal);
    return { step: this.step, path: `memory/step-${this.step}` };
  }

  async save(name: string, signal: AbortSignal): Promise<string> {
    this.#begin(signal);
    this.#options.disk.set(name, this.#state);
    return name;
  }

  async load(saved: string, signal: AbortSignal): Promise<void> {
    this.#begin(signal);
    const { disk, restored = state => state } = this.#options;
    const state = disk.get(saved);
    if (state === undefined) throw new RangeError(`No state has the name '${saved}'. Save it first.`);
    this.#state = restored(state);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
  }

  #begin(signal: AbortSignal): void {
    signal.throwIfAborted();
    if (!this.#isOpen) throw new Error('The learner in memory is closed. Open another one.');
  }

  /** The row of the table for each token of the reply. */
  async #contextsOf({ prompt, reply }: TokenStep): Promise<readonly number[]> {
    const codes = await Promise.all(
      prompt.map(async chunk =>
        sum(chunk.kind === 'text' ? chunk.tokens : [...(await this.#options.images(chunk.sha256))]),
      ),
    );
    return [sum(codes) % VOCABULARY, ...reply.slice(0, -1)];
  }
}

function probabilities(table: readonly number[], context: number): readonly number[] {
  const powers = table.slice(context * VOCABULARY, (context + 1) * VOCABULARY).map(Math.exp);
  return powers.map(power => power / sum(powers));
}

function adamStep(state: SoftmaxState, gradient: readonly number[], settings: AdamSettings): SoftmaxState {
  const { learningRate, beta1, beta2, epsilon, weightDecay, clipNorm } = settings;
  const step = state.step + 1;
  const norm = Math.hypot(...gradient);
  const scale = clipNorm > 0 && norm > clipNorm ? clipNorm / norm : 1;
  const mean = state.mean.map((each, index) => beta1 * each + (1 - beta1) * scale * at(gradient, index));
  const variance = state.variance.map(
    (each, index) => beta2 * each + (1 - beta2) * (scale * at(gradient, index)) ** 2,
  );
  const weights = state.weights.map((each, index) => {
    const direction = at(mean, index) / (1 - beta1 ** step);
    const size = Math.sqrt(at(variance, index) / (1 - beta2 ** step)) + epsilon;
    return each - learningRate * (direction / size + weightDecay * each);
  });
  return { step, weights, mean, variance };
}
