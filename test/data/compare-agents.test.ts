// Comparisons of agents: laws over random episodes, reference values, and coverage with different tasks.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seeded } from '../../runtime/core/rng.ts';
import { type AgentEpisode, compareAgents } from '../../runtime/data/compare-agents.ts';

const AGENTS = ['one', 'two'] as const;

const episode = fc.record({
  agent: fc.constantFrom('one', 'two', 'three'),
  task: fc.constantFrom('a', 'b', 'c'),
  seed: fc.nat(4),
  success: fc.boolean(),
  steps: fc.integer({ min: 1, max: 30 }),
});
const episodes = fc.array(episode, { maxLength: 60 });

/** One trial of each agent on `instances` instances of each task. `solves` decides by task and instance. */
function played(
  tasks: number,
  instances: number,
  solves: (task: number, instance: number) => readonly [boolean, boolean],
): readonly AgentEpisode[] {
  return Array.from({ length: tasks * instances }, (_, index) => {
    const [task, seed] = [Math.floor(index / instances), index % instances];
    const solved = solves(task, seed);
    return AGENTS.map((agent, side) => ({
      ...{ agent, task: `task-${task}`, seed, steps: 5 },
      success: solved[side] === true,
    }));
  }).flat();
}

describe('two agents on the same instances', () => {
  test('the difference is that of the rates, within its interval and within −1 and 1', () => {
    fc.assert(
      fc.property(episodes, each => {
        const { agents, difference } = compareAgents(each, AGENTS);
        const [one, two] = agents;
        expect(difference === undefined).toBe(one.instances === 0);
        if (difference === undefined) return;
        expect(difference.value).toBeCloseTo(one.rate - two.rate, 12);
        expect(difference.low).toBeGreaterThanOrEqual(-1);
        expect(difference.high).toBeLessThanOrEqual(1);
        expect(difference.low).toBeLessThanOrEqual(difference.value);
        expect(difference.high).toBeGreaterThanOrEqual(difference.value);
      }),
    );
  });

  test('swapping the agents mirrors everything', () => {
    fc.assert(
      fc.property(episodes, each => {
        const [given, swapped] = [compareAgents(each, AGENTS), compareAgents(each, ['two', 'one'])];
        expect(swapped.agents).toEqual(given.agents.toReversed());
        expect(swapped.difference === undefined).toBe(given.difference === undefined);
        if (given.difference === undefined || swapped.difference === undefined) return;
        expect(swapped.difference.value).toBeCloseTo(-given.difference.value, 12);
        expect(swapped.difference.low).toBeCloseTo(-given.difference.high, 12);
        expect(swapped.difference.high).toBeCloseTo(-given.difference.low, 12);
        expect(swapped.tasks.map(({ onlyFirst }) => onlyFirst)).toEqual(
          given.tasks.map(({ onlySecond }) => onlySecond),
        );
      }),
    );
  });

  test('the order of the episodes changes nothing', () => {
    fc.assert(
      fc.property(episodes, each => {
        expect(compareAgents(each.toReversed(), AGENTS)).toEqual(compareAgents(each, AGENTS));
      }),
    );
  });

  test('instances of one agent alone, and other agents, change nothing', () => {
    fc.assert(
      fc.property(episodes, each => {
        const hasBoth = ({ task, seed }: AgentEpisode) =>
          AGENTS.every(agent =>
            each.some(other => other.agent === agent && other.task === task && other.seed === seed),
          );
        const common = each.filter(other => other.agent !== 'three' && hasBoth(other));
        expect(compareAgents(each, AGENTS)).toEqual(compareAgents(common, AGENTS));
      }),
    );
  });

  test('the instances of a task add up, and so do the trials', () => {
    fc.assert(
      fc.property(episodes, each => {
        const { agents, tasks } = compareAgents(each, AGENTS);
        const counts = tasks.flatMap(({ both, onlyFirst, onlySecond, neither }) => [
          ...[both, onlyFirst, onlySecond, neither],
        ]);
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(agents[0].instances);
        for (const side of [0, 1] as const)
          expect(tasks.reduce((sum, { tallies }) => sum + tallies[side].trials, 0)).toBe(agents[side].trials);
      }),
    );
  });

  test('without a common instance there is no difference', () => {
    const only = played(2, 3, () => [true, false]).filter(({ agent }) => agent === 'one');
    expect(compareAgents(only, AGENTS)).toMatchObject({
      agents: [{ instances: 0, trials: 0, low: 0, high: 1, meanSteps: 0 }, { instances: 0 }],
      tasks: [],
    });
    expect(compareAgents(only, AGENTS).difference).toBeUndefined();
  });
});

describe('the interval of the difference', () => {
  test('is that of Tango if all pairs of a task agree', () => {
    for (const count of [5, 20, 200]) {
      const { difference } = compareAgents(
        played(1, count, (_, instance) => [instance % 2 === 0, instance % 2 === 0]),
        AGENTS,
      );
      // z² / (n + z²)
      const reach = 3.8415 / (count + 3.8415);
      expect(difference?.value).toBe(0);
      expect((difference?.high ?? 0) / reach).toBeGreaterThan(0.85);
      expect((difference?.high ?? 0) / reach).toBeLessThan(1.3);
    }
  });

  test('is narrower for pairs that agree than for pairs that do not', () => {
    const width = (second: (instance: number) => boolean) => {
      const { difference } = compareAgents(
        played(1, 40, (_, instance) => [instance % 2 === 0, second(instance)]),
        AGENTS,
      );
      return (difference?.high ?? 0) - (difference?.low ?? 0);
    };
    expect(width(instance => instance % 2 === 0)).toBeLessThan(0.6 * width(instance => instance < 20));
    expect(width(instance => instance < 20)).toBeLessThan(width(instance => instance % 2 === 1));
  });

  test('has a width if both agents solve everything', () => {
    const { difference } = compareAgents(
      played(4, 5, () => [true, true]),
      AGENTS,
    );
    expect(difference?.high).toBeGreaterThan(0.05);
    expect(difference?.low).toBeLessThan(-0.05);
  });

  test.each([
    ['20 tasks with 10 instances', 20, 10, 0.1],
    ['6 tasks with 5 instances', 6, 5, 0.2],
    ['1 task with 30 instances', 1, 30, 0.15],
    ['20 tasks with 10 instances, and no difference', 20, 10, 0],
  ])('has its nominal coverage with %s', (name, tasks, instances, truth) => {
    const random = seeded(name);
    const repeats = 400;
    let covered = 0;
    for (let repeat = 0; repeat < repeats; repeat++) {
      // Hard tasks are hard for both agents; each task favours one of them by chance.
      const chances = Array.from({ length: tasks }, () => {
        const base = tasks === 1 ? 0.4 : random.next() < 0.5 ? 0.25 : 0.6;
        const favour = tasks === 1 ? 0 : random.next() < 0.5 ? -0.1 : 0.1;
        return [base + truth + favour, base - favour] as const;
      });
      const { difference } = compareAgents(
        played(tasks, instances, task => {
          // An instance is easy or hard for both.
          const draw = random.next();
          const own = random.next() < 0.5 ? draw : random.next();
          const [one = 0, two = 0] = chances[task] ?? [];
          return [draw < one, own < two];
        }),
        AGENTS,
      );
      if (difference !== undefined && difference.low <= truth && truth <= difference.high) covered += 1;
    }
    expect(covered / repeats).toBeGreaterThan(0.92);
    expect(covered / repeats).toBeLessThan(0.995);
  });
});

describe('tokens, latency and cost', () => {
  const usage = { promptTokens: 1000, completionTokens: 50, latencyMs: 4000, cost: 0.5 };
  const run = (parts: readonly (Partial<AgentEpisode> | undefined)[]): readonly AgentEpisode[] =>
    parts.flatMap((part, seed) =>
      AGENTS.map(agent => ({
        ...{ agent, task: 'a', seed, success: true, steps: 4 },
        ...(agent === 'one' && part),
      })),
    );

  test('are sums over the trials; latency is per step, and steps are per trial', () => {
    const { agents } = compareAgents(run([{ usage }, { usage, steps: 6 }]), AGENTS);
    expect(agents[0]).toMatchObject({ promptTokens: 2000, completionTokens: 100, cost: 1, meanSteps: 5 });
    expect(agents[0].latencyMs).toBe(800);
    expect(agents[1]).not.toHaveProperty('promptTokens');
  });

  test('are absent if a trial does not know them', () => {
    const { cost: _, ...unpriced } = usage;
    expect(compareAgents(run([{ usage }, undefined]), AGENTS).agents[0]).not.toHaveProperty('promptTokens');
    const [one] = compareAgents(run([{ usage }, { usage: unpriced }]), AGENTS).agents;
    expect(one).toHaveProperty('promptTokens', 2000);
    expect(one).not.toHaveProperty('cost');
  });
});

test('with several trials, an instance is solved if at least half of them solve it', () => {
  const trials = (agent: string, ...successes: readonly boolean[]): readonly AgentEpisode[] =>
    successes.map(success => ({ agent, task: 'a', seed: 1, success, steps: 3 }));
  const { tasks } = compareAgents(
    [...trials('one', true, false), ...trials('two', true, false, false)],
    AGENTS,
  );
  expect(tasks).toEqual([
    {
      task: 'a',
      tallies: [
        { successes: 1, trials: 2 },
        { successes: 1, trials: 3 },
      ],
      ...{ both: 0, onlyFirst: 1, onlySecond: 0, neither: 0 },
    },
  ]);
});
