// The hosts of a run from their events, and the sums of their metrics.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Event, HostReport } from '../../../runtime/core/event.ts';
import { sum } from '../../../runtime/core/sum.ts';
import { hostState } from '../../../runtime/protocol/daemon/hosts.ts';
import { HostRoster, LOCAL_HOST } from '../../../runtime/run/joined/host-roster.ts';

const on = (host: string | undefined) => (host === undefined || host === LOCAL_HOST ? {} : { host });

const metric = (host: string | undefined, name: string, value: number, at = 0): Event => ({
  ...{ module: 'rollout', at, kind: 'metric', name, value, ...on(host) },
});

const report = (
  host: string | undefined,
  fields: Partial<HostReport> & { readonly at?: number } = {},
): Event => ({
  ...{ module: 'rollout', at: 0, kind: 'host', phase: 'playing', desktops: 4, playing: 3, workers: 2 },
  ...{ version: '1', ...on(host), ...fields },
});

/** Each event is heard at the time of its sender, unless another time is given. */
function roster(...events: readonly (Event | readonly [Event, number])[]): HostRoster {
  const one = new HostRoster();
  for (const each of events) {
    const [event, heardAt] = 'kind' in each ? [each, each.at] : each;
    one.hear(event, heardAt);
  }
  return one;
}

describe('counters', () => {
  /** What the processes of a host count, one process after the other, each from zero. */
  const lives = fc.array(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }), {
    minLength: 1,
    maxLength: 3,
  });

  /** Processor time is in seconds, with fractions. */
  test.each([
    ['rollout/all_steps', 1],
    ['rollout/episodes', 1],
    ['env/explored_steps', 1],
    ['processor/host', 0.5],
  ])('%s is the sum over all hosts, however reports interleave and processes restart', (name, unit) => {
    const hosts = fc.dictionary(fc.constantFrom(LOCAL_HOST, 'tower', 'laptop'), lives, { minKeys: 1 });
    fc.assert(
      fc.property(hosts, fc.infiniteStream(fc.nat()), (all, choices) => {
        const queues = Object.entries(all).map(([host, processes]) =>
          processes
            .flatMap(steps => [0, ...steps.map((_, index) => sum(steps.slice(0, index + 1)))])
            .map(count => metric(host, name, unit * count)),
        );
        const one = new HostRoster();
        let before = 0;
        while (queues.some(({ length }) => length > 0)) {
          const left = queues.filter(({ length }) => length > 0);
          const event = left[(choices.next().value ?? 0) % left.length]?.shift();
          if (event !== undefined) one.hear(event, event.at);
          const total = one.metrics(0)[name] ?? 0;
          expect(total).toBeGreaterThanOrEqual(before);
          before = total;
        }
        const total = unit * sum(Object.values(all).flat(2));
        expect(before).toBe(total);
        expect(one.steps).toBe(name === 'rollout/all_steps' ? total : 0);
        expect(one.episodes).toBe(name === 'rollout/episodes' ? total : 0);
      }),
    );
  });

  test('of hosts that are lost or have left stay in the total, and not in the rate', () => {
    const steps = (host: string, value: number, at: number) => metric(host, 'rollout/all_steps', value, at);
    const one = roster(
      ...[report('lost'), steps('lost', 0, 0), steps('lost', 100, 1000)],
      ...[
        report('gone'),
        steps('gone', 0, 0),
        steps('gone', 50, 1000),
        report('gone', { phase: 'left', at: 1000 }),
      ],
      ...[steps(LOCAL_HOST, 0, 0), steps(LOCAL_HOST, 7, 1000)],
    );
    expect(one.perSecond('steps', 1000)).toBe(107);
    expect(one.perSecond('steps', 60_000)).toBe(7);
    expect(one.steps).toBe(157);
  });

  test('a host that joins again under the name of one that left counts on, and its stay begins at zero', () => {
    const one = roster(
      ...[report('tower'), metric('tower', 'rollout/all_steps', 30), report('tower', { phase: 'left' })],
      ...[
        report('tower', { at: 5 }),
        metric('tower', 'rollout/all_steps', 0, 5),
        metric('tower', 'rollout/all_steps', 4, 6),
      ],
    );
    expect(one.steps).toBe(34);
    expect(one.states(6)).toMatchObject([{ name: 'tower', steps: 4, sinceMs: 5 }]);
  });
});

describe('metrics of the run', () => {
  test('of one host are its own, whatever they are', () => {
    fc.assert(
      fc.property(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), (name, value) => {
        expect(roster(metric(undefined, name, value)).metrics(0)).toEqual({ [name]: value });
      }),
    );
  });

  test('counters and workers are summed; shares are weighted by desktops or by workers', () => {
    const one = roster(
      ...[report(LOCAL_HOST, { desktops: 1 }), report('tower', { desktops: 3 })],
      ...[metric(LOCAL_HOST, 'rollout/workers', 1), metric('tower', 'rollout/workers', 4)],
      ...[metric(LOCAL_HOST, 'env/occupancy', 1), metric('tower', 'env/occupancy', 0.2)],
      ...[metric(LOCAL_HOST, 'rollout/utilisation', 1), metric('tower', 'rollout/utilisation', 0.5)],
      ...[metric(LOCAL_HOST, 'processor/host', 10), metric('tower', 'processor/host', 20)],
      ...[metric('tower', 'env/explored_steps', 5), metric(LOCAL_HOST, 'env/explored_steps', 6)],
    );
    expect(one.metrics(0)).toEqual({
      'rollout/workers': 5,
      'env/occupancy': expect.closeTo((1 + 3 * 0.2) / 4),
      'rollout/utilisation': expect.closeTo((1 + 4 * 0.5) / 5),
      'processor/host': 30,
      'env/explored_steps': 11,
    });
    expect(one.joinedDesktops(0)).toBe(3);
  });

  test('do not include the gauges of a host that is lost, and include its counters', () => {
    const one = roster(
      ...[metric(LOCAL_HOST, 'rollout/workers', 2), metric(LOCAL_HOST, 'processor/host', 1)],
      ...[report('tower'), metric('tower', 'rollout/workers', 4), metric('tower', 'processor/host', 2)],
    );
    expect(one.metrics(10_001)).toEqual({ 'rollout/workers': 2, 'processor/host': 3 });
    expect(one.joinedDesktops(10_001)).toBe(0);
  });

  test('ignore values that are not finite', () => {
    expect(roster(metric('tower', 'rollout/all_steps', Number.NaN)).metrics(0)).toEqual({});
  });
});

describe('the list of hosts', () => {
  test('is empty for a run on one machine', () => {
    expect(roster(metric(undefined, 'rollout/workers', 1)).states(0)).toEqual([]);
  });

  test('has the local one first, then the others as they joined', () => {
    const one = roster(report('tower', { at: 1 }), report('laptop', { at: 2 }), report(undefined, { at: 3 }));
    expect(one.states(3).map(({ name, isLocal }) => [name, isLocal])).toEqual([
      [LOCAL_HOST, true],
      ['tower', false],
      ['laptop', false],
    ]);
  });

  test('shows a host as lost after ten seconds of silence, as playing when it is heard again, and not for ever', () => {
    const one = roster(report('tower'));
    const status = (now: number) => one.states(now).map(each => [each.status, each.playing]);
    expect(status(10_000)).toEqual([['playing', 3]]);
    expect(status(10_001)).toEqual([['lost', 0]]);
    expect(status(600_001)).toEqual([]);
    one.hear(report('tower', { phase: 'draining' }), 700_000);
    expect(status(700_000)).toEqual([['draining', 3]]);
    one.hear(report('tower', { phase: 'left' }), 700_001);
    expect(status(700_001)).toEqual([]);
  });

  test('has the offset of the clock of a host, of which a late report makes nothing', () => {
    const ahead = 5000;
    const sent = (at: number, delay: number) =>
      [report('tower', { at: at + ahead, latencyMs: 10 }), at + 5 + delay] as const;
    const one = roster(sent(0, 0), sent(2000, 400), sent(4000, 90));
    expect(one.states(4095)).toMatchObject([{ clockOffsetMs: ahead, latencyMs: 10, seenMs: 4095 }]);
    expect(roster(report(undefined)).states(0)[0]).not.toHaveProperty('clockOffsetMs');
  });

  test('is valid for its schema after any events', () => {
    const host = fc.constantFrom(undefined, 'tower', 'laptop');
    const event = fc.oneof(
      fc
        .tuple(host, fc.constantFrom('rollout/all_steps', 'env/occupancy'), fc.nat(1e6), fc.nat(1e6))
        .map(([name, of, value, at]) => metric(name, of, value, at)),
      fc
        .tuple(host, fc.constantFrom('playing', 'draining', 'left'), fc.nat(1e6), fc.option(fc.nat(1e4)))
        .map(([name, phase, at, latency]) =>
          report(name, { phase, at, ...(latency !== null && { latencyMs: latency }) }),
        ),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(event, fc.nat(1e6))), fc.nat(2e6), (events, now) => {
        const states = roster(...events).states(now);
        expect(hostState.array().parse(states)).toEqual(states);
      }),
    );
  });
});
