// The learner, the servers and the cost of a run with a model agent, as short texts, the most important first. Pure.

import type { Cost, RunLearnerState, RunServerState, SpentState } from '../../protocol/daemon/model-run.ts';
import type { RunState } from '../../protocol/daemon/state.ts';
import { learnerTitle } from '../../protocol/learner-title.ts';
import { count, duration, money, oneLine, short } from '../../run/number-format.ts';

export interface NamedParts {
  readonly name: 'learner' | 'servers' | 'cost';
  readonly parts: readonly string[];
}

/** Empty for the built-in policy. */
export const modelRunParts = ({ learner, servers, spent }: RunState): readonly NamedParts[] => [
  ...(learner === undefined ? [] : [{ name: 'learner' as const, parts: learnerParts(learner) }]),
  ...(servers === undefined ? [] : [{ name: 'servers' as const, parts: serverParts(servers) }]),
  ...(spent === undefined ? [] : [{ name: 'cost' as const, parts: spentParts(spent) }]),
];

function learnerParts(learner: RunLearnerState): readonly string[] {
  const { model, step, stepSeconds, batches, problem } = learner;
  return [
    ...(problem === undefined ? [] : [oneLine(problem)]),
    oneLine(learnerTitle(learner)),
    oneLine(model),
    `optimiser step ${count(step)}`,
    ...(stepSeconds === undefined ? [] : [`${duration(stepSeconds)} per step`]),
    `batches in queue ${count(batches)}`,
  ];
}

const PHASES: readonly RunServerState['phase'][] = ['serving', 'draining', 'updating', 'failed', 'out'];

/** The servers by phase, the problems, the range of their versions, and their requests. */
function serverParts(servers: readonly RunServerState[]): readonly string[] {
  const phases = PHASES.map(phase => ({ phase, some: servers.filter(each => each.phase === phase) }));
  const versions = servers.flatMap(({ version }) => version ?? []);
  const [oldest, newest] = [Math.min(...versions), Math.max(...versions)];
  return [
    ...phases.flatMap(({ phase, some }) => (some.length === 0 ? [] : [`${count(some.length)} ${phase}`])),
    ...servers.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [`${name}: ${oneLine(problem)}`],
    ),
    ...(versions.length === 0
      ? []
      : [oldest === newest ? `version ${count(newest)}` : `versions ${count(oldest)}–${count(newest)}`]),
    `${count(servers.reduce((all, { inFlight }) => all + inFlight, 0))} in flight`,
    ...meanLatency(servers),
  ];
}

/** Over all replies. */
function meanLatency(servers: readonly RunServerState[]): readonly string[] {
  const replies = servers.reduce((all, each) => all + each.replies, 0);
  if (replies === 0) return [];
  const whole = servers.reduce((all, each) => all + each.replies * (each.latencyMs ?? 0), 0);
  return [`${duration(whole / replies / 1000)} per reply`];
}

function spentParts(spent: SpentState): readonly string[] {
  const { promptTokens, completionTokens, perSuccess, perPoint } = spent;
  return [
    ...(spent.money === undefined ? [] : [money(spent.money)]),
    `${short(promptTokens)} tokens of prompts`,
    `${short(completionTokens)} of replies`,
    ...(spent.hardwareSeconds === undefined ? [] : [`${duration(spent.hardwareSeconds)} of hardware`]),
    ...(perPoint === undefined ? [] : [`per point of test success: ${costText(perPoint)}`]),
    ...(perSuccess === undefined ? [] : [`per successful rollout: ${costText(perSuccess)}`]),
  ];
}

/** 'cost 0.021, 52K tokens, 12.1 s of hardware' */
const costText = ({ tokens, hardwareSeconds, money: price }: Cost): string =>
  [
    ...(price === undefined ? [] : [`cost ${money(price)}`]),
    `${short(tokens)} tokens`,
    ...(hardwareSeconds === undefined ? [] : [`${duration(hardwareSeconds)} of hardware`]),
  ].join(', ');

/** '4.20', or '13.1M tokens' without prices. */
export const spentTotal = (spent: SpentState): string =>
  spent.money === undefined
    ? `${short(spent.promptTokens + spent.completionTokens)} tokens`
    : money(spent.money);
