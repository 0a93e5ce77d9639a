// Reads masks.jsonl of a run: which steps of each group trained. A rotated log has two files of at most 32 MB, which are searched in
// milliseconds.

import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { EntropyMask } from '../../core/batch.ts';
import { isMissing } from '../../core/errors.ts';
import { batchId, type GroupId, groupId, trajectoryId } from '../../core/ids.ts';
import { parsedJson } from '../../core/json.ts';
import { safeParse } from '../../core/safe-parse.ts';
import { olderPlace } from '../../data/files/rotating-log.ts';

const entropyMask: z.ZodType<EntropyMask> = z.object({
  batch: z.string().transform(batchId),
  group: z.string().transform(groupId),
  threshold: z.number(),
  steps: z.array(
    z.object({ uncertainty: z.number(), kept: z.boolean(), advantage: z.number().exactOptional() }),
  ),
  rollouts: z
    .array(
      z.object({ trajectory: z.string().transform(trajectoryId), steps: z.int(), advantage: z.number() }),
    )
    .exactOptional(),
});

/** Undefined when the group has not trained, or its line cannot be read. */
export async function readMask(path: string, group: GroupId): Promise<EntropyMask | undefined> {
  for (const file of [path, olderPlace(path)]) {
    const line = lastLineWith(`"group":${JSON.stringify(group)}`, await bytesOf(file));
    // A power failure can tear a line.
    const parsed = line === undefined ? undefined : safeParse(entropyMask, parsedJson(line));
    if (parsed?.success === true) return parsed.data;
  }
  return undefined;
}

const LINE_END = 0x0a;

/** Undefined also for a line that the trainer is still writing. */
function lastLineWith(text: string, lines: Buffer): string | undefined {
  const at = lines.lastIndexOf(text);
  const end = at < 0 ? -1 : lines.indexOf(LINE_END, at);
  return end < 0 ? undefined : lines.toString('utf8', lines.lastIndexOf(LINE_END, at) + 1, end);
}

/** Many cards of the panel ask at once: those that ask during a read share it. */
const reads = new Map<string, Promise<Buffer>>();

function bytesOf(path: string): Promise<Buffer> {
  const shared = reads.get(path);
  if (shared !== undefined) return shared;
  const read = readFile(path)
    .catch((error: unknown) => {
      // A missing file has no lines.
      if (isMissing(error)) return Buffer.alloc(0);
      throw error;
    })
    .finally(() => reads.delete(path));
  reads.set(path, read);
  return read;
}
