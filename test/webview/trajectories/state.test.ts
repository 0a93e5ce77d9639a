import { describe, expect, test } from 'vitest';
import { trajectoryFilter } from '../../../runtime/protocol/daemon/trajectories.ts';
import { hasFilters, mixesAgents, parseFilters, toQuery } from '../../../webview/trajectories/query.ts';
import {
  initialList,
  type ListEvent,
  ROWS_PER_PAGE,
  reduceList,
  rowAt,
} from '../../../webview/trajectories/state.ts';
import { TrajectoryLibrary } from '../panels/library.ts';

const library = new TrajectoryLibrary(ROWS_PER_PAGE + 50);
const rows = library.ids.map(id => library.row(id));
const query = toQuery(parseFilters(undefined), undefined);
const list = (offset: number) => ({
  total: rows.length,
  rows: rows.slice(offset, offset + ROWS_PER_PAGE),
  upTo: 7,
});
const told = (...events: readonly ListEvent[]) => events.reduce(reduceList, initialList(query));
const page = (number: number, generation = 0): ListEvent => ({
  kind: 'received',
  generation,
  page: number,
  list: list(number * ROWS_PER_PAGE),
});

describe('the list', () => {
  test('places each page at its offset', () => {
    const state = told(page(1), page(0));
    expect(rowAt(state, 0)).toBe(rows[0]);
    expect(rowAt(state, ROWS_PER_PAGE + 3)).toBe(rows[ROWS_PER_PAGE + 3]);
    expect(rowAt(state, rows.length)).toBeUndefined();
  });

  test('keeps old rows until the next query is answered, and then drops them', () => {
    const state = told(page(0), page(1), { kind: 'queried', query });
    expect(rowAt(state, ROWS_PER_PAGE)).toBe(rows[ROWS_PER_PAGE]);
    expect(state.isFresh).toBe(false);
    const next = reduceList(state, page(0, 1));
    expect(next.isFresh).toBe(true);
    expect(rowAt(next, 0)).toBe(rows[0]);
    expect(rowAt(next, ROWS_PER_PAGE)).toBeUndefined();
  });

  test('ignores replies to an earlier query', () => {
    const state = told({ kind: 'queried', query });
    expect(reduceList(state, page(0, 0))).toBe(state);
    expect(reduceList(state, { kind: 'failed', generation: 0, page: 0, why: 'late' })).toBe(state);
  });

  test('may request a failed page again', () => {
    const state = told(
      { kind: 'requested', generation: 0, page: 2 },
      { kind: 'failed', generation: 0, page: 2, why: 'It is gone.' },
    );
    expect(state.requestedPages.has(2)).toBe(false);
    expect(state.problem).toBe('It is gone.');
  });

  test('shows new marks of a trajectory', () => {
    const marked = { keySteps: [1], isInPool: true };
    const row = { trajectory: rows[3]?.trajectory ?? '', marked, outcome: 'broken' } as const;
    const state = told(page(0), { kind: 'marked', row });
    expect(rowAt(state, 3)).toEqual({ ...rows[3], marked, outcome: 'broken' });
    expect(rowAt(state, 4)?.marked).toEqual(rows[4]?.marked);
  });
});

describe('filters', () => {
  test('invalid stored filters become no filter', () => {
    for (const kept of [undefined, null, 7, [], { outcome: 'maybe', sort: 'beauty', text: 3 }]) {
      expect(hasFilters(parseFilters(kept))).toBe(false);
      expect(toQuery(parseFilters(kept), undefined)).toEqual({
        filter: {},
        sort: 'endedAt',
        descending: true,
      });
    }
  });

  test('of an agent reach the daemon; an order by uncertainty mixes several agents', () => {
    const one = parseFilters({ agent: 'ui-tars', sort: 'maxUncertainty' });
    const all = parseFilters({ sort: 'maxUncertainty' });
    expect(toQuery(one, undefined).filter).toEqual({ agents: ['ui-tars'] });
    expect(hasFilters(one)).toBe(true);
    expect([mixesAgents(one, 2), mixesAgents(all, 2), mixesAgents(all, 1)]).toEqual([false, true, false]);
    expect(mixesAgents(parseFilters({ sort: 'steps' }), 2)).toBe(false);
  });

  test('become a query of the protocol', () => {
    const filters = parseFilters({
      text: ' note ',
      outcome: 'failure',
      tier: '3',
      purpose: 'collect',
      provenance: 'human',
      pool: 'out',
      order: 'up',
    });
    const { filter, descending } = toQuery(filters, 'a-run');
    expect(descending).toBe(false);
    expect(trajectoryFilter.parse(filter)).toEqual({
      run: 'a-run',
      text: 'note',
      outcomes: ['failure'],
      tiers: [3],
      purposes: ['collect'],
      provenances: ['human'],
      isInPool: false,
    });
    expect(hasFilters(filters)).toBe(true);
  });
});
