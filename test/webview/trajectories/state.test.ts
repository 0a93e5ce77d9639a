import { describe, expect, test } from 'vitest';
import { trajectoryFilter } from '../../../runtime/protocol/daemon/trajectories.ts';
import { filtersOf, isNarrowed, queryOf } from '../../../webview/trajectories/query.ts';
import { type ListEvent, listed, listing, PAGE, rowAt } from '../../../webview/trajectories/state.ts';
import { Library } from '../panels/library.ts';

const library = new Library(PAGE + 50);
const rows = library.ids.map(id => library.row(id));
const query = queryOf(filtersOf(undefined), undefined);
const list = (offset: number) => ({
  total: rows.length,
  rows: rows.slice(offset, offset + PAGE),
  upTo: 7,
});
const told = (...events: readonly ListEvent[]) => events.reduce(listed, listing(query));
const page = (number: number, generation = 0): ListEvent => ({
  kind: 'arrived',
  generation,
  page: number,
  list: list(number * PAGE),
});

describe('the list', () => {
  test('puts each page where its rows belong', () => {
    const state = told(page(1), page(0));
    expect(rowAt(state, 0)).toBe(rows[0]);
    expect(rowAt(state, PAGE + 3)).toBe(rows[PAGE + 3]);
    expect(rowAt(state, rows.length)).toBeUndefined();
  });

  test('keeps what it had until the next query is answered, and then nothing of it', () => {
    const state = told(page(0), page(1), { kind: 'queried', query });
    expect(rowAt(state, PAGE)).toBe(rows[PAGE]);
    expect(state.isFresh).toBe(false);
    const next = listed(state, page(0, 1));
    expect(next.isFresh).toBe(true);
    expect(rowAt(next, 0)).toBe(rows[0]);
    expect(rowAt(next, PAGE)).toBeUndefined();
  });

  test('does not heed what arrives for an earlier query', () => {
    const state = told({ kind: 'queried', query });
    expect(listed(state, page(0, 0))).toBe(state);
    expect(listed(state, { kind: 'failed', generation: 0, page: 0, why: 'late' })).toBe(state);
  });

  test('may ask again for a page that failed', () => {
    const state = told(
      { kind: 'asked', generation: 0, page: 2 },
      { kind: 'failed', generation: 0, page: 2, why: 'It is gone.' },
    );
    expect(state.asked.has(2)).toBe(false);
    expect(state.trouble).toBe('It is gone.');
  });

  test('shows what somebody said of one', () => {
    const marked = { keySteps: [1], isInPool: true };
    const row = { trajectory: rows[3]?.trajectory ?? '', marked, outcome: 'broken' } as const;
    const state = told(page(0), { kind: 'marked', row });
    expect(rowAt(state, 3)).toEqual({ ...rows[3], marked, outcome: 'broken' });
    expect(rowAt(state, 4)?.marked).toEqual(rows[4]?.marked);
  });
});

describe('filters', () => {
  test('whatever was kept, they are filters; what is unknown narrows nothing', () => {
    for (const kept of [undefined, null, 7, [], { outcome: 'maybe', sort: 'beauty', text: 3 }]) {
      expect(isNarrowed(filtersOf(kept))).toBe(false);
      expect(queryOf(filtersOf(kept), undefined)).toEqual({ filter: {}, sort: 'endedAt', descending: true });
    }
  });

  test('become what the protocol understands', () => {
    const filters = filtersOf({
      text: ' note ',
      outcome: 'failure',
      tier: '3',
      purpose: 'collect',
      provenance: 'human',
      pool: 'out',
      order: 'up',
    });
    const { filter, descending } = queryOf(filters, 'a-run');
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
    expect(isNarrowed(filters)).toBe(true);
  });
});
