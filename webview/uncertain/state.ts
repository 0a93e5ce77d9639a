// Which uncertain steps are shown, and in which groups. Pure.

import * as z from 'zod';
import type { DaemonParams } from '../../runtime/protocol/daemon/messages.ts';
import { OUTCOMES, type UncertainStep } from '../../runtime/protocol/daemon/trajectories.ts';
import { OUTCOME_WORDS } from '../shared/words.ts';

const choices = z.object({
  by: z.enum(['', 'task', 'outcome']).catch(''),
  outcome: z.enum(['', ...OUTCOMES]).catch(''),
  tier: z.enum(['', '1', '2', '3', '4']).catch(''),
});

export type Choices = z.infer<typeof choices>;

export const choicesOf = (kept: unknown): Choices =>
  choices.parse(typeof kept === 'object' && kept !== null ? { ...kept } : {});

/** In all; and of each task or outcome, where they are grouped. */
const TOGETHER = 60;
const OF_EACH = 12;

export const askedFor = (
  { by, outcome, tier }: Choices,
  run: string | undefined,
): DaemonParams<'steps.uncertain'> => ({
  filter: {
    ...(run !== undefined && { run }),
    ...(outcome !== '' && { outcomes: [outcome] }),
    ...(tier !== '' && { tiers: [Number(tier)] }),
  },
  ...(by !== '' && { by }),
  offset: 0,
  limit: by === '' ? TOGETHER : OF_EACH,
});

export interface Group {
  readonly title: string;
  readonly steps: readonly UncertainStep[];
}

/** The group with the least certain step comes first, and so does that step within it. */
export function grouped(steps: readonly UncertainStep[], by: Choices['by']): readonly Group[] {
  const groups = new Map<string, UncertainStep[]>();
  for (const step of [...steps].sort((a, b) => b.uncertainty - a.uncertainty)) {
    const title = by === 'task' ? step.task : by === 'outcome' ? OUTCOME_WORDS[step.outcome] : '';
    const group = groups.get(title);
    if (group === undefined) groups.set(title, [step]);
    else group.push(step);
  }
  return [...groups].map(([title, each]) => ({ title, steps: each }));
}
