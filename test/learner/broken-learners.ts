// Learners that break one law each. They show that the conformance suite can fail.

import type {
  Learner,
  LearnerCapabilities,
  PublishedWeights,
  TokenStep,
  TokenUpdate,
  UpdateReport,
} from '../../runtime/learner/learner.ts';
import { LIVE } from './laws/law.ts';

type Weights = 'present' | 'reference';
type Table = readonly (readonly number[])[];

/** Passes every call on. */
export class Delegate implements Learner {
  protected readonly inner: Learner;

  constructor(inner: Learner) {
    this.inner = inner;
  }

  get capabilities(): LearnerCapabilities {
    return this.inner.capabilities;
  }
  get step(): number {
    return this.inner.step;
  }
  get last(): string | undefined {
    return this.inner.last;
  }
  assess(steps: readonly TokenStep[], weights: Weights, signal: AbortSignal): Promise<Table> {
    return this.inner.assess(steps, weights, signal);
  }
  update(update: TokenUpdate, signal: AbortSignal): Promise<UpdateReport> {
    return this.inner.update(update, signal);
  }
  publish(signal: AbortSignal): Promise<PublishedWeights> {
    return this.inner.publish(signal);
  }
  save(name: string, signal: AbortSignal): Promise<string> {
    return this.inner.save(name, signal);
  }
  load(saved: string, signal: AbortSignal): Promise<void> {
    return this.inner.load(saved, signal);
  }
  close(): Promise<void> {
    return this.inner.close();
  }
}

/** An update with other weights under the same id. */
const reweighted = (update: TokenUpdate, weightOf: (weight: number, row: number) => number): TokenUpdate => ({
  ...update,
  rows: update.rows.map((row, index) => ({
    ...row,
    weights: row.weights.map(weight => weightOf(weight, index)),
  })),
});

class WithoutPlace extends Delegate {
  override get capabilities() {
    return { ...super.capabilities, place: '' };
  }
}
class DropsLogProbabilities extends Delegate {
  override async assess(...call: Parameters<Learner['assess']>) {
    return (await super.assess(...call)).map(each => each.slice(1));
  }
}
class AnswersInOneOrder extends Delegate {
  override async assess(...call: Parameters<Learner['assess']>) {
    return (await super.assess(...call)).toSorted((one, other) => (one[0] ?? 0) - (other[0] ?? 0));
  }
}
class TrainsInAssess extends Delegate {
  #calls = 0;
  #last: TokenUpdate | undefined;
  override async update(update: TokenUpdate, signal: AbortSignal) {
    this.#last = update;
    return await super.update(update, signal);
  }
  override async assess(...call: Parameters<Learner['assess']>) {
    this.#calls += 1;
    if (this.#last !== undefined) await super.update({ ...this.#last, id: `assess-${this.#calls}` }, LIVE);
    return await super.assess(...call);
  }
}
class PresentAsReference extends Delegate {
  override assess(steps: readonly TokenStep[], _: Weights, signal: AbortSignal) {
    return super.assess(steps, 'present', signal);
  }
}
class LoadMovesReference extends Delegate {
  #hasLoaded = false;
  override assess(steps: readonly TokenStep[], weights: Weights, signal: AbortSignal) {
    return super.assess(steps, this.#hasLoaded ? 'present' : weights, signal);
  }
  override async load(saved: string, signal: AbortSignal) {
    await super.load(saved, signal);
    this.#hasLoaded = true;
  }
}
class CountsFromZero extends Delegate {
  override async update(update: TokenUpdate, signal: AbortSignal) {
    const report = await super.update(update, signal);
    return { ...report, step: report.step - 1 };
  }
}
class ReportsMeanLoss extends Delegate {
  override async update(update: TokenUpdate, signal: AbortSignal) {
    const report = await super.update(update, signal);
    return { ...report, loss: (report.loss ?? 0) / update.rows.length };
  }
}
class IgnoresSigns extends Delegate {
  override update(update: TokenUpdate, signal: AbortSignal) {
    return super.update(reweighted(update, Math.abs), signal);
  }
}
class TurnsSigns extends Delegate {
  override update(update: TokenUpdate, signal: AbortSignal) {
    return super.update(
      reweighted(update, weight => -weight),
      signal,
    );
  }
}
class TrainsFirstRow extends Delegate {
  override update(update: TokenUpdate, signal: AbortSignal) {
    return super.update(
      reweighted(update, (weight, row) => (row === 0 ? weight : 0 * weight)),
      signal,
    );
  }
}
class TrainsOnWeightsOfZero extends Delegate {
  override update(update: TokenUpdate, signal: AbortSignal) {
    return super.update(
      reweighted(update, weight => weight + 0.01),
      signal,
    );
  }
}
class ForgetsIds extends Delegate {
  #calls = 0;
  override update(update: TokenUpdate, signal: AbortSignal) {
    this.#calls += 1;
    return super.update({ ...update, id: `${update.id}-${this.#calls}` }, signal);
  }
}
class AppliesRowsOneByOne extends Delegate {
  override async update({ id, rows, optimiser }: TokenUpdate, signal: AbortSignal) {
    let report = { step: this.step };
    for (const [index, row] of rows.entries())
      report = await super.update({ id: `${id}-${index}`, rows: [row], optimiser }, signal);
    return report;
  }
}
class AcceptsInvalidRows extends Delegate {
  override update(update: TokenUpdate, signal: AbortSignal) {
    const rows = update.rows.filter(
      ({ step, weights }) => weights.length === step.reply.length && weights.every(Number.isFinite),
    );
    return super.update({ ...update, rows }, signal);
  }
}
class IgnoresSignals extends Delegate {
  override update(update: TokenUpdate) {
    return super.update(update, LIVE);
  }
}
class AppliesAbortedUpdatesTwice extends Delegate {
  override async update(update: TokenUpdate, signal: AbortSignal) {
    signal.throwIfAborted();
    // Long enough for a caller that aborts on the way.
    for (let turn = 0; turn < 50 && !signal.aborted; turn++)
      await new Promise(resolve => setImmediate(resolve));
    if (!signal.aborted) return await super.update(update, signal);
    await super.update({ ...update, id: `${update.id}-lost` }, LIVE);
    throw signal.reason;
  }
}
class IgnoresClips extends Delegate {
  override update({ clip: _, ...update }: TokenUpdate, signal: AbortSignal) {
    return super.update(update, signal);
  }
}
class InventsOldLogProbabilities extends Delegate {
  override update(update: TokenUpdate, signal: AbortSignal) {
    const rows = update.rows.map(row => ({
      ...row,
      origin: { ...row.origin, old: row.origin.old ?? row.step.reply.map(() => -1) },
    }));
    return super.update({ ...update, rows }, signal);
  }
}
class TrainsInSave extends Delegate {
  #last: TokenUpdate | undefined;
  override async update(update: TokenUpdate, signal: AbortSignal) {
    this.#last = update;
    return await super.update(update, signal);
  }
  override async save(name: string, signal: AbortSignal) {
    if (this.#last !== undefined) await super.update({ ...this.#last, id: `save-${name}` }, signal);
    return await super.save(name, signal);
  }
}
class HasOneState extends Delegate {
  override async save(_: string, signal: AbortSignal) {
    return await super.save('only', signal);
  }
}
class NeverLoads extends Delegate {
  override async load(): Promise<void> {}
}
class PublishesUnderOnePath extends Delegate {
  override async publish(signal: AbortSignal) {
    return { ...(await super.publish(signal)), path: 'memory/latest' };
  }
}
class NeverCloses extends Delegate {
  override async close(): Promise<void> {}
}

/** Each with words of the title of a law that it breaks. */
export const BROKEN: readonly (readonly [new (inner: Learner) => Delegate, string])[] = [
  [WithoutPlace, 'have a place'],
  [DropsLogProbabilities, 'one log-probability per token'],
  [AnswersInOneOrder, 'in the order of its steps'],
  [TrainsInAssess, 'assess changes nothing'],
  [PresentAsReference, 'are those before the first step'],
  [LoadMovesReference, 'reference weights are the same after load'],
  [CountsFromZero, 'is one step'],
  [ReportsMeanLoss, 'the loss is'],
  [IgnoresSigns, 'less likely'],
  [TurnsSigns, 'likelier'],
  [TrainsFirstRow, 'likelier'],
  [TrainsOnWeightsOfZero, 'weights of 0'],
  [ForgetsIds, 'an update is applied once'],
  [AppliesRowsOneByOne, 'an invalid update'],
  [AppliesRowsOneByOne, 'an unknown image'],
  [AcceptsInvalidRows, 'an invalid update'],
  [IgnoresSignals, 'an aborted call'],
  [AppliesAbortedUpdatesTwice, 'aborted on its way'],
  [AppliesAbortedUpdatesTwice, 'aborted a moment later'],
  [IgnoresClips, 'equals one with the derivatives'],
  [InventsOldLogProbabilities, 'without p_old'],
  [TrainsInSave, 'save changes nothing'],
  [HasOneState, 'two names'],
  [NeverLoads, 'that a crash interrupted'],
  [NeverLoads, 'an unknown state'],
  [PublishesUnderOnePath, 'publish returns'],
  [NeverCloses, 'after close'],
];
