// The learner on a Tinker server. The server has the weights; the learner has a journal of what it asked for, so that every update is
// applied once.

import type { Clock } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import { checkUnclipped } from '../built-in-loss.ts';
import type {
  Learner,
  LearnerCapabilities,
  PngSource,
  PublishedWeights,
  TokenStep,
  TokenUpdate,
  UpdateReport,
} from '../learner.ts';
import { checkUpdate } from '../valid-update.ts';
import type { TinkerClient } from './client.ts';
import { type LossReduction, PASS_LIMITS, type PassLimits, type WeightedStep } from './datums.ts';
import { forwardLogProbabilities } from './forward.ts';
import { sendHeartbeats } from './heartbeats.ts';
import { type JournalFiles, LearnerJournal, type SavedState, savedStateSchema } from './journal.ts';
import { clipsAsExpected } from './probe-clip.ts';
import { checkReduction } from './probe-reduction.ts';
import { openReference, promptLogProbabilities, type ReferenceKind } from './reference.ts';
import type { NewModel } from './requests.ts';
import { type ModelRole, ServedModel } from './served-model.ts';
import { probeServer } from './server-probe.ts';
import { isTinkerError, StepsLost, type TinkerError } from './tinker-error.ts';
import { UpdateWork } from './update-work.ts';
import { checked } from './wire/json.ts';

export interface TinkerLearnerOptions {
  /** For messages. */
  readonly name: string;
  readonly client: TinkerClient;
  /** A folder of its own. */
  readonly files: JournalFiles;
  readonly images: PngSource;
  readonly model: NewModel;
  readonly clock: Clock;
  /** Whether the reference weights are needed. They may take as much memory of the server as the model. */
  readonly needsReference: boolean;
  readonly reduction?: LossReduction;
  readonly limits?: PassLimits;
}

export class TinkerLearner implements Learner {
  readonly #options: TinkerLearnerOptions;
  readonly #journal: LearnerJournal;
  readonly #model: ServedModel;
  readonly #work: UpdateWork;
  readonly #closed = new AbortController();
  #reference: ReferenceKind | undefined;
  #heartbeats: Promise<void> = Promise.resolve();

  private constructor(options: TinkerLearnerOptions, journal: LearnerJournal) {
    const { name, client, images, model, reduction = 'sum', limits = PASS_LIMITS } = options;
    this.#options = options;
    this.#journal = journal;
    this.#model = new ServedModel({ name, client, journal, model, reduction });
    this.#work = new UpdateWork({ name, client, journal, model: this.#model, images, reduction, limits });
  }

  /**
   * Connects to the model of the journal, or makes one. Finishes an update that a crash interrupted. If the server lost the model, the
   * learner goes on from the last saved state; `step` has its step.
   */
  static async open(options: TinkerLearnerOptions, signal: AbortSignal): Promise<TinkerLearner> {
    const journal = await LearnerJournal.open(options.files);
    const learner = new TinkerLearner(options, journal);
    try {
      await learner.#connect(signal);
    } catch (error) {
      await learner.close();
      throw error;
    }
    return learner;
  }

  get step(): number {
    return this.#journal.state.step;
  }

  get last(): string | undefined {
    return this.#journal.state.last?.id;
  }

  get capabilities(): LearnerCapabilities {
    const { client, model } = this.#options;
    return {
      ...{ kind: 'tinker', place: client.url, model: model.baseModel, assesses: true, publishes: true },
      hasReference: this.#reference !== undefined,
      clips: !this.#journal.isNew && this.#journal.state.clips,
    };
  }

  async assess(steps: readonly TokenStep[], weights: 'present' | 'reference', signal: AbortSignal) {
    await this.#begin(signal);
    if (steps.length === 0) return [];
    if (weights === 'present') return this.#forward('policy', steps, signal);
    if (this.#reference === undefined)
      throw new Error(
        `The server ${this.#options.client.url} has no reference weights for this learner. Set β to 0, or open the learner with them.`,
      );
    if (this.#reference === 'model') return this.#forward('reference', steps, signal);
    return promptLogProbabilities(steps, this.#parts, signal);
  }

  async update(update: TokenUpdate, signal: AbortSignal): Promise<UpdateReport> {
    this.#check(signal);
    const report = this.#reportOf(update.id);
    if (report !== undefined) return report;
    if (this.#work.pending?.id === update.id) return this.#work.carryOut(signal);
    checkUpdate(update);
    if (!this.capabilities.clips) checkUnclipped(update, `the server ${this.#options.client.url}`);
    await this.#settle(signal);
    await this.#work.plan(update, await this.#weighted(update, signal), signal);
    return this.#work.carryOut(signal);
  }

  async #weighted({ rows, clip }: TokenUpdate, signal: AbortSignal): Promise<readonly WeightedStep[]> {
    const { reduction = 'sum' } = this.#options;
    if (clip !== undefined)
      return rows.map(({ step, weights, origin }) => ({ step, weights, sampled: origin.old }));
    if (reduction === 'sum') return rows;
    const steps = rows.map(({ step }) => step);
    const present = await this.#forward('policy', steps, signal);
    return rows.map(({ step, weights }, index) => ({ step, weights, sampled: present[index] }));
  }

  async publish(signal: AbortSignal): Promise<PublishedWeights> {
    await this.#begin(signal);
    const { published } = this.#journal.state;
    if (published?.step === this.step) return published;
    const path = await this.#withModel(() => this.#model.publish(`step-${this.step}`, signal), signal);
    return { step: this.step, path };
  }

  async save(name: string, signal: AbortSignal): Promise<string> {
    await this.#begin(signal);
    return JSON.stringify(await this.#withModel(() => this.#model.save(name, signal), signal));
  }

  async load(saved: string, signal: AbortSignal): Promise<void> {
    this.#check(signal);
    const state = savedState(saved);
    const { pending } = this.#work;
    await this.#model.renew(state, signal, () => ({
      pending: undefined,
      ...(pending !== undefined && { finished: { generation: pending.generation, passes: pending.passes } }),
    }));
  }

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort(new Error('The learner is closed. Open another one.'));
    await this.#heartbeats;
    if (!this.#journal.isNew) await this.#journal.commit();
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const { client, clock, model, needsReference, reduction = 'sum' } = this.#options;
    if (this.#journal.isNew) await this.#model.begin(signal);
    else this.#checkModel(model);
    this.#heartbeats = sendHeartbeats(
      beat => client.heartbeat(this.#journal.state.session, beat),
      clock,
      this.#closed.signal,
    );
    await this.#settle(signal).catch(ignoreLoss);
    const probe = async () => {
      await probeServer('policy', this.#parts, signal);
      const clips = await clipsAsExpected(this.#parts, reduction, signal);
      await this.#journal.commit({ clips });
    };
    await this.#withModel(probe, signal).catch(async error => {
      ignoreLoss(error);
      await probe();
    });
    if (this.step === 0) await checkReduction(this.#parts, reduction, signal);
    if (needsReference) this.#reference = await openReference(this.#parts, signal);
    else await this.#model.dropReference(signal);
  }

  /** An update that was interrupted is finished before anything else: the server expects its requests in order. */
  async #settle(signal: AbortSignal): Promise<void> {
    if (this.#work.pending === undefined) return;
    try {
      await this.#work.carryOut(signal);
    } catch (error) {
      // A refused update is dropped. Its caller learns the reason when it repeats the call.
      if (this.#work.pending !== undefined || !isTinkerError(error)) throw error;
    }
  }

  async #begin(signal: AbortSignal): Promise<void> {
    this.#check(signal);
    await this.#settle(signal);
  }

  #check(signal: AbortSignal): void {
    signal.throwIfAborted();
    this.#closed.signal.throwIfAborted();
  }

  #reportOf(id: string): UpdateReport | undefined {
    const { last } = this.#journal.state;
    return last?.id === id ? last.report : undefined;
  }

  async #forward(role: ModelRole, steps: readonly TokenStep[], signal: AbortSignal) {
    const forward = () => forwardLogProbabilities(role, steps, this.#parts, signal);
    const lists = await this.#withModel(forward, signal, role);
    await this.#journal.commit();
    return lists;
  }

  /** Repeats the work once with a new model, if the server has lost the old one. Rejects with StepsLost if the new one is older. */
  async #withModel<T>(work: () => Promise<T>, signal: AbortSignal, role: ModelRole = 'policy'): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isTinkerError(error, 'no-future')) return await work();
      if (!isTinkerError(error, 'no-model')) throw error;
      if (role === 'reference') await this.#model.createReference(signal);
      else await this.#renewSaved(error, signal);
      return await work();
    }
  }

  async #renewSaved(cause: TinkerError, signal: AbortSignal): Promise<void> {
    const { step, saved } = this.#journal.state;
    await this.#model.renew(saved, signal);
    if (this.step < step) throw new StepsLost(step, this.step, cause);
  }

  #checkModel({ baseModel, rank }: NewModel): void {
    const { model } = this.#journal.state;
    if (model.baseModel !== baseModel || model.rank !== rank)
      throw new Error(
        `The journal of learner '${this.#options.name}' belongs to ${model.baseModel} of rank ${model.rank}, not to ${baseModel} of rank ${rank}. Use another folder, or the earlier settings.`,
      );
  }

  get #parts() {
    const { name, client, images, limits = PASS_LIMITS, model } = this.#options;
    const parts = { name, client, images, limits, baseModel: model.baseModel };
    return { ...parts, journal: this.#journal, model: this.#model };
  }
}

function savedState(text: string): SavedState {
  try {
    return checked(savedStateSchema, JSON.parse(text), 'saved state');
  } catch (error) {
    throw new RangeError(
      `'${text.slice(0, 100)}' is no saved state of a Tinker learner: ${messageOf(error)} Pass what 'save' returned.`,
      { cause: error },
    );
  }
}

/** The caller of `open` reads the step. */
function ignoreLoss(error: unknown): void {
  if (!(error instanceof StepsLost)) throw error;
}
