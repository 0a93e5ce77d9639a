// The results of episodes, and the report of an evaluation over them.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { episodeResultOf } from '../../runtime/collect/episode-results.ts';
import { evaluationReport } from '../../runtime/collect/evaluation-report.ts';
import { version } from '../../runtime/core/ids.ts';
import type { Step } from '../../runtime/core/step.ts';
import type { TokensTrace, Trace } from '../../runtime/core/trace.ts';
import { type EpisodeResult, episodeResult } from '../../runtime/protocol/daemon/episode-result.ts';
import { BROKEN, judged, step, trajectory } from '../data/trajectories.ts';

const reply = (changes: Partial<TokensTrace> = {}, served: Partial<TokensTrace['served']> = {}): Trace => ({
  ...{ kind: 'tokens', tokens: [], estimator: 'none', finish: 'stop', raw: 'x', defects: [] },
  ...changes,
  served: { endpoint: 'toy', model: 'm', latencyMs: 100, retries: [], ...served },
});

const chosen = (trace: Trace): Step => ({
  action: { kind: 'wait' },
  meant: [],
  chosen: { version: version(0), trace },
});

describe('the result of an episode', () => {
  test('sums its turns, and counts a turn of several actions once', () => {
    const steps = [
      chosen(
        reply({}, { promptTokens: 10, completionTokens: 2, cost: 0.5, retries: ['timeout', 'timeout'] }),
      ),
      chosen({ kind: 'same-turn' }),
      chosen(reply({ malformed: 'no action' }, { promptTokens: 20, latencyMs: 300 })),
      chosen(reply({ finish: 'length' }, { promptTokens: 30, retries: ['server-error', 'timeout'] })),
    ];
    const result = episodeResultOf(trajectory('t', { steps, outcome: judged(1) }));
    expect(result).toEqual({
      ...{ trajectory: 't', task: 'notes-rename', seed: 1, steps: 4, turns: 3, malformed: 1, truncated: 1 },
      outcome: { kind: 'judged', success: true, score: 1, ending: 'finished' },
      ...{ promptTokens: 60, completionTokens: 2, cost: 0.5, latencyMs: 500, durationMs: 1000 },
      retries: { timeout: 3, 'server-error': 1 },
    });
    expect(episodeResult.parse(result)).toEqual(result);
  });

  test('of the built-in policy has turns and no cost', () => {
    const result = episodeResultOf(trajectory('t', { steps: [step(1, 0.5), step(1, 0.5)] }));
    expect(result).toMatchObject({ steps: 2, turns: 2, malformed: 0 });
    expect(result).not.toHaveProperty('latencyMs');
    expect(result).not.toHaveProperty('promptTokens');
  });

  test('of a broken episode names the boundary', () => {
    const { outcome } = episodeResultOf(trajectory('t', { outcome: BROKEN }));
    expect(outcome).toEqual({ kind: 'broken', boundary: 'environment', message: 'it hung' });
  });
});

const EPISODE: EpisodeResult = {
  ...{ trajectory: 't', task: 'a', seed: 1, steps: 4, turns: 2, malformed: 1, truncated: 0 },
  outcome: { kind: 'judged', success: true, score: 1, ending: 'finished' },
  ...{ promptTokens: 100, completionTokens: 10, cost: 0.2, latencyMs: 600, retries: {}, durationMs: 900 },
};
const FAILED: EpisodeResult = {
  ...{ ...EPISODE, steps: 8, turns: 6, malformed: 0 },
  outcome: { kind: 'judged', success: false, score: 0.3, ending: 'capped' },
};
const BROKE: EpisodeResult = {
  ...{ ...EPISODE, steps: 1, turns: 1 },
  outcome: { kind: 'broken', boundary: 'provider', message: 'down' },
};

describe('the report of an evaluation', () => {
  test('has rates with intervals, means over judged episodes, and the cost of all', () => {
    const report = evaluationReport([EPISODE, FAILED, BROKE, { ...FAILED, task: 'b' }]);
    expect(report).toMatchObject({
      ...{ successes: 1, trials: 3, broken: 1, brokenBy: { provider: 1 } },
      ...{ steps: 20 / 3, turns: 14 / 3, malformed: 1 / 14, truncated: 0 },
      ...{ promptTokens: 400, completionTokens: 40, latencyMs: 1800 / 14 },
    });
    expect(report.cost).toBeCloseTo(0.8);
    expect(report.rate).toBeCloseTo(1 / 3);
    expect(report.low).toBeLessThan(1 / 3);
    expect(report.high).toBeGreaterThan(1 / 3);
    expect(report.tasks.map(({ task, successes, trials }) => [task, successes, trials])).toEqual([
      ['b', 0, 1],
      ['a', 1, 2],
    ]);
  });

  test('has the cost of all requests, if it is known, also of those whose attempts were repeated', () => {
    const spent = { promptTokens: 500, completionTokens: 60, money: 0.9 };
    const paid = { promptTokens: 500, completionTokens: 60, cost: 0.9 };
    expect(evaluationReport([EPISODE], spent)).toMatchObject(paid);
    expect(evaluationReport([EPISODE], spent).tasks).toMatchObject([{ promptTokens: 100, cost: 0.2 }]);
    const { cost: _, ...withoutPrices } = EPISODE;
    expect(evaluationReport([withoutPrices], spent)).toMatchObject({ ...paid, cost: undefined });
  });

  test('of nothing but broken episodes has no rate, and no means', () => {
    const report = evaluationReport([BROKE]);
    expect(report).toMatchObject({
      successes: 0,
      trials: 0,
      broken: 1,
      steps: undefined,
      malformed: undefined,
    });
    expect(report.rate).toBeNaN();
    expect(JSON.parse(JSON.stringify(report))).toMatchObject({ rate: null, low: 0, high: 1 });
  });

  test('does not depend on the order in which episodes finish', () => {
    const episode = fc.record({
      index: fc.constantFrom(0, 1, 2),
      task: fc.constantFrom('a', 'b', 'c'),
    });
    fc.assert(
      fc.property(fc.array(episode, { maxLength: 12 }), drawn => {
        const all = drawn.map(({ index, task }) => ({
          ...([EPISODE, FAILED, BROKE][index] ?? EPISODE),
          ...{ task, cost: 0.25 },
        }));
        const report = evaluationReport(all);
        expect(evaluationReport([...all].reverse())).toEqual(report);
        expect(report.trials + report.broken).toBe(all.length);
      }),
    );
  });
});
