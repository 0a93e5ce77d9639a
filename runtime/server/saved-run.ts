// Reads ring.json, the state from which a run resumes. A damaged file is kept under another name, and the state is rebuilt from the
// other files of the run.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Config } from '../config/config.ts';
import { messageOf } from '../core/errors.ts';
import { textIn } from '../core/existing-file.ts';
import { type TaskId, taskId } from '../core/ids.ts';
import { seeded } from '../core/rng.ts';
import { renameWithRetry } from '../data/files/rename-retry.ts';
import type { RolloutTally } from '../data/rollout-ledger.ts';
import type { Suite } from '../environments/suite.ts';
import type { SpentState } from '../protocol/daemon/model-run.ts';
import { type EvaluationPoint, type RunState, runState, savedRunState } from '../protocol/daemon/state.ts';
import { curationOf } from '../run/curation.ts';
import { readCurve } from '../run/curves/curve-files.ts';
import { thinnedCurve } from '../run/curves/thinned-curve.ts';
import { RunFolderError } from '../run/folders/run-folder.ts';
import { RING_FILE, STATE_FILE } from '../run/folders/run-folders.ts';
import type { ResumableState } from '../run/run-lifecycle.ts';
import type { Spending } from '../run/spending.ts';

export interface SavedRun {
  /** Undefined for a run that has not trained yet. */
  readonly state: ResumableState | undefined;
  /** For the user: what could not be restored, and what replaces it. */
  readonly lost?: string;
}

interface SavedRunOptions {
  readonly folder: string;
  readonly config: Config;
  readonly suite: Suite;
  readonly tasks: readonly TaskId[];
  /** Trained so far, according to run.json. */
  readonly seconds: number;
}

const count = z.int().min(0);
const byTask = <T extends z.ZodType>(value: T) => z.record(z.string(), value);
const words = z.tuple([z.number(), z.number(), z.number(), z.number()]);

const ringState: z.ZodType<ResumableState> = z.object({
  curator: z.object({
    curation: z.object({
      results: byTask(z.array(z.boolean())),
      round: z.array(z.string().transform(taskId)),
      rounds: count,
      solved: byTask(z.literal(true)),
      lengths: byTask(z.array(z.number())).exactOptional(),
      capped: byTask(z.number()).exactOptional(),
      failures: byTask(count).exactOptional(),
      cooling: byTask(count).exactOptional(),
      stage: count.exactOptional(),
    }),
    random: z.object({ origin: words, position: words }),
    books: z.object({
      ...{ submitted: count, playing: count, played: count },
      ...{ accepted: count, filtered: count, dropped: count, failed: count },
    }),
    groups: z
      .object({
        ...{ trainable: count, filtered: count, injections: count },
        dropped: count,
        duplicates: count,
      })
      .exactOptional(),
    untrained: count,
    names: count,
  }),
  seconds: z.number().min(0),
  curve: z.array(z.object(runState.shape.curve.element.shape)),
  /** Absent in files of earlier versions, which have the whole curve. */
  evaluations: count.exactOptional(),
  played: z.object({ episodes: count, steps: count, rollouts: byTask(count).exactOptional() }),
  spent: z
    .object({
      ...{ promptTokens: count, completionTokens: count, successes: count },
      hardwareSeconds: z.number().min(0).exactOptional(),
      money: z.number().min(0).exactOptional(),
      learnerMoney: z.number().min(0).exactOptional(),
    })
    .exactOptional(),
});

/** The content of ring.json. Throws for a damaged one. */
export const parseRingState = (text: string): ResumableState => ringState.parse(JSON.parse(text));

export async function readSavedRun(options: SavedRunOptions): Promise<SavedRun> {
  const file = join(options.folder, RING_FILE);
  const text = await textIn(file).catch((error: unknown) => {
    throw new RunFolderError(
      `The state of the run cannot be read: ${messageOf(error)} If you move '${file}' away, the run resumes from its last checkpoint.`,
      { cause: error },
    );
  });
  let why = 'is missing';
  if (text !== undefined) {
    try {
      return { state: parseRingState(text) };
    } catch {
      // Damaged, or of an unknown version: the file is kept, and the user is told.
      const kept = `${file}.damaged-${Date.now().toString(36)}`;
      await renameWithRetry(file, kept);
      why = `is damaged, and kept as '${kept}'`;
    }
  }
  const state = await rebuilt(options);
  if (state.seconds === 0 && state.curve.length === 0) return { state: undefined };
  return {
    state,
    lost: `'${file}' ${why}. The run resumes with the weights of its last checkpoint, and with its training time, counters and curve. The curation's statistics of the tasks start again.`,
  };
}

/** From state.json, curve.csv and run.json, as far as they can be read. */
async function rebuilt({ folder, config, suite, tasks, seconds }: SavedRunOptions): Promise<ResumableState> {
  const shown = await readRunState(join(folder, STATE_FILE));
  const listed = await curveIn(folder);
  const curve = shown !== undefined && shown.curve.length > listed.length ? shown.curve : listed;
  const rollouts = shown?.tasks.map(({ task, rollouts }) => [task, rollouts] as const);
  return {
    curator: {
      curation: curationOf(config, suite, tasks).start(),
      random: seeded(config.seed).fork('curator').fork('curation').save(),
      books: tallyOf(shown),
      ...(shown && {
        groups: {
          trainable: shown.data.trainableGroups,
          filtered: shown.data.filteredGroups,
          injections: shown.data.injections,
          ...{ dropped: 0, duplicates: 0 },
        },
      }),
      ...{ untrained: 0, names: 0 },
    },
    seconds: Math.max(seconds, shown?.seconds ?? 0),
    ...{ curve: thinnedCurve(curve), evaluations: curve.length },
    played: {
      episodes: shown?.rollout.episodes ?? 0,
      steps: shown?.rollout.steps ?? 0,
      ...(rollouts && { rollouts: Object.fromEntries(rollouts) }),
    },
    ...(shown?.spent && { spent: spendingOf(shown.spent) }),
  };
}

/** Without the quotients, which follow from the rest. */
const spendingOf = ({
  promptTokens,
  completionTokens,
  hardwareSeconds,
  money,
  learnerMoney,
  successes,
}: SpentState): Spending => ({
  ...{ promptTokens, completionTokens, successes },
  ...(hardwareSeconds !== undefined && { hardwareSeconds }),
  // The money that is shown is the sum of both parts.
  ...(money !== undefined && { money: Math.max(0, money - (learnerMoney ?? 0)) }),
  ...(learnerMoney !== undefined && { learnerMoney }),
});

function tallyOf(shown: RunState | undefined): RolloutTally {
  const nothing = { submitted: 0, accepted: 0, filtered: 0, dropped: 0, failed: 0, running: 0 };
  const { running, ...tally } = shown?.data.books ?? nothing;
  return { ...tally, playing: running, played: 0 };
}

/** An unreadable curve is an empty one: it is the last fallback. */
const curveIn = (folder: string): Promise<readonly EvaluationPoint[]> => readCurve(folder).catch(() => []);

/** The state that was shown last; undefined when the file is missing or damaged, since it is only for display. */
export async function readRunState(file: string): Promise<RunState | undefined> {
  try {
    return savedRunState.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // Displays show the run without its numbers.
    return undefined;
  }
}
