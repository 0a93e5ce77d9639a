// Curation decisions as rows: time, group, kind, instance and reason. Pure.

import type { DecisionRecord } from '../../data/files/decision-lines.ts';
import { percent, plural } from '../../run/number-format.ts';
import { accent, faint, plain, poor, type StyledLine, type StyledText } from './line.ts';

const WHAT: Readonly<Record<DecisionRecord['kind'], StyledText>> = {
  ordered: plain('ordered'),
  'set aside': poor('set aside'),
  trained: accent('trained'),
};

/** The oldest first. Rows are never cut: the reason stands at their end. */
export function decisionRows(decisions: readonly DecisionRecord[]): readonly StyledLine[] {
  const wide = decisions.reduce((widest, decision) => Math.max(widest, nameOf(decision).length), 0);
  const what = Math.max(...Object.values(WHAT).map(({ text }) => text.length));
  return decisions.map(decision => [
    faint(`${timeOf(decision.at)}  ${groupOf(decision).padEnd(5)} `),
    { ...WHAT[decision.kind], text: WHAT[decision.kind].text.padEnd(what + 2) },
    plain(nameOf(decision).padEnd(wide + 2)),
    plain(sentence(decision)),
  ]);
}

function sentence(decision: DecisionRecord): string {
  const { why } = decision;
  if (decision.kind === 'ordered') return why;
  if (decision.kind === 'set aside') {
    const count = decision.dropped + decision.duplicates + decision.filtered;
    return `${rollouts(count)}: ${why}`;
  }
  const { injected, mask } = decision;
  const trained = `${rollouts(decision.rollouts)}${injected ? ' and a stored success' : ''}: ${why}`;
  if (mask === undefined) return trained;
  const { kept, steps } = mask;
  return kept === steps
    ? `${trained}; all ${steps} steps train`
    : `${trained}; the ${kept} of ${steps} steps with the highest entropy train (${percent(kept / steps)})`;
}

const rollouts = (number: number): string => plural(number, 'rollout');

const nameOf = ({ instance: { task, seed } }: DecisionRecord): string => `${task} ${seed}`;

/** The last part of the id, which is unique within a run. */
const groupOf = ({ group }: DecisionRecord): string => group.split('.').at(-1) ?? group;

/** Local time of day. */
const timeOf = (at: number): string => new Date(at).toTimeString().slice(0, 8);
