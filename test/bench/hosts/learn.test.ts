// The figures of learning over NATS.

import { expect, test } from 'vitest';
import { joinedShareOf, learnFigures } from '../../../runtime/bench/hosts/learn.ts';
import { clustered } from '../../../runtime/data/interval.ts';
import type { HostState } from '../../../runtime/protocol/daemon/hosts.ts';

const host = (isLocal: boolean, steps: number): HostState => ({
  ...{ name: 'host', status: 'playing', isLocal, desktops: 1, playing: 1, workers: 1, steps, stepsPerS: 0 },
  ...{ version: '1', sinceMs: 0, seenMs: 0 },
});

test('the share of the joined host is that of all steps', () => {
  expect(joinedShareOf([host(true, 30), host(false, 10)])).toBe(0.25);
  expect(joinedShareOf([host(true, 0)])).toBe(0);
  expect(joinedShareOf(undefined)).toBe(0);
});

const learned = (successes: number, joinedShare = 0) => ({
  ...{ curve: [], joinedShare, last: clustered([{ successes, trials: 100 }]) },
});

test('the difference is paired by seed, and the least share of the joined host counts', () => {
  const { figures, certainty } = learnFigures({
    embedded: [learned(90), learned(80)],
    nats: [learned(87, 0.5), learned(79, 0.4)],
  });
  expect(figures).toMatchObject({ tier1_embedded: 0.85, tier1_nats: 0.83, joined_share: 0.4 });
  expect(figures.nats_minus_embedded).toBeCloseTo(-0.02);
  const { low, high } = certainty.nats_minus_embedded;
  // −3 and −1 points: ± 12.7 standard errors of one point.
  expect(low).toBeCloseTo(-0.02 - 0.127, 3);
  expect(high).toBeCloseTo(-0.02 + 0.127, 3);
});
