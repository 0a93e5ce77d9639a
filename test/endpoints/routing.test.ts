// The rules of the router, for any states of its servers.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  givesUpAt,
  nextServer,
  type ServerPhase,
  type ServerState,
} from '../../runtime/endpoints/routing.ts';

const NOW = 1000;
const PHASES: readonly ServerPhase[] = ['serving', 'draining', 'updating', 'failed', 'out'];

const server: fc.Arbitrary<ServerState> = fc
  .record({
    phase: fc.constantFrom(...PHASES),
    ...{ inFlight: fc.nat(8), concurrency: fc.integer({ min: 1, max: 8 }), turn: fc.nat(100) },
    ...{ blockedUntil: fc.nat(2 * NOW), down: fc.nat(NOW) },
  })
  .map(({ down, ...each }) => ({
    ...each,
    downSince: each.phase === 'failed' || each.phase === 'out' ? down : undefined,
  }));
const servers = fc.array(server, { minLength: 1, maxLength: 6 });

const hasRoom = ({ phase, inFlight, concurrency }: ServerState): boolean =>
  inFlight < (phase === 'failed' ? 1 : concurrency);
const isReady = ({ phase, blockedUntil }: ServerState): boolean =>
  (phase === 'serving' || phase === 'failed') && blockedUntil <= NOW;

describe('the next server', () => {
  test('takes requests, is not blocked, and has room', () => {
    fc.assert(
      fc.property(servers, fc.nat(5), fc.boolean(), (all, place, hasOwn) => {
        const next = nextServer(all, hasOwn ? all[place % all.length] : undefined, NOW);
        if (next === undefined) return;
        expect(isReady(next) && hasRoom(next)).toBe(true);
      }),
    );
  });

  test('of a new session exists if any server takes requests: a failed one first, so that its recovery shows', () => {
    fc.assert(
      fc.property(servers, all => {
        const next = nextServer(all, undefined, NOW);
        const able = all.filter(each => isReady(each) && hasRoom(each));
        expect(next === undefined).toBe(able.length === 0);
        if (next === undefined) return;
        const failed = able.filter(({ phase }) => phase === 'failed');
        if (failed.length > 0) expect(failed).toContain(next);
        else expect(next.inFlight).toBe(Math.min(...able.map(({ inFlight }) => inFlight)));
      }),
    );
  });

  test('of a session is its own while that serves, unless it is full and another is not half full', () => {
    fc.assert(
      fc.property(servers, fc.nat(5), (all, place) => {
        const own = all[place % all.length];
        if (own === undefined || own.phase !== 'serving' || own.blockedUntil > NOW) return;
        const next = nextServer(all, own, NOW);
        if (hasRoom(own)) expect(next).toBe(own);
        else if (next !== undefined) {
          expect(next.phase).toBe('serving');
          expect(2 * next.inFlight).toBeLessThan(next.concurrency);
        }
      }),
    );
  });

  test('of a session whose server fails is one that serves, if there is one', () => {
    fc.assert(
      fc.property(servers, fc.nat(5), (all, place) => {
        const own = all[place % all.length];
        if (own === undefined || own.phase === 'serving') return;
        const serving = all.filter(
          each => each.phase === 'serving' && each.blockedUntil <= NOW && hasRoom(each),
        );
        if (serving.length > 0) expect(serving).toContain(nextServer(all, own, NOW));
      }),
    );
  });
});

test('requests give up only when every server is down, and then from the last one that worked', () => {
  fc.assert(
    fc.property(servers, fc.nat(1000), (all, patience) => {
      const ends = givesUpAt(all, patience);
      const isDown = all.every(({ phase }) => phase === 'failed' || phase === 'out');
      expect(ends !== undefined).toBe(isDown);
      for (const { downSince = 0 } of all)
        if (ends !== undefined) expect(ends).toBeGreaterThanOrEqual(downSince + patience);
    }),
  );
});
