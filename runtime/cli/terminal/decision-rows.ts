// What the data module decided, as lines that a person reads: when, what, of which instance, and why. Pure.

import type { Decision } from '../../data/files/decision-lines.ts';
import { percent } from '../../run/number-format.ts';
import { accent, faint, type Line, type Piece, plain, poor } from './line.ts';

const WHAT: Readonly<Record<Decision['kind'], Piece>> = {
  ordered: plain('ordered'),
  'set aside': poor('set aside'),
  trained: accent('trained'),
};

/** Each under the next, the oldest first. They are not cut: who reads them wants to know why. */
export function decisionRows(decisions: readonly Decision[]): readonly Line[] {
  const wide = Math.max(0, ...decisions.map(decision => nameOf(decision).length));
  const what = Math.max(...Object.values(WHAT).map(({ text }) => text.length));
  return decisions.map(decision => [
    faint(`${timeOf(decision.at)}  ${groupOf(decision).padEnd(5)} `),
    { ...WHAT[decision.kind], text: WHAT[decision.kind].text.padEnd(what + 2) },
    plain(nameOf(decision).padEnd(wide + 2)),
    plain(sentence(decision)),
  ]);
}

function sentence(decision: Decision): string {
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
    ? `${trained}; all of ${steps} steps trained`
    : `${trained}; the ${kept} least sure of ${steps} steps trained (${percent(kept / steps)})`;
}

const rollouts = (count: number): string => `${count} ${count === 1 ? 'rollout' : 'rollouts'}`;

const nameOf = ({ instance: { task, seed } }: Decision): string => `${task} ${seed}`;

/** The last part of a name tells the groups of a run apart. */
const groupOf = ({ group }: Decision): string => group.split('.').at(-1) ?? group;

/** By the clock of this machine. */
const timeOf = (at: number): string => new Date(at).toTimeString().slice(0, 8);
