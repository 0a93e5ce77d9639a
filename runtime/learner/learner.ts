// The port of a learner: it holds the weights of a language model and updates them. A learner may be in this process, on a server, or a
// folder of files for a program of the user. The conformance suite (test/learner/conformance.ts) has the laws below as tests.

/** One reply of a policy with the prompt that it answers, as a learner needs it. Immutable. */
export interface TokenStep {
  /** In the order of the model. */
  readonly prompt: readonly PromptChunk[];
  /** Token ids; at least one. */
  readonly reply: readonly number[];
}

export type PromptChunk = TextChunk | ImageChunk;

export interface TextChunk {
  readonly kind: 'text';
  readonly tokens: readonly number[];
}

export interface ImageChunk {
  readonly kind: 'image';
  /** The hash of the PNG that was sent to the policy. */
  readonly sha256: string;
  /** The number of places that the image has in the prompt. */
  readonly tokens: number;
}

/** The bytes of an image by its hash. Rejects for an unknown hash. */
export type PngSource = (sha256: string) => Promise<Uint8Array>;

/** A step in an update. */
export interface UpdateRow {
  readonly step: TokenStep;
  /**
   * One per token of the reply. The loss is −Σ weight · log p, so a negative weight makes a token less likely. In an update with a clip, the
   * weights are those at a ratio of 1.
   */
  readonly weights: readonly number[];
  /** What the weights were computed from, for learners that write rows instead of training on them. */
  readonly origin: RowOrigin;
}

export interface RowOrigin {
  readonly trajectory: string;
  /** The index of the turn in its trajectory, from 0. */
  readonly index: number;
  readonly group: string;
  readonly task: string;
  readonly advantage: number;
  /** Of the trajectory; a verdict by a person counts more than the evaluator's. */
  readonly isSuccess: boolean;
  /** Log-probabilities by token: of the policy that replied, and of the weights at the start of the batch. */
  readonly rollout?: readonly number[];
  readonly old?: readonly number[];
  readonly reference?: readonly number[];
}

export interface AdamSettings {
  readonly learningRate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly weightDecay: number;
  /** 0: no limit. */
  readonly clipNorm: number;
}

/** The bounds of the ratio ρ in PPO's loss: 1 − clipLow and 1 + clipHigh. */
export interface RatioClip {
  readonly clipLow: number;
  readonly clipHigh: number;
}

export interface TokenUpdate {
  /** Equal ids are the same update: it is applied once, and each call returns the same report. */
  readonly id: string;
  readonly rows: readonly UpdateRow[];
  readonly optimiser: AdamSettings;
  /**
   * The learner takes PPO's loss, −Σ min(ρ · weight, clip(ρ) · weight) with ρ = p / p_old, in place of −Σ weight · log p. It computes p on the
   * way, so its caller needs no `assess`. Each row has log p_old in its origin. Rejected unless the capabilities have `clips`.
   */
  readonly clip?: RatioClip;
}

export interface UpdateReport {
  /** Optimiser steps of these weights so far, this one included. */
  readonly step: number;
  /** The loss under the weights before the step. Absent for learners that compute nothing. */
  readonly loss?: number;
  /** Of an update with a clip: the share of clipped tokens, and the divergence from p_old. Means of the rows over tokens with a weight. */
  readonly clipped?: number;
  readonly divergence?: number;
  readonly gradientNorm?: number;
  /** Seconds of the hardware that trained, if the learner reports them. */
  readonly hardwareSeconds?: number;
}

export interface LearnerCapabilities {
  /** 'in-process', 'tinker' or 'file'. */
  readonly kind: LearnerKind;
  /** Where the weights are, for people: a URL, a folder, or a file. */
  readonly place: string;
  /** The model that is trained. */
  readonly model: string;
  /** Whether it computes log-probabilities. Without them π_old equals π_roll. */
  readonly assesses: boolean;
  /** Whether it has the reference weights: those before the first step. */
  readonly hasReference: boolean;
  /** Whether it computes PPO's loss: `TokenUpdate.clip`. */
  readonly clips: boolean;
  /** Whether it publishes weights that endpoints can load. */
  readonly publishes: boolean;
}

export const LEARNER_KINDS = ['in-process', 'tinker', 'file'] as const;
export type LearnerKind = (typeof LEARNER_KINDS)[number];

/** Weights that endpoints can load. */
export interface PublishedWeights {
  /** The number of optimiser steps. */
  readonly step: number;
  /** For the servers of the policy: the path of an adapter or of a file of weights. */
  readonly path: string;
  readonly sha256?: string;
}

/**
 * Laws:
 * - `assess` changes nothing, and returns one log-probability per token of each reply.
 * - `update` is one optimiser step on all rows. A call with the id of the last update changes nothing and returns its report; so does a call
 *   after `load`, if the state that was loaded contains the update. No failure applies a part of an update.
 * - An update whose weights are all 0 leaves every log-probability as it is, where the optimiser has no momentum and no decay.
 * - A positive weight makes its token likelier, a negative one less likely, for a small learning rate.
 * - An update with a clip equals an update with the derivatives of PPO's loss as its weights.
 * - `last` is the id of the last update in the present weights: after `update`, after `load`, and after steps were lost.
 * - `save` and then `load` restore weights, optimiser state and the id of the last update exactly.
 * - Every call after `close` rejects. Calls are made one after another.
 */
export interface Learner {
  readonly capabilities: LearnerCapabilities;
  /** Optimiser steps so far. */
  readonly step: number;
  /** The id of the last update; undefined before the first. */
  readonly last: string | undefined;
  /** Log-probabilities under the present weights, or under the reference weights. Rejects if the capabilities exclude it. */
  assess(
    steps: readonly TokenStep[],
    weights: 'present' | 'reference',
    signal: AbortSignal,
  ): Promise<readonly (readonly number[])[]>;
  update(update: TokenUpdate, signal: AbortSignal): Promise<UpdateReport>;
  publish(signal: AbortSignal): Promise<PublishedWeights>;
  /** Saves the state under a name, and returns what `load` needs to find it. */
  save(name: string, signal: AbortSignal): Promise<string>;
  load(saved: string, signal: AbortSignal): Promise<void>;
  /** Deletes a saved state. Absent where the place of the states has its own rules for that. */
  forget?(saved: string): Promise<void>;
  close(): Promise<void>;
}
