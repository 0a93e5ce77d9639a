// The agents that have played, and the comparison of two of them.
//
//   agents.list      names with numbers of trajectories
//   agents.compare   success, steps, tokens and cost on the instances that both played

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import { count, empty, name, requestSchema, run, share } from './schemas.ts';

/** The purposes for which agents play. */
export const PLAYED_PURPOSES = ['evaluate', 'collect', 'train'] as const;

export const AGENT_REQUESTS = [
  requestSchema('agents.list', empty),
  requestSchema(
    'agents.compare',
    z.strictObject({
      agents: z.tuple([name, name]),
      /** The default is all purposes. */
      purpose: z.enum(PLAYED_PURPOSES).optional(),
      run: run.optional(),
    }),
  ),
] as const;

const listedAgent = z.strictObject({
  /** 'compact', or its name in dartboard.json. */
  agent: z.string(),
  trajectories: count,
});
const list = z.strictObject({ agents: z.array(listedAgent) });

const tally = { successes: count, trials: count };

/** On the common instances. Broken episodes are no trials. */
const score = z.strictObject({
  agent: z.string(),
  instances: count,
  ...tally,
  /** The 95 % interval of the success rate, clustered by task. */
  low: share,
  high: share,
  /** Per trial. */
  meanSteps: z.number().min(0),
  /** Sums over the trials. Like latency and cost, absent if one of them does not know it. */
  promptTokens: count.optional(),
  completionTokens: count.optional(),
  /** Per step. */
  latencyMs: z.number().min(0).optional(),
  /** In the currency of the configured prices. */
  cost: z.number().min(0).optional(),
});

const shift = z.number().min(-1).max(1);

/** An instance is solved if at least half of the trials solve it. */
const comparedTask = z.strictObject({
  task: z.string(),
  tallies: z.tuple([z.strictObject(tally), z.strictObject(tally)]),
  /** Numbers of instances. */
  both: count,
  onlyFirst: count,
  onlySecond: count,
  neither: count,
});

const comparison = z.strictObject({
  agents: z.tuple([score, score]),
  /** The success rate of the first agent minus that of the second, with its 95 % interval; absent without a common instance. */
  difference: z.strictObject({ value: shift, low: shift, high: shift }).optional(),
  tasks: z.array(comparedTask),
});

export const AGENT_RESULTS = { 'agents.list': list, 'agents.compare': comparison } as const;

export type ListedAgent = z.infer<typeof listedAgent>;
export type AgentComparisonResult = z.infer<typeof comparison>;
export type ComparedAgent = z.infer<typeof score>;
export type ComparedTask = z.infer<typeof comparedTask>;
