// The query and the groups of the gallery. Pure.

import * as z from 'zod';
import type { ListedAgent } from '../../runtime/protocol/daemon/agents.ts';
import type { DaemonParams } from '../../runtime/protocol/daemon/messages.ts';
import { OUTCOMES, type UncertainStep } from '../../runtime/protocol/daemon/trajectories.ts';
import { ESTIMATOR_LINES } from '../inspector/reply/labels.ts';
import { byTrajectories } from '../shared/agents.ts';
import { COMPACT, OUTCOME_LABELS } from '../shared/labels.ts';

const choices = z.object({
  by: z.enum(['', 'task', 'outcome']).catch(''),
  outcome: z.enum(['', ...OUTCOMES]).catch(''),
  tier: z.enum(['', '1', '2', '3', '4']).catch(''),
  /** '' is the agent with the most trajectories. */
  agent: z.string().max(100).catch(''),
});

export type GalleryChoices = z.infer<typeof choices>;

export const parseChoices = (stored: unknown): GalleryChoices =>
  choices.parse(typeof stored === 'object' && stored !== null ? { ...stored } : {});

const MAX_STEPS = 60;
const MAX_STEPS_PER_GROUP = 12;

/**
 * The gallery shows one agent: uncertainties of different agents have different units. It is the first of these that has steps, since an
 * agent that only played evaluations has none. Empty before any agent has played.
 */
export const shownAgents = (
  { agent }: Pick<GalleryChoices, 'agent'>,
  agents: readonly ListedAgent[],
): readonly string[] => (agent === '' ? byTrajectories(agents).map(each => each.agent) : [agent]);

export const galleryQuery = (
  { by, outcome, tier }: GalleryChoices,
  run: string | undefined,
  agent: string | undefined,
): DaemonParams<'steps.uncertain'> => ({
  filter: {
    ...(run !== undefined && { run }),
    ...(outcome !== '' && { outcomes: [outcome] }),
    ...(tier !== '' && { tiers: [Number(tier)] }),
    ...(agent !== undefined && { agents: [agent] }),
  },
  ...(by !== '' && { by }),
  offset: 0,
  limit: by === '' ? MAX_STEPS : MAX_STEPS_PER_GROUP,
});

/** What the uncertainty of these steps is. The steps of one scale have an order. */
export interface UncertaintyScale {
  readonly agent: string;
  /** Undefined for the decisions of `compact`, whose uncertainty is a share. */
  readonly estimator: UncertainStep['estimator'];
}

export interface StepGroup {
  readonly title: string;
  readonly scale: UncertaintyScale;
  readonly steps: readonly UncertainStep[];
  /** The largest uncertainty of its scale, for bars; 1 for shares. */
  readonly maximum: number;
}

/**
 * Descending by uncertainty: the steps within a group, and the groups of one scale by their first step. Steps of different agents or
 * estimators are in different groups.
 */
export function groupSteps(steps: readonly UncertainStep[], by: GalleryChoices['by']): readonly StepGroup[] {
  const scales = grouped(steps, ({ agent = COMPACT, estimator = '' }) => `${estimator} ${agent}`);
  return [...scales.values()].flatMap(each => {
    const sorted = [...each].sort((a, b) => b.uncertainty - a.uncertainty);
    const [first] = sorted;
    if (first === undefined) return [];
    const scale = { agent: first.agent ?? COMPACT, estimator: first.estimator };
    const maximum = scale.estimator === undefined ? 1 : Math.max(1, first.uncertainty);
    const titleOf = (step: UncertainStep) =>
      by === 'task' ? step.task : by === 'outcome' ? OUTCOME_LABELS[step.outcome] : '';
    return [...grouped(sorted, titleOf)].map(([title, own]) => ({ title, scale, steps: own, maximum }));
  });
}

/** The line above the gallery. Before the first steps arrive, the scale is unknown. */
export function scaleLine(scale: UncertaintyScale | undefined): string {
  const use = 'Training uses only the steps of a group that have high entropy.';
  return scale?.estimator === undefined
    ? `The steps at which the policy was least certain. ${use}`
    : `The steps at which ${scale.agent} was least certain: the mean entropy of the tokens of its reply, ${ESTIMATOR_LINES[scale.estimator]}`;
}

/** The title of a group names its estimator only if the gallery has several. */
export function sectionTitle({ title, scale }: StepGroup, groups: readonly StepGroup[]): string {
  const isMixed = groups.some(
    other => other.scale.estimator !== scale.estimator || other.scale.agent !== scale.agent,
  );
  const { agent, estimator } = scale;
  const named = estimator === undefined ? agent : `${agent}, entropy by ${estimator}`;
  return isMixed ? [named, title].filter(part => part !== '').join(': ') : title;
}

function grouped<T>(all: readonly T[], keyOf: (each: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const group = groups.get(keyOf(each));
    if (group === undefined) groups.set(keyOf(each), [each]);
    else group.push(each);
  }
  return groups;
}
