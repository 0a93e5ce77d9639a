// The list of trajectories: what is asked for, the parts of it that arrived, and where the keyboard is. Pure.

import type { DaemonParams } from '../../runtime/protocol/daemon/messages.ts';
import type { TrajectoryList, TrajectoryRow } from '../../runtime/protocol/daemon/trajectories.ts';

/** Rows that are fetched together. */
export const PAGE = 200;

export type Query = Pick<DaemonParams<'trajectories.list'>, 'filter' | 'sort' | 'descending'>;

export interface Listing {
  readonly query: Query;
  /** Grows with every query: what arrives for an older one is too late. */
  readonly generation: number;
  /** Undefined until the first part arrives. */
  readonly total: number | undefined;
  /** What had come when the first part was answered: all parts are of that list. */
  readonly upTo: number | undefined;
  readonly pages: ReadonlyMap<number, readonly TrajectoryRow[]>;
  readonly asked: ReadonlySet<number>;
  /** The pages are of this query, not what an earlier one found. */
  readonly isFresh: boolean;
  readonly at: number | undefined;
  readonly trouble: string | undefined;
}

export const listing = (query: Query): Listing => ({
  query,
  generation: 0,
  total: undefined,
  upTo: undefined,
  pages: new Map(),
  asked: new Set(),
  isFresh: false,
  at: undefined,
  trouble: undefined,
});

type Remarked = Pick<TrajectoryRow, 'trajectory' | 'marked' | 'outcome'>;

type OfPage = { readonly generation: number; readonly page: number };

export type ListEvent =
  /** Another query, or the same anew. */
  | { readonly kind: 'queried'; readonly query: Query }
  | ({ readonly kind: 'asked' } & OfPage)
  | ({ readonly kind: 'arrived'; readonly list: TrajectoryList } & OfPage)
  | ({ readonly kind: 'failed'; readonly why: string } & OfPage)
  | { readonly kind: 'moved'; readonly at: number | undefined }
  /** Somebody said something of one: what is known of it now. */
  | { readonly kind: 'marked'; readonly row: Remarked };

export function listed(state: Listing, event: ListEvent): Listing {
  if ('generation' in event && event.generation !== state.generation) return state;
  switch (event.kind) {
    case 'queried':
      // What was found last stays in sight until the new arrives, so that nothing flickers.
      return {
        ...state,
        query: event.query,
        generation: state.generation + 1,
        asked: new Set(),
        upTo: undefined,
        isFresh: false,
        at: undefined,
        trouble: undefined,
      };
    case 'asked':
      return { ...state, asked: new Set([...state.asked, event.page]) };
    case 'arrived': {
      const pages = new Map(state.isFresh ? state.pages : []).set(event.page, event.list.rows);
      const { total, upTo } = event.list;
      return { ...state, total, upTo, pages, isFresh: true, trouble: undefined };
    }
    case 'failed': {
      const asked = new Set(state.asked);
      asked.delete(event.page);
      return { ...state, asked, trouble: event.why };
    }
    case 'moved':
      return { ...state, at: event.at };
    case 'marked':
      return { ...state, pages: markedIn(state.pages, event.row) };
  }
}

const markedIn = (pages: Listing['pages'], { trajectory, marked, outcome }: Remarked): Listing['pages'] =>
  new Map(
    [...pages].map(([page, rows]) => [
      page,
      rows.map(row => (row.trajectory === trajectory ? { ...row, marked, outcome } : row)),
    ]),
  );

export const rowAt = ({ pages }: Listing, index: number): TrajectoryRow | undefined =>
  pages.get(Math.floor(index / PAGE))?.[index % PAGE];
