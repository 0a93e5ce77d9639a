// A learner that measures its optimiser steps, and reports its state as an event about once a second. It changes nothing about the learner
// that it wraps.

import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';
import type { Event, LearnerReport } from '../../core/event.ts';
import { runTogether } from '../../core/run-together.ts';
import { sum } from '../../core/sum.ts';
import type { Topic } from '../../fabric/channels.ts';
import type {
  Learner,
  LearnerCapabilities,
  PublishedWeights,
  TokenUpdate,
  UpdateReport,
} from '../../learner/learner.ts';
import { tokensOf } from '../../learner/prompt-chunks.ts';

const REPORT_INTERVAL_MS = 1000;

export class MeteredLearner implements Learner {
  readonly #learner: Learner;
  readonly #clock: Clock;
  readonly #since: number;
  readonly #price: number | undefined;
  #stepSeconds: number | undefined;
  #steppedAt: number | undefined;
  #hardwareSeconds: number | undefined;
  #tokens = 0;

  /** `price`: per million tokens that train; undefined if it is not known. */
  constructor(learner: Learner, clock: Clock, price?: number) {
    this.#learner = learner;
    this.#clock = clock;
    this.#since = clock.now();
    this.#price = price;
  }

  get capabilities(): LearnerCapabilities {
    return this.#learner.capabilities;
  }

  get step(): number {
    return this.#learner.step;
  }

  get last(): string | undefined {
    return this.#learner.last;
  }

  assess(...call: Parameters<Learner['assess']>): ReturnType<Learner['assess']> {
    return this.#learner.assess(...call);
  }

  async update(update: TokenUpdate, signal: AbortSignal): Promise<UpdateReport> {
    const [from, before] = [this.#clock.now(), this.#learner.step];
    const report = await this.#learner.update(update, signal);
    // A repeated call makes no step, and has cost nothing.
    if (this.#learner.step > before) {
      this.#stepped(report, from);
      this.#tokens += sum(update.rows.map(({ step }) => tokensOf(step)));
    }
    return report;
  }

  publish(signal: AbortSignal): Promise<PublishedWeights> {
    return this.#learner.publish(signal);
  }

  save(name: string, signal: AbortSignal): Promise<string> {
    return this.#learner.save(name, signal);
  }

  load(saved: string, signal: AbortSignal): Promise<void> {
    return this.#learner.load(saved, signal);
  }

  async forget(saved: string): Promise<void> {
    await this.#learner.forget?.(saved);
  }

  close(): Promise<void> {
    return this.#learner.close();
  }

  report(): LearnerReport {
    const { kind, place, model } = this.capabilities;
    return {
      since: this.#since,
      learner: {
        ...{ kind, place, model, step: this.step },
        ...(this.#stepSeconds !== undefined && { stepSeconds: this.#stepSeconds }),
      },
      ...(this.#steppedAt !== undefined && { steppedAt: this.#steppedAt }),
      ...(this.#hardwareSeconds !== undefined && { hardwareSeconds: this.#hardwareSeconds }),
      ...(this.#price !== undefined && { money: (this.#price * this.#tokens) / 1e6 }),
    };
  }

  /** Reports while the work runs, and once at its end. */
  async reportDuring(
    work: (over: AbortSignal) => Promise<void>,
    events: Pick<Topic<Event>, 'publish'>,
    signal: AbortSignal,
  ): Promise<void> {
    const publish = () =>
      events.publish({ module: 'trainer', at: this.#clock.now(), kind: 'learner', ...this.report() });
    const repeat = async (over: AbortSignal) => {
      while (!over.aborted) {
        publish();
        await sleepUnlessAborted(this.#clock, REPORT_INTERVAL_MS, over);
      }
    };
    try {
      await runTogether(signal, [work, repeat]);
    } finally {
      publish();
    }
  }

  #stepped({ hardwareSeconds }: UpdateReport, from: number): void {
    this.#steppedAt = this.#clock.now();
    this.#stepSeconds = Math.max(0, this.#steppedAt - from) / 1000;
    if (hardwareSeconds !== undefined && hardwareSeconds >= 0)
      this.#hardwareSeconds = (this.#hardwareSeconds ?? 0) + hardwareSeconds;
  }
}
