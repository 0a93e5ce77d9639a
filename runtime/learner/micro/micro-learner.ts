// Trains the micro model in this process tree: an engine computes, and the state is a value that each update replaces.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { DecoderEngine } from '../../agents/micro/decoder.ts';
import type { WeightedRow } from '../../agents/micro/feeds.ts';
import type { MicroShape } from '../../agents/micro/network.ts';
import { pictureOfPng } from '../../agents/micro/picture.ts';
import type { MicroRow } from '../../agents/micro/row.ts';
import { encodeMicro } from '../../agents/micro/weights-file.ts';
import { at } from '../../core/at.ts';
import type { Clock } from '../../core/clock.ts';
import { clippedWeights, ratioReport } from '../built-in-loss.ts';
import type { LastUpdate } from '../last-update.ts';
import type {
  Learner,
  LearnerCapabilities,
  PromptChunk,
  PublishedWeights,
  TokenStep,
  TokenUpdate,
  UpdateReport,
} from '../learner.ts';
import { checkUpdate } from '../valid-update.ts';
import {
  type LogProbabilities,
  type MicroState,
  MicroTrainer,
  untrained,
  type WeightVector,
} from './micro-trainer.ts';
import { promptRowOf, replyRowOf } from './prompt-row.ts';
import { decodeTraining, encodeTraining } from './state-file.ts';

/** The folder of a learner. */
export interface LearnerFolder {
  /** Absolute. */
  readonly path: string;
  /** Atomic; resolves once the file survives a power failure. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  read(name: string): Promise<Uint8Array>;
  /** Of all files; none if the folder does not exist. */
  names(): Promise<readonly string[]>;
  /** Resolves also if there is no such file. */
  remove(name: string): Promise<void>;
}

export interface MicroLearnerOptions {
  readonly engine: DecoderEngine;
  readonly shape: MicroShape;
  /** The weights before the first step; they are the reference. */
  readonly weights: WeightVector;
  /** The PNG of an image by its hash. Rejects for an unknown hash. */
  readonly images: (sha256: string) => Promise<Uint8Array>;
  readonly folder: LearnerFolder;
  /** Measures the time of the engine. */
  readonly clock: Clock;
}

const publishedName = (step: number): string => `weights-${step}.safetensors`;

function publishedStep(name: string): number | undefined {
  const step = /^weights-(\d+)\.safetensors$/.exec(name)?.[1];
  return step === undefined ? undefined : Number(step);
}

/** Files of published weights that are kept, of about 10 MB each: endpoints may load the last ones. */
const KEPT_PUBLICATIONS = 4;

export class MicroLearner implements Learner {
  readonly capabilities: LearnerCapabilities;
  readonly #trainer: MicroTrainer;
  readonly #options: MicroLearnerOptions;
  #reference: WeightVector;
  #state: MicroState;
  #last: LastUpdate | undefined;
  /** Oldest first. */
  #published: readonly string[];
  #isClosed = false;

  private constructor(trainer: MicroTrainer, options: MicroLearnerOptions, published: readonly string[]) {
    this.#trainer = trainer;
    this.#options = options;
    this.#published = published;
    this.#reference = options.weights;
    this.#state = untrained(options.weights);
    this.capabilities = {
      ...{ kind: 'in-process', place: options.folder.path, model: 'micro' },
      ...{ assesses: true, hasReference: true, clips: true, publishes: true },
    };
  }

  static async open(options: MicroLearnerOptions): Promise<MicroLearner> {
    // Those of an earlier process, so that they are removed in their turn.
    const published = (await options.folder.names())
      .filter(name => publishedStep(name) !== undefined)
      .sort((a, b) => (publishedStep(a) ?? 0) - (publishedStep(b) ?? 0));
    return new MicroLearner(await MicroTrainer.open(options), options, published);
  }

  get step(): number {
    return this.#state.step;
  }

  get last(): string | undefined {
    return this.#last?.id;
  }

  async assess(
    steps: readonly TokenStep[],
    weights: 'present' | 'reference',
    signal: AbortSignal,
  ): Promise<LogProbabilities> {
    this.#admit(signal);
    const rows = await Promise.all(steps.map(async step => ({ row: await this.#rowOf(step), weights: [] })));
    const vector = weights === 'present' ? this.#state.weights : this.#reference;
    return (await this.#trainer.assess(rows, vector, signal)).logProbabilities;
  }

  async update(update: TokenUpdate, signal: AbortSignal): Promise<UpdateReport> {
    this.#admit(signal);
    if (this.#last?.id === update.id) return this.#last.report;
    checkUpdate(update);
    const before = this.#state;
    const given = await Promise.all(
      update.rows.map(async ({ step, weights }) => ({ row: await this.#rowOf(step), weights })),
    );
    const { clip } = update;
    const ratios = clip && (await this.#ratios(given, { ...update, clip }, signal));
    const rows = ratios?.rows ?? given;
    const summed = await this.#trainer.accumulate(rows, before.weights, undefined, signal);
    signal.throwIfAborted();
    const stepped = await this.#trainer.step(before, summed.gradient, update.optimiser);
    const { state, gradientNorm } = stepped;
    const computed = ratios?.report ?? { loss: lossOf(rows, summed.logProbabilities) };
    const hardwareSeconds = (ratios?.seconds ?? 0) + summed.seconds + stepped.seconds;
    const report = { step: state.step, ...computed, gradientNorm, hardwareSeconds };
    this.#state = state;
    this.#last = { id: update.id, report };
    return report;
  }

  /** The rows with the derivatives of PPO's loss as weights, what it reports, and the time of the engine. */
  async #ratios(rows: readonly WeightedRow[], { rows: given, clip }: ClippedUpdate, signal: AbortSignal) {
    const { logProbabilities, seconds } = await this.#trainer.assess(rows, this.#state.weights, signal);
    const ratios = given.map(({ weights, origin: { old = [] } }, row) => {
      return { weights, old, present: at(logProbabilities, row) };
    });
    return {
      rows: rows.map(({ row }, index) => ({ row, weights: clippedWeights(at(ratios, index), clip) })),
      report: ratioReport(ratios, clip),
      seconds,
    };
  }

  async publish(signal: AbortSignal): Promise<PublishedWeights> {
    this.#admit(signal);
    const { shape, folder } = this.#options;
    const { step, weights } = this.#state;
    const bytes = encodeMicro({ shape, version: step, weights });
    const name = publishedName(step);
    await folder.write(name, bytes);
    const all = [...this.#published.filter(each => each !== name), name];
    this.#published = all.slice(-KEPT_PUBLICATIONS);
    for (const old of all.slice(0, -KEPT_PUBLICATIONS)) await folder.remove(old);
    return { step, path: join(folder.path, name), sha256: createHash('sha256').update(bytes).digest('hex') };
  }

  async save(name: string, signal: AbortSignal): Promise<string> {
    this.#admit(signal);
    if (!/^[\w-][\w.-]{0,99}$/.test(name))
      throw new RangeError(
        `A state cannot be saved as ${JSON.stringify(name)}. Use 1 to 100 of the characters A-Z a-z 0-9 _ - and '.', which cannot be the first.`,
      );
    const file = `${name}.training.safetensors`;
    await this.#options.folder.write(
      file,
      encodeTraining({
        ...{ shape: this.#options.shape, state: this.#state, reference: this.#reference, version: this.step },
        ...(this.#last && { last: this.#last }),
      }),
    );
    return file;
  }

  async forget(saved: string): Promise<void> {
    await this.#options.folder.remove(saved);
  }

  async load(saved: string, signal: AbortSignal): Promise<void> {
    this.#admit(signal);
    const { shape, folder } = this.#options;
    const { state, reference, last, ...found } = decodeTraining(await folder.read(saved), saved);
    if (JSON.stringify(found.shape) !== JSON.stringify(shape) || reference === undefined)
      throw new RangeError(
        `The state '${saved}' belongs to another model: its network is ${JSON.stringify(found.shape)}${reference ? '' : ' without reference weights'}, this one is ${JSON.stringify(shape)}. Load a state that this learner saved.`,
      );
    [this.#state, this.#reference, this.#last] = [state, reference, last];
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#trainer.close();
  }

  #admit(signal: AbortSignal): void {
    if (this.#isClosed) throw new Error('The learner of the micro model is closed. Open a new one.');
    signal.throwIfAborted();
  }

  async #rowOf({ prompt, reply }: TokenStep): Promise<MicroRow> {
    const chunks = await Promise.all(prompt.map(chunk => this.#pictured(chunk)));
    return replyRowOf(promptRowOf(chunks), reply);
  }

  async #pictured(chunk: PromptChunk) {
    if (chunk.kind === 'text') return chunk;
    const { kind, sha256, tokens } = chunk;
    return { kind, tokens, name: sha256, picture: pictureOfPng(await this.#options.images(sha256)) };
  }
}

type ClippedUpdate = TokenUpdate & Required<Pick<TokenUpdate, 'clip'>>;

/** −Σ weight · log p. */
const lossOf = (rows: readonly WeightedRow[], logProbabilities: LogProbabilities): number =>
  rows.reduce(
    (total, { weights }, row) =>
      weights.reduce((sum, weight, token) => sum - weight * at(at(logProbabilities, row), token), total),
    0,
  );
