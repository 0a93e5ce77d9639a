// Suggestions of model agents and the pre-sort that makes them, in words. Pure.

import {
  type AgreementResult,
  MAX_PRESORTED,
  type ModelSuggestion,
  type PresortState,
} from '../../runtime/protocol/daemon/annotation.ts';
import type { AnnotationMarks } from '../../runtime/protocol/daemon/remarks.ts';
import { formatCount, formatPercent, plural } from '../shared/labels.ts';

/** A suggestion is hidden until this person has voted, so that the vote is independent. */
export const hasVoted = ({ votes = [] }: Pick<AnnotationMarks, 'votes'>, who: string): boolean =>
  votes.some(vote => vote.who === who);

export const suggestionLabel = ({ agent, isSuccess, confidence }: ModelSuggestion): string =>
  `${agent}: likely ${isSuccess ? 'success' : 'failure'}, ${formatPercent(confidence)} sure`;

export const suggestionWithReason = (suggestion: ModelSuggestion): string =>
  suggestion.reason === ''
    ? suggestionLabel(suggestion)
    : `${suggestionLabel(suggestion)}. ${suggestion.reason}`;

/** The agreement of each model agent with this person, in one line each; empty without common judgements. */
export const modelAgreementLabel = ({ models }: Pick<AgreementResult, 'models'>, who: string): string =>
  models
    .filter(each => each.who === who)
    .map(({ agent, both, agreed, kappa }) => {
      const chance = kappa === undefined ? '' : ` (κ = ${kappa.toFixed(2)})`;
      return `${agent} agrees with you on ${formatCount(agreed)} of ${formatCount(both)}${chance}`;
    })
    .join('\n');

/** Undefined for a text that is no number of trajectories. */
export function presortCount(text: string): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text.trim()) && value >= 1 && value <= MAX_PRESORTED ? value : undefined;
}

/** The progress or the result. */
export function presortLabel(state: PresortState): string {
  const { agent, status, total, suggested, doubted, unreadable, failed, tokens } = state;
  if (status === 'opening') return `Asking ${agent}…`;
  const asked = suggested + unreadable + failed;
  const head = {
    asking: `${agent}: ${formatCount(asked)} of ${formatCount(total)}`,
    ended: total === 0 ? `${agent} has judged the whole queue` : `${agent}: done`,
    stopped: `${agent}: stopped`,
    failed: `${agent}: failed`,
  }[status];
  const counts = [
    ...(suggested > 0
      ? [`${plural(suggested, 'suggestion')}, ${formatCount(doubted)} doubt the verdict`]
      : []),
    ...(unreadable > 0 ? [`${formatCount(unreadable)} with a reply that cannot be read`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} without a reply`] : []),
    ...(tokens > 0 ? [`${formatCount(tokens)} tokens`] : []),
  ];
  return [head, ...counts].join(' · ');
}

/** Why requests failed. */
export const presortProblem = ({ message, problem }: PresortState): string => message ?? problem ?? '';
