// One row of the files that a trainer of the user reads: a step with its weights. JSON lines and Parquet have the same columns. Pure.

import type { PromptChunk, UpdateRow } from '../learner.ts';

/** Names as Python programs write them. Every field is present; absent values are null. */
export interface ExportedRow {
  readonly update: string;
  readonly step: number;
  readonly trajectory: string;
  readonly turn: number;
  readonly group: string;
  readonly task: string;
  readonly advantage: number;
  readonly prompt: readonly PromptPart[];
  readonly reply: readonly number[];
  readonly weights: readonly number[];
  readonly rollout_log_probs: readonly number[] | null;
  readonly old_log_probs: readonly number[] | null;
  readonly reference_log_probs: readonly number[] | null;
}

/** Either `tokens`, or the other two. */
export interface PromptPart {
  readonly tokens: readonly number[] | null;
  readonly image: string | null;
  readonly places: number | null;
}

export type ColumnType = 'text' | 'integer' | 'number' | 'ids' | 'numbers' | 'parts';

export interface Column {
  readonly type: ColumnType;
  /** For the manifest. */
  readonly meaning: string;
}

export const COLUMNS: Readonly<Record<keyof ExportedRow, Column>> = {
  update: { type: 'text', meaning: 'Id of the update. All rows of an update are one optimiser step.' },
  step: { type: 'integer', meaning: 'Number of optimiser steps so far, this one included.' },
  trajectory: { type: 'text', meaning: 'Id of the trajectory.' },
  turn: { type: 'integer', meaning: 'Index of the turn in its trajectory, from 0.' },
  group: { type: 'text', meaning: 'Id of the group: rollouts of one task and instance.' },
  task: { type: 'text', meaning: 'Id of the task.' },
  advantage: { type: 'number', meaning: 'Advantage of the step.' },
  prompt: {
    type: 'parts',
    meaning:
      'The prompt in the order of the model. A part has token ids in `tokens`, or the SHA-256 of a PNG in `image` and the number of its places in `places`.',
  },
  reply: { type: 'ids', meaning: 'Token ids of the reply.' },
  weights: {
    type: 'numbers',
    meaning: 'Signed weight of each token of the reply. The loss is −Σ weight · log p over all rows.',
  },
  rollout_log_probs: {
    type: 'numbers',
    meaning:
      'Log-probability of each token of the reply under the policy that replied; null on demonstrations.',
  },
  old_log_probs: {
    type: 'numbers',
    meaning: 'The same under the weights at the start of the batch; null if nobody computed it.',
  },
  reference_log_probs: {
    type: 'numbers',
    meaning: 'The same under the reference weights; null if nobody computed it.',
  },
};

export function exportedRow(
  { step, weights, origin }: UpdateRow,
  update: string,
  number: number,
): ExportedRow {
  const { trajectory, index, group, task, advantage, rollout, old, reference } = origin;
  return {
    ...{ update, step: number, trajectory, turn: index, group, task, advantage },
    ...{ prompt: step.prompt.map(promptPart), reply: step.reply, weights },
    rollout_log_probs: rollout ?? null,
    old_log_probs: old ?? null,
    reference_log_probs: reference ?? null,
  };
}

const promptPart = (chunk: PromptChunk): PromptPart =>
  chunk.kind === 'text'
    ? { tokens: chunk.tokens, image: null, places: null }
    : { tokens: null, image: chunk.sha256, places: chunk.tokens };

/** Lines of JSON, each with its line break. */
export const jsonLines = (rows: readonly object[]): Uint8Array =>
  new TextEncoder().encode(rows.map(row => `${JSON.stringify(row)}\n`).join(''));
