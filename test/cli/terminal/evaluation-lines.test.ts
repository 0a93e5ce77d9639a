// The table and the figures of an evaluated agent, and the progress of its evaluation.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluationTable, figureLines } from '../../../runtime/cli/terminal/evaluation-lines.ts';
import { EvaluationProgress, progressText } from '../../../runtime/cli/terminal/evaluation-progress.ts';
import { renderLine, widthOf } from '../../../runtime/cli/terminal/line.ts';
import { evaluationReport } from '../../../runtime/collect/evaluation-report.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import type { CollectionState } from '../../../runtime/protocol/daemon/collection.ts';
import type { EpisodeResult } from '../../../runtime/protocol/daemon/episode-result.ts';
import { file, Screen } from './screen.ts';

const episode = (task: string, success: boolean, changes: Partial<EpisodeResult> = {}): EpisodeResult => ({
  ...{ trajectory: 't', task, seed: 1, steps: 5, turns: 4, malformed: 1, truncated: 0, durationMs: 9000 },
  outcome: { kind: 'judged', success, score: success ? 1 : 0, ending: 'finished' },
  ...{ promptTokens: 4000, completionTokens: 200, cost: 0.02, latencyMs: 6000, retries: {} },
  ...changes,
});

const REPORT = evaluationReport([
  ...[episode('mail-star', true), episode('mail-star', true), episode('files-new-folder', false)],
  episode('files-new-folder', false, { outcome: { kind: 'broken', boundary: 'provider', message: 'down' } }),
]);

const linesOf = (report: typeof REPORT, width: number): readonly string[] =>
  evaluationTable(report, width).map(line => renderLine(line, false));

describe('the table', () => {
  test('has the worst task first, and means per episode', () => {
    expect(linesOf(REPORT, 120)).toEqual([
      'task                          solved  95 %      steps  malformed  tokens  per turn   cost',
      'files-new-folder  ░░░░░░░░░░     0/1  0–79 %      5.0       25 %   4,200     1.5 s  0.020',
      'mail-star         ██████████     2/2  34–100 %    5.0       25 %   4,200     1.5 s  0.020',
    ]);
  });

  test('has no columns for figures that the agent does not report', () => {
    const {
      promptTokens: _,
      completionTokens: __,
      cost: ___,
      latencyMs: ____,
      ...own
    } = episode('mail-star', true);
    expect(linesOf(evaluationReport([own]), 120)).toEqual([
      'task                   solved  95 %      steps',
      'mail-star  ██████████     1/1  21–100 %    5.0',
    ]);
  });

  test('never exceeds the width once its numbers fit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 30, max: 200 }), width => {
        for (const line of evaluationTable(REPORT, width)) expect(widthOf(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

test('the figures name steps, time, tokens, cost, and what failed', () => {
  expect(figureLines(REPORT, { timeout: 2, 'server-error': 11 })).toEqual([
    '5.0 steps and 4.0 turns per episode',
    '1.5 s per turn · 16,000 tokens of prompts · 800 of replies · cost 0.080',
    '25 % of the replies were malformed, 0 % were cut at the token limit',
    'failed requests: 11 server-error, 2 timeout',
    '1 episode broke and does not count: 1 provider',
  ]);
  expect(figureLines(evaluationReport([]), {})).toEqual([]);
});

const STATE: CollectionState = {
  ...{ collection: 'e', change: 1, status: 'playing', told: 'toy', instances: 10, tasks: 1, tries: 10 },
  ...{ accepts: false, evaluates: 'test', agent: 'toy', members: {} },
  rows: [{ task: 'mail-star', tried: 4, succeeded: 3, kept: 5, broken: 1 }],
};

describe('the progress', () => {
  test('counts broken episodes as done, and names what delays the next one', () => {
    expect(progressText(STATE)).toBe('5 of 10 episodes · 3 solved · 1 broke');
    expect(progressText({ ...STATE, problem: 'toy: no connection' })).toContain('· toy: no connection');
  });

  test('is one bar at one place of a terminal, and the cursor comes back', () => {
    const output = new Screen();
    const progress = new EvaluationProgress({ output, environment: {}, clock: new VirtualClock() });
    progress.show(STATE, false);
    progress.show({ ...STATE, change: 2 }, true);
    progress.end();
    progress.end();
    expect(output.text.match(/5 of 10 episodes/g)).toHaveLength(2);
    expect(output.text).toContain('Finished episodes are stored');
    expect(output.text.split('\x1b[?25h')).toHaveLength(2);
    expect(output.listeners).toBe(0);
  });

  test('has one line for a problem of several lines', () => {
    const output = new Screen();
    const environment = { NO_COLOR: '1' };
    const progress = new EvaluationProgress({ output, environment, clock: new VirtualClock() });
    const problem = 'toy: no connection\n  at 127.0.0.1\x1b[2J';
    progress.show({ ...STATE, problem }, false);
    progress.end();
    expect(output.text).toContain('  toy: no connection at 127.0.0.1 [2J\x1b[0');
    expect(progressText({ ...STATE, problem })).toContain('· toy: no connection at 127.0.0.1 [2J');
  });

  test('is a line every five seconds elsewhere', async () => {
    const output = file();
    const clock = new VirtualClock();
    const progress = new EvaluationProgress({ output, environment: {}, clock });
    for (let second = 0; second < 12; second++) {
      await clock.run(clock.now() + 1000);
      progress.show(STATE, false);
    }
    expect(output.text.trimEnd().split('\n')).toHaveLength(2);
  });
});
