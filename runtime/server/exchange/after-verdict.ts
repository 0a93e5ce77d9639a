// A trajectory as people judged it: with the verdict and the instruction that they gave. Pure.

import type { Trajectory } from '../../core/trajectory.ts';
import type { Marked } from '../../data/files/marks.ts';

/** Whether people gave another score or another instruction, and not only confirmed them. */
export const isCorrected = (stored: Trajectory, judged: Trajectory): boolean =>
  judged.instruction !== stored.instruction || scoreOf(judged) !== scoreOf(stored);

const scoreOf = ({ outcome }: Trajectory): number | undefined =>
  outcome.kind === 'judged' ? outcome.verdict.score : undefined;

export function afterVerdict(
  trajectory: Trajectory,
  { verdict, newInstruction }: Pick<Marked, 'verdict' | 'newInstruction'>,
): Trajectory {
  const { outcome, instruction, steps } = trajectory;
  const isCorrected = newInstruction !== undefined && newInstruction !== instruction;
  const ending = outcome.kind === 'judged' ? outcome.ending : 'capped';
  return {
    ...trajectory,
    // The observations of a model agent quote the instruction that it had, so they do not fit the corrected one.
    ...(isCorrected && {
      instruction: newInstruction,
      steps: steps.map(({ observation: _, ...step }) => step),
    }),
    ...(verdict !== undefined && {
      outcome: {
        kind: 'judged',
        ending,
        verdict: { score: Number(verdict), why: 'A person set this verdict.' },
      },
    }),
  };
}
