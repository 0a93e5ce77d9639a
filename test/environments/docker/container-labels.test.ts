import { describe, expect, test } from 'vitest';
import type { ProcessIdentity } from '../../../runtime/core/process-identity.ts';
import { ownerLabels, ownershipOf } from '../../../runtime/environments/docker/container-labels.ts';

const alive: ProcessIdentity = { place: 'lab', boot: 'monday', pid: 70, began: '700' };
const me = { ...alive, isAlive: (pid: number, began: string) => pid === 70 && began === '700' };
const fate = (keeper: Partial<ProcessIdentity>, fleet = 'theirs') =>
  ownershipOf(ownerLabels('someone', fleet, { ...alive, ...keeper }), 'ours', me);

describe('what becomes of a container that is found', () => {
  test('what this fleet made is its own, whoever holds it', () => {
    expect(fate({}, 'ours')).toBe('mine');
  });

  test('another fleet keeps its containers while its process lives', () => {
    expect(fate({})).toBe('others');
  });

  test('a process that is gone has left its containers, also where another one has its number', () => {
    expect(fate({ pid: 71 })).toBe('leftover');
    expect(fate({ began: '650' })).toBe('leftover');
  });

  test('so has every process from before the machine was started again', () => {
    expect(fate({ boot: 'sunday' })).toBe('leftover');
  });

  test('what another machine made stays, for nobody can tell from here', () => {
    expect(fate({ place: 'office', pid: 71 })).toBe('others');
    expect(fate({ place: 'office', boot: 'sunday' })).toBe('others');
  });

  test('what lacks a label, or is not of Dartboard, stays', () => {
    const labels = ownerLabels('someone', 'theirs', { ...alive, pid: 71 });
    expect(ownershipOf(labels, 'ours', me)).toBe('leftover');
    for (const key of Object.keys(labels).filter(key => /^dartboard(\.(place|boot|pid))?$/.test(key))) {
      const { [key]: _, ...rest } = labels;
      expect(ownershipOf(rest, 'ours', me)).toBe('others');
    }
  });
});
