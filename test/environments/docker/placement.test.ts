import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type HostLoad,
  hostForNewContainer,
  hostWithSpare,
  MAX_CREATING_PER_HOST,
  reasonForWait,
} from '../../../runtime/environments/docker/placement.ts';

const host = (of: Partial<HostLoad>): HostLoad => ({
  ...{ capacity: 4, wantedSpares: 0, used: 0, spare: 0, creating: 0, leaving: 0, isHere: true, isOpen: true },
  ...of,
});

const anyHost = fc.record({
  capacity: fc.integer({ min: 1, max: 6 }),
  wantedSpares: fc.nat(3),
  used: fc.nat(6),
  spare: fc.nat(3),
  creating: fc.nat(3),
  leaving: fc.nat(6),
  isHere: fc.boolean(),
  isOpen: fc.boolean(),
});
const anyHosts = fc.array(anyHost, { maxLength: 4 });

/** Repeats the decision until it is none. */
const settle = (hosts: readonly HostLoad[], waiting: number): readonly HostLoad[] => {
  const at = hostForNewContainer(hosts, waiting);
  if (at === undefined) return hosts;
  return settle(
    hosts.map((host, index) => (index === at ? { ...host, creating: host.creating + 1 } : host)),
    waiting,
  );
};
const taken = ({ used, spare, creating }: HostLoad) => used + spare + creating;

describe('the host of the next container', () => {
  test('respects capacity, the maximum of creations, and closed hosts', () => {
    fc.assert(
      fc.property(anyHosts, fc.nat(9), (hosts, waiting) => {
        for (const [index, after] of settle(hosts, waiting).entries()) {
          if (after.creating === hosts[index]?.creating) continue;
          expect(after.isOpen).toBe(true);
          expect(taken(after)).toBeLessThanOrEqual(after.capacity);
          expect(after.creating).toBeLessThanOrEqual(MAX_CREATING_PER_HOST);
          expect(after.leaving).toBeLessThanOrEqual(after.capacity);
        }
      }),
    );
  });

  test('creates one if a taker waits and there is room', () => {
    fc.assert(
      fc.property(anyHosts, fc.integer({ min: 1, max: 9 }), (hosts, waiting) => {
        const hasRoom = hosts.some(
          host => host.isOpen && taken(host) < host.capacity && host.leaving <= host.capacity,
        );
        if (hasRoom) expect(settle(hosts, waiting).some(({ creating }) => creating > 0)).toBe(true);
      }),
    );
  });

  test('creates no more than the takers and the missing spares', () => {
    fc.assert(
      fc.property(anyHosts, fc.nat(9), (hosts, waiting) => {
        const before = hosts.reduce((sum, { creating }) => sum + creating, 0);
        const lacking = hosts.reduce((sum, h) => sum + Math.max(0, h.wantedSpares - h.spare - h.creating), 0);
        const after = settle(hosts, waiting).reduce((sum, { creating }) => sum + creating, 0);
        expect(after - before).toBeLessThanOrEqual(Math.max(0, waiting - before) + lacking);
      }),
    );
  });

  test('is the least loaded one by its share of capacity', () => {
    expect(hostForNewContainer([host({ capacity: 2, used: 1 }), host({ capacity: 8, used: 2 })], 1)).toBe(1);
    expect(
      hostForNewContainer([host({ used: 2, wantedSpares: 1 }), host({ used: 1, wantedSpares: 1 })], 0),
    ).toBe(1);
  });

  test('is none if no taker waits and all spares exist', () => {
    expect(hostForNewContainer([host({ wantedSpares: 2, spare: 1, creating: 1 })], 0)).toBeUndefined();
  });
});

test('the reason for a wait is the start, the use or the removal of containers', () => {
  expect(reasonForWait(host({ used: 2, creating: 2 }))).toMatch('starting containers');
  expect(reasonForWait(host({ used: 4 }))).toMatch('in use');
  expect(reasonForWait(host({ leaving: 5 }))).toMatch('removing its last containers');
});

test('a spare comes from the least loaded host that answers', () => {
  expect(hostWithSpare([host({ used: 2, spare: 1 }), host({ used: 1, spare: 1 }), host({})])).toBe(1);
  expect(hostWithSpare([host({ spare: 1, isHere: false }), host({ used: 3, spare: 1, isOpen: false })])).toBe(
    1,
  );
  expect(hostWithSpare([host({ spare: 1, isHere: false }), host({})])).toBeUndefined();
});
