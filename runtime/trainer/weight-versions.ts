// The versions of the weights: when the next is due, its publication, and its checkpoint. A version is the number of optimiser steps
// behind the weights. Steps that a restart lost count too: a number never names two different weights of a run.

import { blobOf } from '../agents/compact/blob.ts';
import type { NetworkShape } from '../agents/compact/network.ts';
import { version as asVersion, type Version } from '../core/ids.ts';
import type { Weights } from '../core/policy.ts';
import type { RandomState } from '../core/rng.ts';
import type { Register } from '../fabric/channels.ts';
import { type Tensors, tensor } from '../graph/tensor.ts';
import type { CheckpointFiles, CheckpointFolder, FoundCheckpoint, Undeleted } from './checkpoint-folder.ts';
import type { RandomStreams } from './random-streams.ts';
import type { TrainingRecipe } from './recipe.ts';
import { flat } from './update-step.ts';
import { WeightMean } from './weight-mean.ts';

/** Updates and training time so far. */
export interface TrainingProgress {
  readonly updates: number;
  readonly milliseconds: number;
}

export interface WeightVersionsOptions {
  readonly weights: Register<Weights>;
  readonly averaged: Register<Weights>;
  readonly folder: CheckpointFolder;
  readonly files: CheckpointFiles;
  readonly shape: NetworkShape;
  readonly recipe: Pick<TrainingRecipe, 'publishSeconds' | 'checkpointSeconds'>;
  /** Stored in checkpoints for the KL term. */
  readonly reference: Float32Array<ArrayBuffer> | undefined;
  /** The newest version that the files of the run name; those of steps after the last checkpoint are not in it. */
  readonly used: Version | undefined;
}

export class WeightVersions {
  readonly #options: WeightVersionsOptions;
  readonly #mean: WeightMean;
  /** Optimiser steps that restarts lost. */
  #lost: number;
  #published: TrainingProgress;
  #saved: TrainingProgress;
  /** The last attempt to write a checkpoint. */
  #tried: TrainingProgress;

  /** Continues from a checkpoint, or starts with version 0 of these weights. */
  constructor(options: WeightVersionsOptions, state: Tensors, found: FoundCheckpoint | undefined) {
    const { checkpoint } = found ?? {};
    const { updates = 0, milliseconds = 0, mean = flat(state), version = 0 } = checkpoint ?? {};
    this.#options = options;
    this.#mean = new WeightMean(mean, milliseconds);
    // Newer checkpoints that cannot be read were published too, and so were versions without a checkpoint.
    const taken = Math.max(found?.newest ?? 0, options.used ?? 0);
    const first = taken > version ? taken + 1 : version;
    // Runs of earlier versions of Dartboard counted publications, of which there were fewer than optimiser steps.
    this.#lost = Math.max(0, first - updates);
    this.#published = { updates, milliseconds };
    this.#saved = this.#published;
    this.#tried = this.#published;
  }

  /** The version of the weights after these updates. */
  numberOf({ updates }: TrainingProgress): Version {
    return asVersion(this.#lost + updates);
  }

  /** The last published version. */
  get version(): Version {
    return this.numberOf(this.#published);
  }

  /** Publishes the first weights under a number that no earlier trainer of this run has used. */
  async begin(state: Tensors): Promise<void> {
    const { weights, averaged } = this.#options;
    // A trainer that was killed between the two has set only the mean.
    const there = [await weights.get(), await averaged.get()].flatMap(each => each?.version ?? []);
    const taken = Math.max(-1, ...there);
    if (taken >= this.version) this.#lost += taken + 1 - this.version;
    await this.#set(state);
  }

  /** Milliseconds until a version is due: 0 in a pause, and infinite without updates since the last version. */
  dueIn(now: TrainingProgress, isPaused: boolean): number {
    if (!this.#isBehind(now)) return Number.POSITIVE_INFINITY;
    if (isPaused) return 0;
    return this.#published.milliseconds + 1000 * this.#options.recipe.publishSeconds - now.milliseconds;
  }

  /** Milliseconds until a checkpoint is due: 0 in a pause after the version, and infinite without updates since the last checkpoint. */
  checkpointDueIn(now: TrainingProgress, isPaused: boolean): number {
    const { checkpointSeconds, publishSeconds } = this.#options.recipe;
    const isBehind = this.#isBehind(now);
    if (!this.isUnsaved(now)) return Number.POSITIVE_INFINITY;
    // Training time stands still in a pause, so a failed attempt is not repeated there.
    if (isPaused) return !isBehind && now.updates > this.#tried.updates ? 0 : Number.POSITIVE_INFINITY;
    // Right after a version was published, a checkpoint adds no version of its own. Where that moment is near, it waits for it.
    const intervals = isBehind && publishSeconds < checkpointSeconds ? 2 : 1;
    return this.#tried.milliseconds + 1000 * checkpointSeconds * intervals - now.milliseconds;
  }

  /** Whether there are updates since the last version. */
  #isBehind({ updates }: TrainingProgress): boolean {
    return updates > this.#published.updates;
  }

  /** Whether there are updates since the last checkpoint. */
  isUnsaved({ updates }: TrainingProgress): boolean {
    return updates > this.#saved.updates;
  }

  async publish(now: TrainingProgress, state: Tensors): Promise<void> {
    this.#next(now, state);
    await this.#set(state);
  }

  /**
   * Writes a checkpoint and publishes its weights as the version of its name; the file comes first, in case nobody listens any more. Returns
   * the error if the write failed; the next checkpoint is then due at the usual time.
   */
  async checkpoint(
    now: TrainingProgress,
    state: Tensors,
    chances: RandomStreams<RandomState>,
    undeleted: Undeleted,
  ): Promise<unknown> {
    const { folder, files, shape, reference } = this.#options;
    const isNew = this.#isBehind(now);
    if (isNew) this.#next(now, state);
    const mean = this.#mean.values();
    const { version } = this;
    const held = reference === undefined ? {} : { reference };
    const checkpoint = { ...now, version, shape, state, mean, chances, ...held };
    const failure = await folder.write(checkpoint, files, undeleted).catch((error: unknown) => error);
    this.#tried = now;
    if (failure === undefined) this.#saved = now;
    if (isNew) await this.#set(state);
    return failure;
  }

  #next(now: TrainingProgress, state: Tensors): void {
    this.#mean.add(flat(state), now.milliseconds);
    this.#published = now;
  }

  async #set(state: Tensors): Promise<void> {
    const { weights, averaged } = this.#options;
    const { version } = this;
    await averaged.set({ version, blob: bytes(this.#mean.values()) });
    await weights.set({ version, blob: bytes(flat(state)) });
  }
}

const bytes = (vector: Float32Array<ArrayBuffer>): Uint8Array =>
  blobOf(tensor('float32', [vector.length], vector));
