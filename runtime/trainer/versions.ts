// The versions of the weights: when the next one is due, what is published as it, and which of them are kept on disk. How weights
// come to change is not told here.

import { blobOf } from '../agent/blob.ts';
import type { NetworkShape } from '../agent/network.ts';
import { version as asVersion, type Version } from '../core/ids.ts';
import type { Weights } from '../core/policy.ts';
import type { RandomState } from '../core/rng.ts';
import type { Register } from '../fabric/channels.ts';
import { type Tensors, tensor } from '../graph/tensor.ts';
import type { Chances } from './chances.ts';
import type { CheckpointFolder, Files, Found } from './checkpoint-folder.ts';
import { RunningMean } from './mean.ts';
import type { TrainingRecipe } from './recipe.ts';
import { flat } from './update-step.ts';

/** How far a training is. */
export interface Standing {
  readonly updates: number;
  readonly milliseconds: number;
}

export interface VersionsOptions {
  readonly weights: Register<Weights>;
  readonly averaged: Register<Weights>;
  readonly folder: CheckpointFolder;
  readonly files: Files;
  readonly shape: NetworkShape;
  readonly recipe: Pick<TrainingRecipe, 'publishEvery' | 'checkpointEvery'>;
  /** What a checkpoint keeps besides, see there. */
  readonly reference: Float32Array<ArrayBuffer> | undefined;
}

export class Versions {
  readonly #options: VersionsOptions;
  readonly #mean: RunningMean;
  #version: Version;
  #published: Standing;
  #kept: Standing;
  /** When it was tried last to keep one. */
  #triedAt: number;

  /** Goes on from a checkpoint, or begins with version 0 of these weights. */
  constructor(options: VersionsOptions, state: Tensors, found: Found | undefined) {
    const { checkpoint } = found ?? {};
    const { updates = 0, milliseconds = 0, mean = flat(state), version = 0 } = checkpoint ?? {};
    this.#options = options;
    this.#mean = new RunningMean(mean, milliseconds);
    // Newer ones that cannot be used were published too: their numbers are taken.
    this.#version = asVersion(found !== undefined && found.newest > version ? found.newest + 1 : version);
    this.#published = { updates, milliseconds };
    this.#kept = this.#published;
    this.#triedAt = milliseconds;
  }

  /** The last that others were given. */
  get version(): Version {
    return this.#version;
  }

  /** Lets others have the first weights. What was published by an earlier trainer of this run keeps its number. */
  async begin(state: Tensors): Promise<void> {
    const there = await this.#options.weights.get();
    if (there !== undefined && there.version >= this.#version) this.#version = asVersion(there.version + 1);
    await this.#set(state);
  }

  /** Whether something was learned since the last version, and that was long enough ago. */
  isDue(now: Standing): boolean {
    return this.isBehind(now) && this.dueIn(now) <= 0;
  }

  /** Milliseconds after which the last version is old enough for another. */
  dueIn({ milliseconds }: Standing): number {
    return this.#published.milliseconds + 1000 * this.#options.recipe.publishEvery - milliseconds;
  }

  /** Whether something was learned since the last version. */
  isBehind({ updates }: Standing): boolean {
    return updates > this.#published.updates;
  }

  isCheckpointDue(now: Standing): boolean {
    const age = now.milliseconds - this.#triedAt;
    return this.isUnkept(now) && age >= 1000 * this.#options.recipe.checkpointEvery;
  }

  /** Whether something was learned since the last checkpoint. */
  isUnkept({ updates }: Standing): boolean {
    return updates > this.#kept.updates;
  }

  async publish(now: Standing, state: Tensors): Promise<void> {
    this.#next(now, state);
    await this.#set(state);
  }

  /**
   * The weights of a checkpoint are those of the version that it is named by; on the disk first, should nobody listen any more. Gives what
   * went wrong where it could not be written: then another is due as if it had been.
   */
  async keep(now: Standing, state: Tensors, chances: Chances<RandomState>): Promise<unknown> {
    const { folder, files, shape, reference } = this.#options;
    const isNew = this.isBehind(now);
    if (isNew) this.#next(now, state);
    const mean = this.#mean.values();
    const version = this.#version;
    const held = reference === undefined ? {} : { reference };
    const checkpoint = { ...now, version, shape, state, mean, chances, ...held };
    const unwritten = await folder.keep(checkpoint, files).catch((error: unknown) => error);
    this.#triedAt = now.milliseconds;
    if (unwritten === undefined) this.#kept = now;
    if (isNew) await this.#set(state);
    return unwritten;
  }

  #next(now: Standing, state: Tensors): void {
    this.#mean.see(flat(state), now.milliseconds);
    this.#version = asVersion(this.#version + 1);
    this.#published = now;
  }

  async #set(state: Tensors): Promise<void> {
    const { weights, averaged } = this.#options;
    const version = this.#version;
    await averaged.set({ version, blob: bytes(this.#mean.values()) });
    await weights.set({ version, blob: bytes(flat(state)) });
  }
}

const bytes = (vector: Float32Array<ArrayBuffer>): Uint8Array =>
  blobOf(tensor('float32', [vector.length], vector));
