import { expect, test } from 'vitest';
import { serversReport } from '../../../runtime/run/host/servers-report.ts';

const failures = { timeout: 1 };
const spent = { promptTokens: 7, completionTokens: 3, money: 0 };

test('a report has each server without what is unknown of it', () => {
  const one = {
    name: 'a',
    phase: 'serving',
    inFlight: 1,
    replies: 0,
    failures,
    latencyMs: undefined,
  } as const;
  const other = {
    ...one,
    name: 'b',
    phase: 'out',
    version: 4,
    model: 'b-v4',
    replies: 2,
    latencyMs: 9,
  } as const;
  const { servers, since } = serversReport({ servers: [one, other], spent }, { since: 5, hasPrices: false });
  expect(since).toBe(5);
  expect(servers).toEqual([
    { name: 'a', phase: 'serving', inFlight: 1, replies: 0 },
    { name: 'b', phase: 'out', version: 4, model: 'b-v4', inFlight: 1, replies: 2, latencyMs: 9 },
  ]);
});

test('money is known with prices alone, and may be 0', () => {
  const of = (hasPrices: boolean) => serversReport({ servers: [], spent }, { since: 5, hasPrices }).spent;
  expect(of(true)).toEqual(spent);
  expect(of(false)).toEqual({ promptTokens: 7, completionTokens: 3 });
});
