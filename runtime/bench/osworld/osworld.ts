// The OSWorld benchmark: how many of its task files can run and be judged, and how often our metrics agree with its own.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { readOsworldFolder } from '../../environments/osworld/suite.ts';
import { MISSING_METRICS } from '../../tasks/metrics.ts';
import type { Benchmark, Report } from '../report.ts';
import { agrees, compareScores, TOLERANCE } from './agreement.ts';
import { CASES_PER_METRIC } from './metric-case.ts';
import { CASE_MAKERS, casesOf } from './metric-cases.ts';
import { readRecorded, writeRecorded } from './recorded-scores.ts';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { REFERENCE_FOLDER } from './reference/folder.mjs';
import { writeCases, writtenCases } from './written-cases.ts';

const METRICS = Object.keys(CASE_MAKERS);

export const osworld: Benchmark = {
  name: 'osworld',
  summary:
    "task files of OSWorld that can run and be judged (--tasks FOLDER), and agreement with OSWorld's metrics",
  isSpeedIndependent: true,
  run: async (report, { tasks }) => ({
    figures: { ...(tasks !== undefined && (await taskFigures(tasks))), ...(await agreementFigures(report)) },
    config: { metrics: METRICS.length, cases: CASES_PER_METRIC, tolerance: TOLERANCE },
  }),
};

async function taskFigures(folder: string) {
  const files = await readOsworldFolder(folder);
  const lacksOnlyMetric = (missing: readonly string[]) =>
    missing.every(each => each.startsWith('evaluator.func'));
  return {
    tasks_total: files.length,
    tasks_runnable: files.filter(({ missing }) => lacksOnlyMetric(missing)).length,
    tasks_judged: files.filter(({ missing }) => missing.length === 0).length,
  };
}

async function agreementFigures(report: Report) {
  let [agreeing, cases, positive, below] = [0, 0, 0, 0];
  for (const [index, metric] of METRICS.entries()) {
    const { agree, above } = await report.part(`${metric} ${index}`, METRICS.length, () =>
      agreementOf(metric),
    );
    agreeing += agree;
    positive += above;
    cases += CASES_PER_METRIC;
    if (agree / CASES_PER_METRIC < LEAST_AGREEMENT) {
      below += 1;
      report.say(`  ${metric}: ${agree} of ${CASES_PER_METRIC} agree`);
    }
  }
  return {
    metrics: METRICS.length,
    metrics_missing: Object.keys(MISSING_METRICS).length,
    metrics_agree: agreeing / cases,
    metrics_below_bar: below,
    cases_above_0: positive / cases,
  };
}

/** The bar of each metric. */
const LEAST_AGREEMENT = 0.995;

/** In how many cases our score agrees with the recorded one, and how many recorded ones exceed 0. */
export async function agreementOf(
  metric: string,
): Promise<{ readonly agree: number; readonly above: number }> {
  const cases = casesOf(metric);
  const { cases: hash, scores } = readRecorded(metric);
  if (hash !== writtenCases(metric, cases).hash)
    throw new RangeError(
      `The cases of ${metric} have changed since their scores were recorded. Record them again: npm run bench -- osworld --record.`,
    );
  const comparisons = await compareScores(metric, cases, scores);
  const above = scores.filter(score => score !== null && score > 0).length;
  return { agree: comparisons.filter(agrees).length, above };
}

const SCORE = fileURLToPath(new URL('../runtime/bench/osworld/reference/score.py', import.meta.url));
const scoreList = z.array(z.number().nullable());

export const osworldRecord: Benchmark = {
  name: 'osworld',
  variant: 'record',
  summary: "scores the cases with OSWorld's own metrics in Python, for the benchmark osworld",
  run: async report => {
    const folder = mkdtempSync(join(tmpdir(), 'dartboard-osworld-'));
    try {
      const hashes = new Map<string, string>();
      for (const metric of METRICS) {
        const cases = writtenCases(metric, casesOf(metric));
        writeCases(folder, metric, cases);
        hashes.set(metric, cases.hash);
      }
      report.say('  OSWorld scores them');
      const python = join(REFERENCE_FOLDER, 'environment/bin/python');
      execFileSync(python, [SCORE, folder, ...METRICS], { stdio: 'ignore' });
      for (const [metric, cases] of hashes) {
        const scores = JSON.parse(readFileSync(join(folder, `${metric}.scores.json`), 'utf8'));
        writeRecorded(metric, { cases, scores: scoreList.parse(scores) });
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    return { figures: { metrics: METRICS.length }, config: { cases: CASES_PER_METRIC } };
  },
};
