// Which containers have an owner, and the removal of those without one.

import { describe, expect, test } from 'vitest';
import type { ProcessIdentity } from '../../../runtime/core/process-identity.ts';
import {
  isLeftover,
  leftoversText,
  ownerLabels,
  removeLeftovers,
} from '../../../runtime/environments/docker/container-labels.ts';
import type { FoundContainer } from '../../../runtime/environments/docker/host.ts';

const alive: ProcessIdentity = { place: 'lab', boot: 'monday', pid: 70, began: '700' };
const me = { ...alive, isAlive: (pid: number, began: string) => pid === 70 && began === '700' };
const labelsBy = (owner: Partial<ProcessIdentity>) => ownerLabels('a run', 'fleet', { ...alive, ...owner });

describe('a container is a leftover', () => {
  test.each<[boolean, string, Partial<ProcessIdentity>]>([
    [false, 'if its owner is alive', {}],
    [true, 'if its owner has ended', { pid: 71 }],
    [true, 'if another process has the number of its owner', { began: '650' }],
    [true, 'if the machine has restarted since', { boot: 'sunday' }],
    [false, 'if its owner ran on another machine', { place: 'office', pid: 71 }],
    [false, 'if its owner ran on another machine that restarted', { place: 'office', boot: 'sunday' }],
  ])('%s %s', (expected, _, owner) => {
    expect(isLeftover({ labels: labelsBy(owner) }, me)).toBe(expected);
  });

  test('only if it has all labels', () => {
    const labels = labelsBy({ pid: 71 });
    for (const key of ['dartboard.place', 'dartboard.boot', 'dartboard.pid']) {
      const { [key]: _, ...rest } = labels;
      expect(isLeftover({ labels: rest }, me)).toBe(false);
    }
  });
});

test('a cleanup removes containers of ended processes, and reports these, the stuck ones and the owners of others', async () => {
  const container = (id: string, owner: Partial<ProcessIdentity>): FoundContainer => ({
    ...{ id, name: id, isRunning: true },
    labels: labelsBy(owner),
  });
  const found = [
    container('used', {}),
    container('also used', {}),
    container('left', { pid: 71 }),
    container('stuck', { pid: 71 }),
  ];
  const removed: string[] = [];
  const host = {
    list: async () => found,
    remove: async (id: string) => {
      if (id === 'stuck') throw new Error('its process does not end');
      removed.push(id);
    },
  };
  const leftovers = await removeLeftovers(host, me);
  expect(removed).toEqual(['left']);
  expect(leftoversText(leftovers)).toEqual([
    'removed 1 container that an ended process of run a run left behind',
    'could not remove leftover containers: its process does not end',
    'process 70 of run a run uses 2 containers',
  ]);
});
