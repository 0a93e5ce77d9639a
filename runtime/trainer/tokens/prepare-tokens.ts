// Turns a batch of replies into training rows: assesses every reply under the present weights (DART's π_old) and under the reference
// weights, selects the steps that train, and measures the distance between the server of the policy and the learner.

import { chatIn } from '../../agents/model/chat-observation.ts';
import { at } from '../../core/at.ts';
import type { Batch, BatchGroup, BatchStep, EntropyMask } from '../../core/batch.ts';
import type { TrajectoryId } from '../../core/ids.ts';
import { sum } from '../../core/sum.ts';
import type { TokensChoice } from '../../core/trace.ts';
import type { Learner, TokenStep } from '../../learner/learner.ts';
import { promptChunks, tokensOf } from '../../learner/prompt-chunks.ts';
import { importanceWeights, k3, type RecordedReply } from '../../learner/token-objective.ts';
import { highEntropyMask, type StepMask } from '../mask.ts';
import { rolloutsOf } from '../prepare.ts';
import type { TokenRecipe } from './token-recipe.ts';

/** A batch that cannot train. It is reported and skipped. */
export class TokenBatchError extends Error {
  override readonly name = 'TokenBatchError';
}

/** A step that trains. */
export interface PreparedReply extends Required<Pick<RecordedReply, 'advantage' | 'old'>> {
  readonly origin: BatchStep;
  readonly group: string;
  readonly task: string;
  readonly step: TokenStep;
  /** Whether the learner computed `old`. Otherwise it has no meaning: the present weights have the same values, so the ratio is 1. */
  readonly isAssessed: boolean;
  readonly rollout?: readonly number[];
  readonly reference?: readonly number[];
}

export interface PreparedReplies {
  /** The steps that train, in the batch's order. */
  readonly rows: readonly PreparedReply[];
  readonly masks: readonly EntropyMask[];
  /** Metrics by name; only those with a value. */
  readonly figures: ReadonlyMap<string, number>;
  /** The divergence between the log-probabilities of the server and of the learner; undefined if it cannot be measured. */
  readonly mismatch: number | undefined;
  /** Why some steps of the batch do not train, one text per trajectory. */
  readonly losses: readonly string[];
}

export interface PreparingTokens {
  readonly learner: Learner;
  readonly recipe: TokenRecipe;
  /** The tokens that may fill the places of images in prompts. */
  readonly imageTokens: readonly number[];
  /**
   * Says which images each trajectory of the batch has, before the learner asks for any. Resolves to the trajectories whose images are gone,
   * each with the reason.
   */
  readonly useImages: (
    images: ReadonlyMap<TrajectoryId, ReadonlySet<string>>,
  ) => Promise<ReadonlyMap<TrajectoryId, string>>;
}

/** Otherwise it has no gradient. */
const isUsed = ({ advantage }: BatchStep, { objective }: TokenRecipe): boolean =>
  advantage !== 0 || objective.divergence > 0;

/** Throws a TokenBatchError if a step is not a reply in tokens, or if the images of all steps are gone. */
export async function prepareTokens(
  batch: Batch,
  { learner, recipe, imageTokens, useImages }: PreparingTokens,
  signal: AbortSignal,
): Promise<PreparedReplies> {
  const { id } = batch;
  const { groups, losses } = await withImages(batch, imageTokens, useImages);
  const read = groups.flatMap(({ steps }) => steps);
  const steps = read.map(({ step }) => step);
  const { assesses } = learner.capabilities;
  const assessed = assesses ? await learner.assess(steps, 'present', signal) : undefined;
  // Without an assessment the present weights count as those of the rollout. The values of a demonstration are not known.
  const replies = read.map((each, index) => ({
    ...each,
    old: assessed?.[index] ?? each.choice.logProbabilities ?? each.choice.ids.map(() => 0),
  }));
  const masks: EntropyMask[] = [];
  const kept: typeof replies = [];
  const entropies: number[] = [];
  let next = 0;
  for (const group of groups) {
    const ofGroup = replies.slice(next, next + group.steps.length);
    next += group.steps.length;
    // The threshold compares the steps of a group, so all of them have one estimator. Stored successes have no entropies; without an
    // assessment they have no estimate at all.
    const choices = ofGroup.map(({ choice }) => choice);
    const estimated = assesses ? choices : choices.filter(each => each.logProbabilities !== undefined);
    const useEntropies = estimated.every(
      each => each.entropies !== undefined && each.estimator === estimated[0]?.estimator,
    );
    const estimates = ofGroup.map(each => entropyOf(each, { useEntropies, isAssessed: assesses }));
    entropies.push(...estimates.flatMap(each => each ?? []));
    const mask = recipe.highEntropy ? maskOf(estimates) : { threshold: 0, kept: estimates.map(() => true) };
    kept.push(...ofGroup.filter((_, index) => mask.kept[index]));
    masks.push({
      ...{ batch: id, group: group.group, threshold: mask.threshold },
      steps: ofGroup.map(({ origin }, index) => ({
        uncertainty: estimates[index] ?? mask.threshold,
        kept: at(mask.kept, index) && isUsed(origin, recipe),
        advantage: origin.advantage,
      })),
      rollouts: rolloutsOf({ steps: group.steps.map(({ origin }) => origin) }),
    });
  }
  const used = kept.filter(({ origin }) => isUsed(origin, recipe));
  const reference =
    recipe.objective.divergence > 0
      ? await learner.assess(
          used.map(({ step }) => step),
          'reference',
          signal,
        )
      : undefined;
  const rows = used.map((each, index): PreparedReply => {
    const { origin, group, task, step, choice } = each;
    const { logProbabilities: rollout } = choice;
    const ofReference = reference?.[index];
    return {
      ...{ origin, group, task, step, old: each.old, isAssessed: assesses, advantage: origin.advantage },
      ...(rollout !== undefined && { rollout }),
      ...(ofReference !== undefined && { reference: ofReference }),
    };
  });
  const mismatch = assesses
    ? meanOf(replies.flatMap(each => apart(each.old, each.choice.logProbabilities).map(k3)))
    : undefined;
  const figures = new Map<string, number>();
  const figure = (name: string, value: number | undefined) => {
    if (value !== undefined) figures.set(name, value);
  };
  figure('actor/entropy', meanOf(entropies));
  figure('data/kept_steps', kept.length / Math.max(1, replies.length));
  figure('mismatch_kl', mismatch);
  figure(
    'off_policy/weight',
    meanOf(rows.flatMap(row => importanceWeights(row.old, row.rollout, recipe.objective))),
  );
  figure(
    'actor/kl_loss',
    meanOf(
      rows.flatMap(({ reference: first, old }) => (first === undefined ? [] : apart(first, old).map(k3))),
    ),
  );
  figure('learner/tokens', sum(rows.map(({ step }) => tokensOf(step))));
  return { rows, masks, figures, mismatch, losses };
}

/** A step of a batch as the learner needs it. */
interface ReadStep {
  readonly origin: BatchStep;
  readonly group: string;
  readonly task: string;
  readonly choice: TokensChoice;
  readonly step: TokenStep;
}

/** The groups of a batch without the steps of trajectories whose images are gone. */
async function withImages(
  { groups }: Batch,
  imageTokens: readonly number[],
  useImages: PreparingTokens['useImages'],
): Promise<{
  readonly groups: readonly (Omit<BatchGroup, 'steps'> & { readonly steps: readonly ReadStep[] })[];
  readonly losses: readonly string[];
}> {
  const read = groups.map(({ steps, ...about }) => ({
    ...about,
    steps: steps.map(origin => ({
      ...{ group: about.group, task: about.instance.task },
      ...stepOf(origin, imageTokens),
    })),
  }));
  const images = new Map<TrajectoryId, Set<string>>();
  for (const { origin, step } of read.flatMap(({ steps }) => steps))
    for (const chunk of step.prompt) {
      if (chunk.kind !== 'image') continue;
      const known = images.get(origin.trajectory) ?? new Set();
      images.set(origin.trajectory, known.add(chunk.sha256));
    }
  const gone = await useImages(images);
  const left = read
    .map(group => ({ ...group, steps: group.steps.filter(({ origin }) => !gone.has(origin.trajectory)) }))
    .filter(({ steps }) => steps.length > 0);
  const losses = [...gone.values()];
  if (left.length === 0 && gone.size > 0) throw new TokenBatchError(losses.join(' '));
  return { groups: left, losses };
}

function stepOf(
  origin: BatchStep,
  imageTokens: readonly number[],
): Pick<ReadStep, 'origin' | 'choice' | 'step'> {
  const { choice, observation, trajectory, index } = origin;
  if (choice.kind !== 'tokens')
    throw new TokenBatchError(
      `Turn ${index} of ${trajectory} was chosen by heads, not by tokens. A learner of language models trains replies only.`,
    );
  try {
    const images = chatIn(observation).flatMap(({ parts }) =>
      parts.flatMap(part => (part.type === 'image' ? [part.sha256] : [])),
    );
    const prompt = promptChunks(choice.prompt, images, imageTokens);
    return { origin, choice, step: { prompt, reply: choice.ids } };
  } catch (error) {
    throw new TokenBatchError(
      `Turn ${index} of ${trajectory} cannot train: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

/**
 * The mean entropy of the tokens as the server estimated it; without an estimate the mean surprisal, which is unbiased too. Undefined if both
 * are unknown.
 */
function entropyOf(
  { choice, old }: { readonly choice: TokensChoice; readonly old: readonly number[] },
  { useEntropies, isAssessed }: { readonly useEntropies: boolean; readonly isAssessed: boolean },
): number | undefined {
  const surprisals = isAssessed || choice.logProbabilities !== undefined ? old.map(each => -each) : undefined;
  const values = (useEntropies ? choice.entropies : undefined) ?? surprisals;
  return values && (meanOf(values) ?? 0);
}

/** A reply of unknown entropy trains, and has no influence on the threshold. */
function maskOf(estimates: readonly (number | undefined)[]): StepMask {
  const { threshold, kept } = highEntropyMask(estimates.flatMap(each => each ?? []));
  const ofKnown = kept.values();
  return { threshold, kept: estimates.map(each => each === undefined || ofKnown.next().value === true) };
}

const apart = (one: readonly number[], other: readonly number[] | undefined): readonly number[] =>
  other === undefined ? [] : one.map((each, token) => each - at(other, token));

const meanOf = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : sum(values) / values.length;
