// The filters of the list, and the query of the protocol that they make. Pure.

import * as z from 'zod';
import type { TrajectoryFilter } from '../../runtime/protocol/daemon/trajectories.ts';
import { OUTCOMES, PROVENANCES, PURPOSES, SORTS } from '../../runtime/protocol/daemon/trajectories.ts';
import type { ListQuery } from './state.ts';

/** '' means no filter. */
const listFilters = z.object({
  text: z.string().catch(''),
  outcome: z.enum(['', ...OUTCOMES]).catch(''),
  tier: z.enum(['', '1', '2', '3', '4']).catch(''),
  purpose: z.enum(['', ...PURPOSES]).catch(''),
  provenance: z.enum(['', ...PROVENANCES]).catch(''),
  pool: z.enum(['', 'in', 'out']).catch(''),
  agent: z.string().max(100).catch(''),
  sort: z.enum(SORTS).catch('endedAt'),
  order: z.enum(['down', 'up']).catch('down'),
});

export type ListFilters = z.infer<typeof listFilters>;

/** Missing or outdated values of a stored filter mean no filter. */
export const parseFilters = (stored: unknown): ListFilters =>
  listFilters.parse(typeof stored === 'object' && stored !== null ? { ...stored } : {});

export function toQuery(filters: ListFilters, run: string | undefined): ListQuery {
  const { text, outcome, tier, purpose, provenance, pool, agent, sort, order } = filters;
  const filter: TrajectoryFilter = {
    ...(run !== undefined && { run }),
    ...(text.trim() !== '' && { text: text.trim().slice(0, 200) }),
    ...(outcome !== '' && { outcomes: [outcome] }),
    ...(tier !== '' && { tiers: [Number(tier)] }),
    ...(purpose !== '' && { purposes: [purpose] }),
    ...(provenance !== '' && { provenances: [provenance] }),
    ...(pool !== '' && { isInPool: pool === 'in' }),
    ...(agent !== '' && { agents: [agent] }),
  };
  return { filter, sort, descending: order === 'down' };
}

/** Whether the order compares numbers of several agents that have different units. */
export const mixesAgents = ({ sort, agent }: ListFilters, agents: number): boolean =>
  (sort === 'maxUncertainty' || sort === 'meanUncertainty') && agent === '' && agents > 1;

export const hasFilters = ({ sort: _sort, order: _order, ...rest }: ListFilters): boolean =>
  Object.values(rest).some(value => value !== '');
