// The query and the groups of the gallery. Pure.

import * as z from 'zod';
import type { DaemonParams } from '../../runtime/protocol/daemon/messages.ts';
import { OUTCOMES, type UncertainStep } from '../../runtime/protocol/daemon/trajectories.ts';
import { OUTCOME_LABELS } from '../shared/labels.ts';

const choices = z.object({
  by: z.enum(['', 'task', 'outcome']).catch(''),
  outcome: z.enum(['', ...OUTCOMES]).catch(''),
  tier: z.enum(['', '1', '2', '3', '4']).catch(''),
});

export type GalleryChoices = z.infer<typeof choices>;

export const parseChoices = (stored: unknown): GalleryChoices =>
  choices.parse(typeof stored === 'object' && stored !== null ? { ...stored } : {});

const MAX_STEPS = 60;
const MAX_STEPS_PER_GROUP = 12;

export const galleryQuery = (
  { by, outcome, tier }: GalleryChoices,
  run: string | undefined,
): DaemonParams<'steps.uncertain'> => ({
  filter: {
    ...(run !== undefined && { run }),
    ...(outcome !== '' && { outcomes: [outcome] }),
    ...(tier !== '' && { tiers: [Number(tier)] }),
  },
  ...(by !== '' && { by }),
  offset: 0,
  limit: by === '' ? MAX_STEPS : MAX_STEPS_PER_GROUP,
});

export interface StepGroup {
  readonly title: string;
  readonly steps: readonly UncertainStep[];
}

/** Descending by uncertainty: the steps within a group, and the groups by their first step. */
export function groupSteps(steps: readonly UncertainStep[], by: GalleryChoices['by']): readonly StepGroup[] {
  const groups = new Map<string, UncertainStep[]>();
  for (const step of [...steps].sort((a, b) => b.uncertainty - a.uncertainty)) {
    const title = by === 'task' ? step.task : by === 'outcome' ? OUTCOME_LABELS[step.outcome] : '';
    const group = groups.get(title);
    if (group === undefined) groups.set(title, [step]);
    else group.push(step);
  }
  return [...groups].map(([title, each]) => ({ title, steps: each }));
}
