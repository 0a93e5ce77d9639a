// The learner of a model agent: who updates its weights.

import * as z from 'zod';
import { LEARNER_KINDS, type LearnerKind } from '../../learner/learner.ts';
import { REDUCTIONS } from '../../learner/tinker/datums.ts';
import type { DeepReadonly } from '../deep-readonly.ts';
import { key, url } from './connection.ts';
import { counts, text } from './descriptions.ts';

export const learner = z
  .strictObject({
    kind: z
      .enum(LEARNER_KINDS)
      .describe(
        '`tinker`: a server of the Tinker protocol. `file`: a folder of rows for a trainer of your own. `in-process`: this machine; for the micro model only.',
      ),
    url: url
      .describe('tinker: the address of the server, such as http://localhost:8000, without /api/v1.')
      .exactOptional(),
    key: key.exactOptional(),
    base: text
      .describe('tinker: the name of the model that the server trains, such as Qwen/Qwen3.5-4B.')
      .exactOptional(),
    rank: counts(0, 4096)
      .describe('tinker: the rank of the LoRA adapter; 0 trains all weights. Default: 32.')
      .exactOptional(),
    reduction: z
      .enum(REDUCTIONS)
      .describe(
        'tinker: how the server reduces the loss of a row: `sum`, as the protocol defines it, or `row-mean`, as SkyRL on JAX does. Default: sum.',
      )
      .exactOptional(),
    checkpoints: text
      .describe(
        "tinker: the folder of SkyRL's `--checkpoints-base`, as this machine and the servers of the agent see it. Published weights are unpacked there.",
      )
      .exactOptional(),
    weights: text.describe('in-process: the file of the weights of a micro model.').exactOptional(),
    folder: text.describe('file: the folder of the rows, in the workspace.').exactOptional(),
  })
  .describe('Who updates the weights of this agent. Without it the agent can play, but not train.');

export type LearnerSettings = DeepReadonly<z.infer<typeof learner>>;

interface LearnerProblem {
  readonly path: readonly string[];
  readonly message: string;
}

/** The settings that each kind needs, and those that have no effect for it. */
const NEEDS: Readonly<Record<LearnerKind, readonly (keyof LearnerSettings)[]>> = {
  tinker: ['url', 'base'],
  'in-process': ['weights'],
  file: ['folder'],
};
const ALLOWS: typeof NEEDS = {
  tinker: ['url', 'base', 'key', 'rank', 'reduction', 'checkpoints'],
  'in-process': ['weights'],
  file: ['folder'],
};

export function learnerProblems(settings: LearnerSettings): readonly LearnerProblem[] {
  const { kind } = settings;
  const given = Object.keys(settings).filter(name => name !== 'kind');
  const missing = NEEDS[kind].filter(name => !given.includes(name));
  const odd = given.filter(name => !ALLOWS[kind].some(each => each === name));
  return [
    ...missing.map(name => ({
      path: ['learner'],
      message: `A learner of the kind '${kind}' needs '${name}'. Add it.`,
    })),
    ...odd.map(name => ({
      path: ['learner', name],
      message: `'${name}' has no effect on a learner of the kind '${kind}'. Remove it.`,
    })),
  ];
}
