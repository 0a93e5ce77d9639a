// The state of the list: the query, the pages that arrived, and the row of the keyboard focus. Pure.

import type { DaemonParams } from '../../runtime/protocol/daemon/messages.ts';
import type { TrajectoryList, TrajectoryRow } from '../../runtime/protocol/daemon/trajectories.ts';

/** Rows per request. */
export const ROWS_PER_PAGE = 200;

export type ListQuery = Pick<DaemonParams<'trajectories.list'>, 'filter' | 'sort' | 'descending'>;

export interface ListState {
  readonly query: ListQuery;
  /** Increases with every query. Replies to older queries are ignored. */
  readonly generation: number;
  /** Undefined until the first page arrives. */
  readonly total: number | undefined;
  /** From the first page: later pages then belong to the same list. */
  readonly upTo: number | undefined;
  readonly pages: ReadonlyMap<number, readonly TrajectoryRow[]>;
  readonly requestedPages: ReadonlySet<number>;
  /** Whether the pages belong to this query and not to an earlier one. */
  readonly isFresh: boolean;
  readonly at: number | undefined;
  readonly problem: string | undefined;
}

export const initialList = (query: ListQuery): ListState => ({
  query,
  generation: 0,
  total: undefined,
  upTo: undefined,
  pages: new Map(),
  requestedPages: new Set(),
  isFresh: false,
  at: undefined,
  problem: undefined,
});

type RowMarks = Pick<TrajectoryRow, 'trajectory' | 'marked' | 'outcome'>;

type OfPage = { readonly generation: number; readonly page: number };

export type ListEvent =
  /** A new query, or a repetition of the last. */
  | { readonly kind: 'queried'; readonly query: ListQuery }
  | ({ readonly kind: 'requested' } & OfPage)
  | ({ readonly kind: 'received'; readonly list: TrajectoryList } & OfPage)
  | ({ readonly kind: 'failed'; readonly why: string } & OfPage)
  | { readonly kind: 'moved'; readonly at: number | undefined }
  /** The marks of a trajectory changed. */
  | { readonly kind: 'marked'; readonly row: RowMarks };

export function reduceList(state: ListState, event: ListEvent): ListState {
  if ('generation' in event && event.generation !== state.generation) return state;
  switch (event.kind) {
    case 'queried':
      // The old rows stay visible until the new ones arrive, so that the list does not flicker.
      return {
        ...state,
        query: event.query,
        generation: state.generation + 1,
        requestedPages: new Set(),
        upTo: undefined,
        isFresh: false,
        at: undefined,
        problem: undefined,
      };
    case 'requested':
      return { ...state, requestedPages: new Set([...state.requestedPages, event.page]) };
    case 'received': {
      const pages = new Map(state.isFresh ? state.pages : []).set(event.page, event.list.rows);
      const { total, upTo } = event.list;
      return { ...state, total, upTo, pages, isFresh: true, problem: undefined };
    }
    case 'failed': {
      const requestedPages = new Set(state.requestedPages);
      requestedPages.delete(event.page);
      return { ...state, requestedPages, problem: event.why };
    }
    case 'moved':
      return { ...state, at: event.at };
    case 'marked':
      return { ...state, pages: withMarks(state.pages, event.row) };
  }
}

const withMarks = (
  pages: ListState['pages'],
  { trajectory, marked, outcome }: RowMarks,
): ListState['pages'] =>
  new Map(
    [...pages].map(([page, rows]) => [
      page,
      rows.map(row => (row.trajectory === trajectory ? { ...row, marked, outcome } : row)),
    ]),
  );

export const rowAt = ({ pages }: ListState, index: number): TrajectoryRow | undefined =>
  pages.get(Math.floor(index / ROWS_PER_PAGE))?.[index % ROWS_PER_PAGE];
