// The change detector reports every change of plain data, and nothing else.

import { describe, expect, test } from 'vitest';
import { ChangeDetector } from '../../../runtime/environments/pocket/shell/layer-cache.ts';

interface Data {
  name: string;
  list: { id: number; note?: string }[];
  folder: Record<string, { text: string }>;
}

const data = (): Data => ({
  name: 'a',
  list: [{ id: 1 }, { id: 2 }],
  folder: { one: { text: '1' }, two: { text: '2' } },
});

const CHANGES: Readonly<Record<string, (of: Data) => void>> = {
  'a text': of => {
    of.name = 'b';
  },
  'a text deep inside': of => {
    of.folder['two'] = Object.assign(of.folder['two'] ?? { text: '' }, { text: '3' });
  },
  'a key that is new': of => {
    of.folder['three'] = { text: '3' };
  },
  'a key that is gone': of => {
    delete of.folder['two'];
  },
  'a key at the end that is gone': of => {
    delete of.list.at(-1)?.note;
    of.list.pop();
  },
  'the order of keys': of => {
    const { one = { text: '' } } = of.folder;
    delete of.folder['one'];
    of.folder['one'] = one;
  },
  'the order of a list': of => {
    of.list.reverse();
  },
  'an equal object in the place of another': of => {
    of.list[0] = { id: 1 };
  },
  'a list that became empty': of => {
    of.list.length = 0;
  },
  'nothing where something was': of => {
    of.folder = {};
  },
};

describe('the change detector', () => {
  test('reports a change on the first call and none after that', () => {
    const watch = new ChangeDetector(data());
    expect([watch.changed(), watch.changed(), watch.changed()]).toEqual([true, false, false]);
  });

  test.each(Object.entries(CHANGES))('reports %s once', (_, change) => {
    const watched = data();
    const watch = new ChangeDetector(watched);
    watch.changed();
    change(watched);
    expect([watch.changed(), watch.changed()]).toEqual([true, false]);
  });

  test('does not report a change that was reverted', () => {
    const watched = data();
    const watch = new ChangeDetector(watched);
    watch.changed();
    watched.name = 'b';
    watched.name = 'a';
    expect(watch.changed()).toBe(false);
  });
});
