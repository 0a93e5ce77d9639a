// What the list can be narrowed to and ordered by, and how that becomes a query of the protocol. Pure.

import * as z from 'zod';
import type { TrajectoryFilter } from '../../runtime/protocol/daemon/trajectories.ts';
import { OUTCOMES, PROVENANCES, PURPOSES, SORTS } from '../../runtime/protocol/daemon/trajectories.ts';
import type { Query } from './state.ts';

/** Each is '' where it narrows nothing. */
const filters = z.object({
  text: z.string().catch(''),
  outcome: z.enum(['', ...OUTCOMES]).catch(''),
  tier: z.enum(['', '1', '2', '3', '4']).catch(''),
  purpose: z.enum(['', ...PURPOSES]).catch(''),
  provenance: z.enum(['', ...PROVENANCES]).catch(''),
  pool: z.enum(['', 'in', 'out']).catch(''),
  sort: z.enum(SORTS).catch('endedAt'),
  order: z.enum(['down', 'up']).catch('down'),
});

export type Filters = z.infer<typeof filters>;

/** Whatever was kept; what is missing or no longer known narrows nothing. */
export const filtersOf = (kept: unknown): Filters =>
  filters.parse(typeof kept === 'object' && kept !== null ? { ...kept } : {});

export function queryOf(given: Filters, run: string | undefined): Query {
  const { text, outcome, tier, purpose, provenance, pool, sort, order } = given;
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

export const isNarrowed = ({ sort: _sort, order: _order, ...rest }: Filters): boolean =>
  Object.values(rest).some(value => value !== '');
