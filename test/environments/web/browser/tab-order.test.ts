import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TabOrder } from '../../../../runtime/environments/web/browser/tab-order.ts';

const orderOf = (...tabs: readonly string[]) => {
  const order = new TabOrder<string>();
  for (const tab of tabs) order.add(tab);
  return order;
};

describe('the order of tabs', () => {
  test('a new tab is in front, and the one before returns when it closes', () => {
    const order = orderOf('a', 'b', 'c');
    order.show('a');
    order.add('d');
    expect(order.front).toBe('d');
    order.remove('d');
    expect(order.front).toBe('a');
    order.remove('a');
    expect(order.front).toBe('c');
  });

  test('closing a tab behind changes nothing in front', () => {
    const order = orderOf('a', 'b');
    const before = order.changes;
    order.remove('a');
    expect([order.front, order.changes]).toEqual(['b', before]);
  });

  test('neighbours follow the order of creation, and the last is next to the first', () => {
    const order = orderOf('a', 'b', 'c');
    expect([order.neighbour(1), order.neighbour(-1)]).toEqual(['a', 'b']);
    order.show('a');
    expect([order.neighbour(1), order.neighbour(-1)]).toEqual(['b', 'c']);
    expect(orderOf().neighbour(1)).toBeUndefined();
  });

  test('the tab in front is always an open one, and every change of it is counted', () => {
    const step = fc.record({ kind: fc.constantFrom('add', 'remove', 'show'), tab: fc.nat(5) });
    fc.assert(
      fc.property(fc.array(step), steps => {
        const order = new TabOrder<number>();
        for (const { kind, tab } of steps) {
          const [front, changes, isOpen] = [order.front, order.changes, order.tabs.includes(tab)];
          if (kind === 'add' && !isOpen) order.add(tab);
          else if (kind === 'remove') order.remove(tab);
          else if (kind === 'show' && isOpen) order.show(tab);
          expect(order.changes - changes).toBe(order.front === front ? 0 : 1);
          if (order.front === undefined) expect(order.tabs).toEqual([]);
          else expect(order.tabs).toContain(order.front);
        }
      }),
    );
  });
});
