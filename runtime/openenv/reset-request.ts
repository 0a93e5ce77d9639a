// The arguments of a reset, and the instance that they select. Equal arguments select the same instance.

import * as z from 'zod';
import type { Seed, TaskId } from '../core/ids.ts';
import { seeded } from '../core/rng.ts';
import { safeParse } from '../core/safe-parse.ts';
import { SPLITS, type Suite, type TaskSplit, TIERS, type Tier } from '../environments/suite.ts';
import { OBSERVATION_MODES } from './observation.ts';
import { type InvalidField, invalidFields, invalidMessage } from './wire.ts';

const MAX_SEED = 0xffff_ffff;
/** Test seeds begin above the training seeds and must stay below 2³². */
const MAX_TEST_INDEX = 0x8000_0000;
const MAX_ID = 255;

export const resetSchema = z.strictObject({
  seed: z
    .int()
    .min(0)
    .max(MAX_SEED)
    .exactOptional()
    .describe('The instance of the task. Without a task, it also draws the task. Default: random.'),
  episode_id: z.string().max(MAX_ID).exactOptional().describe('The id in the state. Default: a new one.'),
  task_id: z.string().max(MAX_ID).exactOptional().describe('The task. Default: drawn by the seed.'),
  split: z
    .enum(SPLITS)
    .exactOptional()
    .describe(
      'train: training instances. test: other instances of the same tasks. unseen: other tasks. Default: train, or unseen for a task_id that is never trained.',
    ),
  tier: z
    .union(TIERS.map(tier => z.literal(tier)))
    .exactOptional()
    .describe('The difficulty of a drawn task. Default: any.'),
  observation: z
    .enum(OBSERVATION_MODES)
    .exactOptional()
    .describe('What observations contain. Default: the option --observation of the server.'),
});
export type ResetRequest = z.infer<typeof resetSchema>;

/** Throws a ServedError. Arguments that are null count as absent: Python clients pass None for what they leave out. */
export function parseReset(
  data: Readonly<Record<string, unknown>>,
  at: readonly string[] = [],
): ResetRequest {
  const given = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
  const parsed = safeParse(resetSchema, given);
  if (parsed.success) return parsed.data;
  throw invalidMessage(invalidFields(parsed.error, at));
}

export interface ChosenInstance {
  readonly task: TaskId;
  /** The seed of the desktop's instance. */
  readonly instance: Seed;
  readonly split: TaskSplit;
  readonly tier: Tier;
  /** The seed of the request, or the drawn one: with the task and the split it selects the same instance again. */
  readonly seed: number;
}

/** `drawn` is the seed if the request has none. Throws a ServedError if no task fits. */
export function chooseInstance(suite: Suite, request: ResetRequest, drawn: number): ChosenInstance {
  const { seed: wanted = drawn, task_id: id } = request;
  const task = id === undefined ? undefined : namedTask(suite, id);
  const split = request.split ?? (task?.unseen ? 'unseen' : 'train');
  const candidates = suite.tasks(split, request.tier);
  const chosen =
    task === undefined
      ? candidates[candidates.length === 0 ? 0 : seeded(`openenv ${wanted}`).int(candidates.length)]
      : candidates.find(each => each === task.id);
  if (chosen === undefined) throw refusal(task === undefined ? 'split' : 'task_id', unfit(request, split));
  const index = split === 'train' ? wanted : wanted % MAX_TEST_INDEX;
  const { tier } = suite.template(chosen);
  return { task: chosen, instance: suite.seed(split, index), split, tier, seed: wanted };
}

function namedTask(suite: Suite, id: string): Suite['templates'][number] {
  const found = suite.templates.find(template => template.id === id);
  if (found !== undefined) return found;
  throw refusal(
    'task_id',
    `${JSON.stringify(id)} is no task of these desktops. Leave it out to draw one by its seed.`,
  );
}

function unfit({ task_id: id, tier }: ResetRequest, split: TaskSplit): string {
  const of = tier === undefined ? `'${split}'` : `'${split}' of tier ${tier}`;
  return id === undefined
    ? `there is no task in ${of}. Choose another split or tier.`
    : `${JSON.stringify(id)} has no instances in ${of}. Leave out split and tier.`;
}

const refusal = (field: string, msg: string) =>
  invalidMessage([{ type: 'value_error', loc: ['data', field], msg } satisfies InvalidField]);
