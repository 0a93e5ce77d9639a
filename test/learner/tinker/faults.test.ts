// Training through one fault at every request in turn: whatever fails, each update is applied once.

import { describe, expect, test } from 'vitest';
import { FAULTS, FaultyTransport, type TinkerFault } from '../../doubles/tinker/faults.ts';
import type { TinkerServer } from '../../doubles/tinker/tinker-server.ts';
import { HOSTED, JSON_SERVER, type TinkerTraits } from '../../doubles/tinker/traits.ts';
import { lab } from './lab.ts';
import { train } from './training.ts';

const SERVERS: readonly (readonly [string, Partial<TinkerTraits>])[] = [
  ['with protobuf and numbered requests', HOSTED],
  ['with JSON and without numbers', JSON_SERVER],
  ['with room for one model', { ...HOSTED, room: 1 }],
];

async function trained(
  traits: Partial<TinkerTraits>,
  faultAt?: (request: number) => TinkerFault | undefined,
) {
  let transport: FaultyTransport | undefined;
  const faulty = lab({
    traits,
    transport: (server: TinkerServer) => {
      transport = new FaultyTransport(server, faultAt);
      return transport;
    },
  });
  return { ...(await train(faulty)), requests: transport?.requests ?? 0 };
}

describe.each(SERVERS)('a server %s', (_, traits) => {
  test.each(FAULTS)('applies each update once through: %s', async fault => {
    const expected = await trained(traits);
    expect(expected.state.steps).toBe(2);
    for (let failing = 0; failing < expected.requests; failing++) {
      const { present, state } = await trained(traits, request => (request === failing ? fault : undefined));
      expect({ failing, state, present }).toEqual({
        failing,
        state: expected.state,
        present: expected.present,
      });
    }
  });
});
