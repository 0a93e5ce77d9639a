// An update in work: planned as a whole in the journal, then sent request by request. It is applied once, whatever fails and whenever the
// learner is killed.
//
//   plan      every request is in the journal, and none is sent
//   gradient  the passes are sent; the server adds up their gradients
//   step      all passes succeeded; the optimiser step is sent
//
// A server that recognises a repeated request by its number answers with its first answer, so the exact bytes are sent again. From another
// server, and after a failure that leaves gradients behind, only a new model with saved weights is certain (recovery.ts).

import { at } from '../../core/at.ts';
import type { PngSource, TokenUpdate, UpdateReport } from '../learner.ts';
import type { TinkerClient } from './client.ts';
import {
  inRequests,
  type LossReduction,
  lossFor,
  type PassLimits,
  trainingDatum,
  type WeightedStep,
} from './datums.ts';
import type { LearnerJournal, PendingUpdate } from './journal.ts';
import { type Remedy, remedyFor } from './recovery.ts';
import {
  type EncodedRequest,
  passFrom,
  passRequest,
  plannedPass,
  plannedStep,
  readdressedStep,
  stepRequest,
} from './requests.ts';
import { STEP } from './results.ts';
import type { ServedModel } from './served-model.ts';
import { isTinkerError, StepsLost, TinkerError } from './tinker-error.ts';
import { computedLoss, gradientNormIn, hardwareSecondsIn, totalSeconds } from './update-loss.ts';

export interface UpdateWorkOptions {
  /** The learner, for messages. */
  readonly name: string;
  readonly client: TinkerClient;
  readonly journal: LearnerJournal;
  readonly model: ServedModel;
  readonly images: PngSource;
  readonly reduction: LossReduction;
  readonly limits: PassLimits;
}

/** New models for one update before its failure is reported. */
const MAX_RENEWALS = 2;

export class UpdateWork {
  readonly #options: UpdateWorkOptions;
  /** Whether the next request may have been sent already, without an answer. */
  #mayBeSent: boolean;
  #isSubmitting = false;

  constructor(options: UpdateWorkOptions) {
    this.#options = options;
    const pending = options.journal.isNew ? undefined : options.journal.state.pending;
    // The step is sent only after its phase began.
    const isBetweenPhases = pending?.phase === 'gradient' && pending.futures.length === pending.passes;
    this.#mayBeSent = pending !== undefined && !isBetweenPhases;
  }

  get pending(): PendingUpdate | undefined {
    return this.#options.journal.state.pending;
  }

  /** `rows` are those of the update. Nothing is sent. */
  async plan(
    { id, optimiser, clip }: TokenUpdate,
    rows: readonly WeightedStep[],
    signal: AbortSignal,
  ): Promise<void> {
    const { journal, images, reduction, limits } = this.#options;
    await journal.removeFinished();
    const { policy, encoding, generations: generation } = journal.state;
    const loss = lossFor(reduction, clip);
    let passes = 0;
    const datumOf = (row: WeightedStep) => trainingDatum(row, { rows: rows.length, reduction }, images);
    for await (const data of inRequests(rows, datumOf, limits)) {
      signal.throwIfAborted();
      const address = { modelId: policy.id, seqId: policy.next + passes };
      const { body } = passRequest({ ...address, ...loss, forwardOnly: false, data }, encoding);
      await journal.writeRequest(generation, passes, body);
      passes += 1;
    }
    const step = stepRequest({ modelId: policy.id, seqId: policy.next + passes }, optimiser);
    await journal.writeRequest(generation, passes, step.body);
    signal.throwIfAborted();
    this.#mayBeSent = false;
    await journal.commit({
      generations: generation + 1,
      policy: { ...policy, next: policy.next + passes + 1 },
      pending: {
        ...{ id, rows: rows.length, encoding, passes, first: policy.next, generation },
        ...{ isAsPlanned: true, phase: 'gradient', futures: [] },
      },
    });
  }

  /** Rejects with StepsLost, or with the failure. The update stays in work after a temporary one, and is dropped if the server refused it. */
  async carryOut(signal: AbortSignal): Promise<UpdateReport> {
    for (let renewals = 0; ; renewals++) {
      this.#isSubmitting = false;
      try {
        return await this.#run(signal);
      } catch (error) {
        if (!isTinkerError(error)) throw error;
        const { phase } = this.#present();
        const { recognisesRepeats } = this.#options.journal.state;
        const { reason, isUnsent } = error;
        const isSubmission = this.#isSubmitting;
        const remedy = remedyFor({ reason, phase, isSubmission, isUnsent, recognisesRepeats });
        if (remedy === 'later') throw error;
        if (remedy === 'drop') {
          await this.#drop(error, signal);
          throw error;
        }
        if (renewals >= MAX_RENEWALS) throw error;
        await this.#renew(remedy, error, signal, { isDropped: false });
      }
    }
  }

  async #run(signal: AbortSignal): Promise<UpdateReport> {
    const { client, journal } = this.#options;
    while (this.#present().futures.length < this.#present().passes) await this.#submit(signal);
    if (this.#present().phase === 'gradient') {
      const computed = await computedLoss(this.#present(), this.#options, signal);
      await journal.commit({ pending: { ...this.#present(), phase: 'step', ...computed } });
    }
    if (this.#present().futures.length === this.#present().passes) await this.#submit(signal);
    const { id, loss, clipped, divergence, futures, passes, generation } = this.#present();
    const metrics = (await client.result(at(futures, passes), STEP, signal)).metrics ?? {};
    const gradientNorm = gradientNormIn(metrics);
    const hardwareSeconds = totalSeconds(this.#present().hardwareSeconds, hardwareSecondsIn(metrics));
    const report = {
      step: journal.state.step + 1,
      ...(loss !== undefined && { loss }),
      ...(clipped !== undefined && { clipped }),
      ...(divergence !== undefined && { divergence }),
      ...(gradientNorm !== undefined && { gradientNorm }),
      ...(hardwareSeconds !== undefined && { hardwareSeconds }),
    };
    await journal.commit({
      ...{ step: report.step, last: { id, report }, pending: undefined },
      finished: { generation, passes },
    });
    await journal.removeFinished();
    return report;
  }

  /** Sends the next request, and records where its result will be. */
  async #submit(signal: AbortSignal): Promise<void> {
    const { client, journal, name } = this.#options;
    const { recognisesRepeats } = journal.state;
    if (this.#mayBeSent && !recognisesRepeats)
      throw new TinkerError(
        'uncertain',
        name,
        'A request may have been handled before the learner stopped, and the server does not recognise a repetition. The learner makes a new model.',
      );
    const request = await this.#request();
    this.#mayBeSent = true;
    this.#isSubmitting = true;
    const future = await client
      .submit(request, signal, { mayRepeat: recognisesRepeats })
      .catch((error: unknown) => {
        if (isTinkerError(error) && error.isUnsent) this.#mayBeSent = false;
        throw error;
      });
    this.#isSubmitting = false;
    this.#mayBeSent = false;
    const pending = this.#present();
    await journal.commit({ pending: { ...pending, futures: [...pending.futures, future] } });
  }

  /** The next request: the bytes in the journal. Only the model and the numbers change after a renewal. */
  async #request(): Promise<EncodedRequest> {
    const { journal } = this.#options;
    const pending = this.#present();
    const index = pending.futures.length;
    const body = await journal.readRequest(pending, index);
    const isStep = index === pending.passes;
    if (pending.isAsPlanned) return isStep ? plannedStep(body) : plannedPass(body, pending.encoding);
    const address = { modelId: journal.state.policy.id, seqId: pending.first + index };
    if (isStep) return readdressedStep(body, address);
    return passRequest({ ...passFrom(body, pending.encoding), ...address }, pending.encoding);
  }

  /** The server refused a request. Gradients that were accepted before must not be part of the next update. */
  async #drop(error: TinkerError, signal: AbortSignal): Promise<void> {
    const { journal, model } = this.#options;
    const { phase, futures, first, generation, passes } = this.#present();
    if (phase === 'gradient' && futures.length === 0) {
      model.renumber('policy', first);
      await journal.commit({ pending: undefined, finished: { generation, passes } });
      return;
    }
    // A step that failed may have changed the weights.
    const isUnclear = phase === 'step' && error.reason === 'failed';
    await this.#renew(isUnclear ? 'renew-saved' : 'renew-present', error, signal, { isDropped: true });
  }

  async #renew(
    remedy: Exclude<Remedy, 'later' | 'drop'>,
    cause: TinkerError,
    signal: AbortSignal,
    { isDropped }: { readonly isDropped: boolean },
  ): Promise<void> {
    const { journal, model } = this.#options;
    const { step } = journal.state;
    const pending = this.#present();
    if (remedy === 'renew-present' && journal.state.saved?.step !== step) {
      // The numbers of the requests that were not sent are free.
      model.renumber('policy', pending.first + pending.futures.length);
      try {
        await model.save('renewal', signal);
      } catch (error) {
        if (!isTinkerError(error, 'no-model')) throw error;
      }
    }
    const { saved } = journal.state;
    const to = saved?.step ?? 0;
    const { generation, passes } = pending;
    const isOver = isDropped || to < step;
    await model.renew(saved, signal, slot =>
      isOver
        ? { pending: undefined, finished: { generation, passes } }
        : {
            policy: { ...slot, next: slot.next + passes + 1 },
            pending: {
              ...{ ...pending, first: slot.next, isAsPlanned: false },
              ...{
                phase: 'gradient',
                futures: [],
                loss: undefined,
                clipped: undefined,
                divergence: undefined,
                hardwareSeconds: undefined,
              },
            },
          },
    );
    this.#mayBeSent = false;
    if (to < step) throw new StepsLost(step, to, cause);
  }

  #present(): PendingUpdate {
    const { pending } = this;
    if (pending === undefined) throw new Error('No update is in work. Plan one first.');
    return pending;
  }
}
