// A trajectory as people judged it: with the verdict and the instruction that they gave. Pure.

import type { Trajectory } from '../../core/trajectory.ts';
import type { Marked } from '../../data/files/marks.ts';

export function afterVerdict(
  trajectory: Trajectory,
  { verdict, newInstruction }: Pick<Marked, 'verdict' | 'newInstruction'>,
): Trajectory {
  const { outcome, instruction } = trajectory;
  const ending = outcome.kind === 'judged' ? outcome.ending : 'capped';
  return {
    ...trajectory,
    instruction: newInstruction ?? instruction,
    ...(verdict !== undefined && {
      outcome: {
        kind: 'judged',
        ending,
        verdict: { score: Number(verdict), why: 'A person set this verdict.' },
      },
    }),
  };
}
