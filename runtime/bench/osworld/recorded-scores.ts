// The scores that OSWorld's own metrics gave to our cases, as files of the repository. Each names the cases by their hash, so that a score is
// never compared with another case.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** Relative to the project, where benchmarks run. */
const FOLDER = 'runtime/bench/osworld/recorded';

const recorded = z.strictObject({
  cases: z.string(),
  /** Null where the original raises an exception. */
  scores: z.array(z.number().nullable()),
});

export type RecordedScores = z.infer<typeof recorded>;

export const readRecorded = (metric: string): RecordedScores =>
  recorded.parse(JSON.parse(readFileSync(join(FOLDER, `${metric}.json`), 'utf8')));

export function writeRecorded(metric: string, scores: RecordedScores): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${metric}.json`), `${JSON.stringify(scores)}\n`);
}
