// Suggestions of model agents on stored trajectories: append-only records of their own, with agent, model and time. A suggestion is no
// mark: it changes no outcome, no reward, no membership of the success pool, and not what retention deletes.

import * as z from 'zod';
import { safeParse } from '../../core/safe-parse.ts';
import { ids } from './schema.ts';

const record = z.object({
  trajectory: ids.trajectory,
  /** The name in dartboard.json, and the model behind it. */
  agent: z.string().min(1),
  model: z.string(),
  at: z.number(),
  /** Whether the agent believes that the instruction was done. */
  isSuccess: z.boolean(),
  /** From 0.5 for a guess to 1. */
  confidence: z.number().min(0.5).max(1),
  /** In one sentence. */
  reason: z.string(),
});

export type Suggestion = z.output<typeof record>;

/** Undefined for an invalid record. */
export const parseSuggestion = (value: unknown): Suggestion | undefined => safeParse(record, value).data;

/** The newest, of several agents. */
export const latestSuggestion = (all: readonly Suggestion[]): Suggestion | undefined =>
  all.toSorted((a, b) => b.at - a.at)[0];
