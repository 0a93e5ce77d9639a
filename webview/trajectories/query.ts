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
  sort: z.enum(SORTS).catch('endedAt'),
  order: z.enum(['down', 'up']).catch('down'),
});

export type ListFilters = z.infer<typeof listFilters>;

/** Missing or outdated values of a stored filter mean no filter. */
export const parseFilters = (stored: unknown): ListFilters =>
  listFilters.parse(typeof stored === 'object' && stored !== null ? { ...stored } : {});

export function toQuery(filters: ListFilters, run: string | undefined): ListQuery {
  const { text, outcome, tier, purpose, provenance, pool, sort, order } = filters;
  const filter: TrajectoryFilter = {
    ...(run !== undefined && { run }),
    ...(text.trim() !== '' && { text: text.trim().slice(0, 200) }),
    ...(outcome !== '' && { outcomes: [outcome] }),
    ...(tier !== '' && { tiers: [Number(tier)] }),
    ...(purpose !== '' && { purposes: [purpose] }),
    ...(provenance !== '' && { provenances: [provenance] }),
    ...(pool !== '' && { isInPool: pool === 'in' }),
  };
  return { filter, sort, descending: order === 'down' };
}

export const hasFilters = ({ sort: _sort, order: _order, ...rest }: ListFilters): boolean =>
  Object.values(rest).some(value => value !== '');
