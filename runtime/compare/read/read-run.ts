// Reads the folder of a run. A file that is missing or damaged leaves its part of the record empty and adds a sentence to `missing`.

import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../core/errors.ts';
import { exists, namesIn, textIn } from '../../core/existing-file.ts';
import { type RunId, runId } from '../../core/ids.ts';
import { parsedJson, parseJson } from '../../core/json.ts';
import { safeParse } from '../../core/safe-parse.ts';
import type { EvaluationPoint, RunState } from '../../protocol/daemon/state.ts';
import { savedRunState } from '../../protocol/daemon/state.ts';
import { readCurve } from '../../run/curves/curve-files.ts';
import { RUN_FILE, RunFolders, type RunRecord, STATE_FILE } from '../../run/folders/run-folders.ts';
import type { CurationSample, RecordedRun } from '../record.ts';
import { type MetricsRow, readMetrics } from './metrics-file.ts';
import { findTestEvaluation } from './test-evaluation.ts';

/** More points do not show in a chart. */
const CURATION_POINTS = 120;

const COST = { tokens: 'cost/tokens', money: 'cost/money' } as const;
/** The columns of metrics.csv with the curation. */
const CURATION = {
  trainable: 'data/trainable_groups',
  filtered: 'data/filtered_groups',
  injections: 'data/pool_injections',
  duplicates: 'data/duplicates',
  dropped: 'off_policy/dropped',
  pool: 'data/known_successes',
  rollouts: 'data/mean_rollouts',
  lengthLimit: 'data/mean_cap',
  staleness: 'off_policy/mean',
  maxStaleness: 'off_policy/max',
} as const;

/** `name` is the name of a run in the folder of runs, or the path of a run's folder. Rejects if it is neither. */
export async function findRunFolder(runs: string, name: string): Promise<string> {
  for (const path of [join(runs, name), name]) if (name !== '' && (await hasRun(path))) return resolve(path);
  const names = (await namesIn(runs)).filter(each => each.includes('-')).sort();
  const latest = names.length === 0 ? '' : ` The latest runs are ${names.slice(-3).join(', ')}.`;
  throw new RangeError(
    `No run is called '${name}' in '${runs}', and no such folder contains a run. Give the name of a run, or the path of its folder.${latest}`,
  );
}

const hasRun = async (path: string): Promise<boolean> =>
  (await exists(join(path, RUN_FILE))) || (await exists(join(path, STATE_FILE)));

/**
 * `folder` is that of the run; the folder above has the trajectories that retention deleted. `isLive`: whether a process trains a run of that folder;
 * by default its lock tells.
 */
export async function readRun(
  folder: string,
  isLive: (run: RunId) => Promise<boolean> = each => new RunFolders(dirname(folder)).isLive(each),
): Promise<RecordedRun> {
  const [root, run] = [dirname(folder), runId(basename(folder))];
  const missing: string[] = [];
  const { about, settings } = await readAbout(root, run, missing);
  const state = await readState(join(folder, STATE_FILE), missing);
  const points = await readPoints(folder, state, missing);
  const test = points.filter(({ split }) => split === 'test');
  const seconds = about?.seconds ?? state?.seconds ?? points.at(-1)?.seconds;
  const metrics = await readMetricsOf(folder, seconds ?? 0, test, missing);
  if (test.length === 0)
    missing.push(
      `The run '${run}' has no evaluation on test instances, so it has no curve. Let it train until its first evaluation.`,
    );
  const found = await findTestEvaluation(root, run, points);
  if (found.missing !== undefined) missing.push(found.missing);
  const shown = about ?? state;
  const spent = state?.spent ?? about?.spent;
  const model = state?.learner?.model ?? about?.learner?.model;
  return {
    kind: 'run',
    name: run,
    status: await statusOf(run, shown?.status, isLive),
    ...(shown?.message !== undefined && { message: shown.message }),
    ...(shown !== undefined && {
      ...{ startedAt: shown.startedAt, plannedSeconds: shown.of, about: shown.about },
    }),
    ...(seconds !== undefined && { seconds }),
    ...(settings !== undefined && { config: settings }),
    ...(about?.from !== undefined && { from: about.from }),
    programs: about?.programs ?? [],
    ...(state !== undefined && {
      ...{ steps: state.rollout.steps, episodes: state.rollout.episodes, updates: state.trainer.updates },
    }),
    ...(spent !== undefined && {
      cost: {
        tokens: spent.promptTokens + spent.completionTokens,
        ...(spent.money !== undefined && { money: spent.money }),
        ...(spent.hardwareSeconds !== undefined && { hardwareSeconds: spent.hardwareSeconds }),
      },
    }),
    ...(model !== undefined && { model }),
    curve: test.map((point, index) => ({ ...point, cost: sampleOf(metrics.costs[index] ?? {}, COST) })),
    curation: metrics.curation,
    tiers: Object.fromEntries((state?.tasks ?? []).map(({ task, tier }) => [task, tier])),
    ...(found.evaluation !== undefined && { evaluation: found.evaluation }),
    missing,
  };
}

/** A run without a process that did not end has failed. */
async function statusOf(
  run: RunId,
  status: RunState['status'] | undefined,
  isLive: (run: RunId) => Promise<boolean>,
): Promise<RecordedRun['status']> {
  if (status === undefined) return 'unknown';
  return status === 'ended' || (await isLive(run)) ? status : 'failed';
}

interface RunSettings {
  readonly about?: RunRecord;
  readonly settings?: object;
}

/** Settings of another version are read as they are written. */
async function readAbout(root: string, run: RunId, missing: string[]): Promise<RunSettings> {
  const lacks = 'The report lacks its settings and its versions, and the run forms an arm of its own.';
  try {
    const about = await new RunFolders(root).read(run);
    if (about !== undefined) return { about, settings: about.config };
    missing.push(`The run '${run}' has no ${RUN_FILE}. ${lacks} Restore the file.`);
  } catch (error) {
    // The first error is the one that is reported.
    const text = await textIn(join(root, run, RUN_FILE)).catch(() => undefined);
    const written = safeParse(writtenConfig, parsedJson(text ?? '')).data;
    const why = shortened(messageOf(error));
    if (written !== undefined) {
      missing.push(
        `${why} Its settings are compared as they are written. Compare with the version that trained it.`,
      );
      return { settings: written.config };
    }
    missing.push(`${why} ${lacks} Restore the file from a copy.`);
  }
  return {};
}

const writtenConfig = z.object({ config: z.record(z.string(), z.unknown()) });

async function readState(file: string, missing: string[]): Promise<RunState | undefined> {
  const lacks = 'The report lacks its steps, updates and costs. Resume the run to write the file again.';
  try {
    const text = await textIn(file);
    if (text !== undefined) return savedRunState.parse(parseJson(text));
    missing.push(`'${file}' is missing. ${lacks}`);
  } catch (error) {
    missing.push(`'${file}' is damaged: ${shortened(messageOf(error))} ${lacks}`);
  }
  return undefined;
}

/** The curve is also in the state. */
async function readPoints(
  folder: string,
  state: RunState | undefined,
  missing: string[],
): Promise<readonly EvaluationPoint[]> {
  const file = join(folder, 'curve.csv');
  try {
    const points = await readCurve(folder);
    if (points.length > 0 || state === undefined || state.curve.length === 0) return points;
    missing.push(
      `'${file}' is missing or empty. The curve is that of ${STATE_FILE}. Nothing needs to be done.`,
    );
  } catch (error) {
    const instead =
      state === undefined ? 'The report lacks its curve.' : `The curve is that of ${STATE_FILE}.`;
    missing.push(
      `'${file}' is damaged: ${shortened(messageOf(error))} ${instead} Restore the file from a copy.`,
    );
  }
  return state?.curve ?? [];
}

async function readMetricsOf(
  folder: string,
  seconds: number,
  points: readonly EvaluationPoint[],
  missing: string[],
): Promise<{
  readonly curation: readonly CurationSample[];
  readonly costs: readonly (MetricsRow | undefined)[];
}> {
  const file = join(folder, 'metrics.csv');
  const columns = [...Object.values(CURATION), ...Object.values(COST)];
  const times = points.map(point => point.seconds);
  const read = await readMetrics(file, columns, { ...{ parts: CURATION_POINTS, seconds, times } });
  if (read === undefined || read.rows.length === 0)
    missing.push(
      `'${file}' is missing or empty. The report lacks the curation of this run. Restore the file.`,
    );
  const curation = (read?.rows ?? []).flatMap(row =>
    row['seconds'] === undefined ? [] : [{ seconds: row['seconds'], ...sampleOf(row, CURATION) }],
  );
  return { curation, costs: read?.at ?? [] };
}

/** The columns of a row under their names in the record. */
const sampleOf = <Name extends string>(
  row: MetricsRow,
  columns: Readonly<Record<Name, string>>,
): Readonly<Partial<Record<Name, number>>> =>
  Object.fromEntries(
    Object.entries<string>(columns).flatMap(([name, column]) =>
      row[column] === undefined ? [] : [[name, row[column]] as const],
    ),
  ) as Partial<Record<Name, number>>;

const MAX_REASON = 300;
const shortened = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return `${line.length > MAX_REASON ? `${line.slice(0, MAX_REASON)}…` : line.replace(/\.$/, '')}.`;
};
