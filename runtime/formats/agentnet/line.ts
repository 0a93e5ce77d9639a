// One line of AgentNet's files: a trajectory with its steps. Dartboard's own fields are under the key `dartboard`. Pure.

import * as z from 'zod';
import { MODES } from '../../core/policy.ts';
import { ids } from '../../data/files/schema.ts';
import { PURPOSES } from '../../protocol/daemon/trajectories.ts';

const text = z.string().nullish();

const value = z.looseObject({
  code: text,
  observation: text,
  thought: text,
  /** The action in words. */
  action: text,
});

const step = z.looseObject({ image: text, value });

export const agentNetLine = z.looseObject({
  task_id: z.union([z.string(), z.number()]).transform(String),
  instruction: text,
  natural_language_task: text,
  task_completed: z.boolean().nullish(),
  traj: z.array(step).min(1),
  dartboard: z
    .object({
      /** Of the trajectory that was exported. */
      id: ids.trajectory.optional(),
      seed: z.int().min(0).max(0xffff_ffff),
      purpose: z.enum(PURPOSES),
      mode: z.enum(MODES),
      /** AgentNet knows only success. */
      score: z.number().min(0).max(1).optional(),
      /** The picture after the last step. */
      final: z.string().optional(),
      startedAt: z.number(),
      endedAt: z.number(),
    })
    .optional(),
});

export type AgentNetLine = z.output<typeof agentNetLine>;
export type AgentNetValue = z.output<typeof value>;
export type WrittenAgentNetLine = z.input<typeof agentNetLine>;

/** Whether a JSON value may be such a line: another file is not a damaged one. */
export const mayBeAgentNet = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'traj' in value && 'task_id' in value;
