// A model of a session: its state of training, and the gradient that its requests accumulate until the next optimiser step.

import type { MicroShape } from '../../agents/micro/network.ts';
import { decodeMicro, encodeMicro } from '../../agents/micro/weights-file.ts';
import { at } from '../../core/at.ts';
import { sum } from '../../core/sum.ts';
import type { AdamSettings } from '../../learner/learner.ts';
import {
  type MicroState,
  type OptimiserStep,
  type RowsAssessment,
  untrained,
  type WeightVector,
} from '../../learner/micro/micro-trainer.ts';
import { decodeTraining, encodeTraining } from '../../learner/micro/state-file.ts';
import {
  type ForwardBackward,
  type ForwardBackwardResult,
  HARDWARE_SECONDS,
  type WireRecord,
} from '../../learner/tinker/wire/messages.ts';
import { TinkerFault } from './faults.ts';
import type { TrainerCalls } from './lazy-trainer.ts';
import { CROSS_ENTROPY, checkLoss, type TokenLosses, tokenLosses } from './losses.ts';
import { type DatumRow, trainingRow } from './training-row.ts';

export interface TrainingModelOptions {
  readonly trainer: TrainerCalls;
  readonly shape: MicroShape;
  readonly weights: WeightVector;
  readonly version: number;
}

/** Requests of the protocol are not aborted. */
const NEVER = new AbortController().signal;

export class TrainingModel {
  readonly #trainer: TrainerCalls;
  readonly #shape: MicroShape;
  #state: MicroState;
  #version: number;
  #gradient: WeightVector | undefined;

  constructor({ trainer, shape, weights, version }: TrainingModelOptions) {
    this.#trainer = trainer;
    this.#shape = shape;
    this.#state = untrained(weights);
    this.#version = version;
  }

  get weights(): WeightVector {
    return this.#state.weights;
  }

  /** Optimiser steps, with those of the weights that it began with. */
  get version(): number {
    return this.#version;
  }

  /** A failed request leaves the gradient as it was. */
  async forwardBackward({
    lossFn,
    lossFnConfig = {},
    data,
    forwardOnly,
  }: ForwardBackward): Promise<ForwardBackwardResult> {
    checkLoss(lossFn, lossFnConfig);
    if (data.length === 0) throw new TinkerFault('The request has no data. Send at least one datum.');
    const rows = data.map(trainingRow);
    const { weights } = this.#state;
    const unweighted = rows.map(({ row }) => ({ row, weights: [] }));
    const lossesOf = (logprobs: readonly (readonly number[])[]): readonly TokenLosses[] =>
      rows.map(({ lists }, index) =>
        tokenLosses(lossFn, lossFnConfig, {
          ...{ logprobs: at(logprobs, index), weights: lists.get('weights') },
          ...{ sampled: lists.get('logprobs'), advantages: lists.get('advantages') },
        }),
      );
    // The weights of cross-entropy do not depend on the log-probabilities.
    const isLinear = lossFn === CROSS_ENTROPY;
    const before: RowsAssessment =
      isLinear && !forwardOnly
        ? { logProbabilities: rows.map(({ row }) => zeros(row.entries.length - row.prompt)), seconds: 0 }
        : await this.#trainer.assess(unweighted, weights, NEVER);
    const losses = lossesOf(before.logProbabilities);
    if (forwardOnly) return resultOf(rows, before, losses);
    const weighted = rows.map(({ row }, index) => ({ row, weights: at(losses, index).weights }));
    const { gradient, logProbabilities, seconds } = await this.#trainer.accumulate(
      weighted,
      weights,
      this.#gradient,
      NEVER,
    );
    this.#gradient = gradient;
    return resultOf(
      rows,
      { logProbabilities, seconds: before.seconds + seconds },
      isLinear ? lossesOf(logProbabilities) : losses,
    );
  }

  /** Without a gradient since the last step, the gradient is 0. A step that fails drops the gradient. */
  async optimStep(settings: AdamSettings): Promise<Omit<OptimiserStep, 'state'> & { readonly step: number }> {
    const gradient = this.#gradient ?? new Float32Array(this.weights.length);
    this.#gradient = undefined;
    const { state, ...report } = await this.#trainer.step(this.#state, gradient, settings);
    this.#state = state;
    this.#version += 1;
    return { ...report, step: this.#version };
  }

  /** With the optimiser. */
  save(): Uint8Array<ArrayBuffer> {
    return encodeTraining({ shape: this.#shape, state: this.#state, version: this.#version });
  }

  /** For samplers. */
  saveWeights(): Uint8Array<ArrayBuffer> {
    return encodeMicro({ shape: this.#shape, version: this.#version, weights: this.weights });
  }

  /** `name` names the file in errors. The accumulated gradient belongs to the weights before, and is dropped. */
  load(file: Uint8Array, name: string, withOptimiser: boolean): void {
    const { shape, state, version } = decodeTraining(file, name);
    this.#checkShape(shape, name);
    this.#state = withOptimiser ? state : untrained(state.weights);
    this.#version = version;
    this.#gradient = undefined;
  }

  /** From weights that were saved for samplers. */
  loadWeights(file: Uint8Array, name: string): void {
    const { shape, weights, version } = decodeMicro(file, name);
    this.#checkShape(shape, name);
    this.#state = untrained(weights);
    this.#version = version;
    this.#gradient = undefined;
  }

  #checkShape(shape: MicroShape, name: string): void {
    if (JSON.stringify(shape) === JSON.stringify(this.#shape)) return;
    throw new TinkerFault(
      `The weights in '${name}' have the network ${JSON.stringify(shape)}, the server ${JSON.stringify(this.#shape)}. Load weights that this server saved.`,
    );
  }
}

const zeros = (count: number): readonly number[] => new Array<number>(count).fill(0);

/** Places of the prompt have the log-probability 0: the model does not predict them. */
function resultOf(
  rows: readonly DatumRow[],
  { logProbabilities, seconds }: RowsAssessment,
  losses: readonly TokenLosses[],
): ForwardBackwardResult {
  const outputs = rows.map(({ places, first }, index): WireRecord => {
    const listed = (values: readonly number[]) =>
      ({ type: 'float32', data: [...zeros(first), ...values], shape: [places] }) as const;
    return {
      logprobs: listed(at(logProbabilities, index)),
      elementwise_loss: listed(at(losses, index).losses),
    };
  });
  return {
    ...{ outputType: 'ArrayRecord', outputs },
    metrics: { 'loss:sum': sum(losses.map(each => sum(each.losses))), [HARDWARE_SECONDS]: seconds },
  };
}
