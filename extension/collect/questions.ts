// The questions before a collection, the request that follows from them, and its progress as text. Pure.

import {
  AGENT_DEFAULTS,
  COLLECT_DEFAULTS,
  type CollectionState,
} from '../../runtime/protocol/daemon/collection.ts';
import type { DaemonParams } from '../../runtime/protocol/daemon/messages.ts';
import { tierTitle } from '../../runtime/protocol/tiers.ts';
import { type ConfiguredAgent, configuredAgents, describeAgent } from '../agents/configured-agents.ts';
import { type ConfigFile, selectsTasks, withoutUnchosenGuests } from '../config-file.ts';
import { percent } from '../format.ts';
import { type ListedRun, listedRuns, type RunOverview } from '../runs/run-list.ts';

type CollectParams = DaemonParams<'collect.start'>;
export interface CollectAnswers {
  readonly wanted?: CollectParams['wanted'];
  readonly by?: CollectParams['by'];
  /** Successes of an agent enter the pool without review. */
  readonly accepts?: boolean;
}

interface CollectChoice {
  readonly label: string;
  readonly detail: string;
  readonly answer: CollectAnswers;
}

export interface CollectQuestion {
  readonly title: string;
  readonly choices: readonly CollectChoice[];
  /** Asked only if an agent of dartboard.json plays. */
  readonly agentsOnly?: true;
}

/** `dartboard collect --from` accepts older runs too. */
const MAX_RUNS = 10;
const TIERS = [1, 2, 3, 4] as const;

/**
 * At most three. Asks for a player only if a run has weights or dartboard.json has agents, and the command was not called on a run.
 */
export function collectQuestions(
  config: ConfigFile,
  list: RunOverview,
  chosenRun?: string,
): readonly CollectQuestion[] {
  const trained = listedRuns(list).filter(
    ({ about, last }) => about.agent === undefined && last !== undefined,
  );
  const tasks = [
    ...(selectsTasks(config) ? [TASKS_OF_CONFIG] : []),
    {
      label: 'All four tiers',
      detail: 'Tasks with the lowest success rate come first.',
      answer: { wanted: { tiers: [...TIERS] } },
    },
    ...TIERS.map(tier => ({ label: tierTitle(tier), detail: '', answer: { wanted: { tiers: [tier] } } })),
  ];
  const agents = configuredAgents(config).map(agentChoice);
  const players = [SCRIPTED, ...agents, ...trained.slice(0, MAX_RUNS).map(weightsChoice)];
  return [
    ...(players.length === 1 || chosenRun !== undefined ? [] : [{ title: 'Who plays?', choices: players }]),
    { title: 'Collect successes of which tasks?', choices: tasks },
    ...(agents.length === 0 || chosenRun !== undefined
      ? []
      : [{ title: 'Who accepts the successes?', choices: REVIEW, agentsOnly: true as const }]),
  ];
}

export const mustAsk = ({ agentsOnly }: CollectQuestion, { by }: CollectAnswers): boolean =>
  agentsOnly === undefined || by?.kind === 'agent';

const TASKS_OF_CONFIG: CollectChoice = {
  label: 'Tasks of dartboard.json',
  detail: 'The tasks that a training in this folder uses.',
  answer: {},
};

const SCRIPTED: CollectChoice = {
  label: 'Scripted solutions',
  detail: 'Always succeed. Dartboard accepts them into the success pool at once.',
  answer: { by: { kind: 'script' } },
};

const weightsChoice = ({ run, last }: ListedRun): CollectChoice => {
  const rate = last === undefined ? '' : `Solve ${percent(last.rate)} of test tasks. `;
  return {
    label: `Weights of ${run}`,
    detail: `${rate}Play at a high temperature. You accept each success.`,
    answer: { by: byWeights(run) },
  };
};

export const byWeights = (run: string): CollectParams['by'] => ({
  ...{ kind: 'weights', from: run },
  ...{ rollouts: COLLECT_DEFAULTS.rollouts, temperature: COLLECT_DEFAULTS.temperature },
});

const agentChoice = (agent: ConfiguredAgent): CollectChoice => ({
  label: `Agent ${agent.name}`,
  detail: describeAgent(agent),
  answer: {
    by: {
      ...{ kind: 'agent', agent: agent.name },
      ...{ rollouts: AGENT_DEFAULTS.rollouts, temperature: AGENT_DEFAULTS.temperature },
    },
  },
});

const REVIEW: readonly CollectChoice[] = [
  {
    label: 'You, in the panel Annotate',
    detail: 'Each success waits until you accept it.',
    answer: { accepts: false },
  },
  {
    label: 'The evaluators of the tasks',
    detail: 'Each success enters the success pool at once.',
    answer: { accepts: true },
  },
];

/** Scripted solutions are correct, so nobody has to review them. */
export const collectParams = (
  config: ConfigFile,
  { wanted, by = { kind: 'script' }, accepts = by.kind === 'script' }: CollectAnswers,
  who: string,
): CollectParams => ({
  ...{ config: { ...withoutUnchosenGuests(config) }, by, who, accepts },
  ...(wanted !== undefined && { wanted }),
});

const sum = ({ rows }: CollectionState, name: 'tried' | 'succeeded' | 'kept' | 'broken'): number =>
  rows.reduce((total, row) => total + row[name], 0);

/** From 0 to 100. */
export const progressPercent = (state: CollectionState): number =>
  state.tries === 0 ? 100 : (100 * (sum(state, 'tried') + sum(state, 'broken'))) / state.tries;

/** Ends with what delays the next episode, if something does. */
export function progressText(state: CollectionState): string {
  const tried = sum(state, 'tried') + sum(state, 'broken');
  const text = `${tried} of ${state.tries} episodes, ${sum(state, 'succeeded')} succeeded`;
  return state.problem === undefined ? text : `${text}; ${state.problem}`;
}

/** Throws for an evaluation: it adds nothing to the success pool, so the command must not show it as its collection. */
export function requireNoEvaluation(collecting: CollectionState | undefined): void {
  if (collecting?.evaluates !== undefined)
    throw new Error(
      `The daemon is busy: an evaluation runs (${collecting.told}, ${progressText(collecting)}). Wait for its end or cancel it, then collect again.`,
    );
}

/** Throws if the collection failed. */
export function resultText(state: CollectionState): string {
  if (state.status === 'failed')
    throw new Error(
      `Collecting successes failed: ${state.message ?? 'the daemon gave no reason. Show the log.'}`,
    );
  const [kept, tried] = [sum(state, 'kept'), sum(state, 'tried')];
  const prefix = state.status === 'stopped' ? 'Stopped early. ' : '';
  if (kept === 0) return `${prefix}0 of ${tried} episodes succeeded. Nothing was added.`;
  const result = state.accepts ? 'They are in the success pool.' : 'They wait for your review.';
  return `${prefix}${kept} of ${tried} episodes succeeded. ${result}`;
}
