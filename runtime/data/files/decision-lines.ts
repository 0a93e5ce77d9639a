// Reads the decision log of a run, joined with the trainer's log of which steps trained. Files are read line by line. Invalid lines, such
// as incomplete ones after a crash, are skipped.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { isMissing } from '../../core/errors.ts';
import { parsedJson } from '../../core/json.ts';
import { safeParse } from '../../core/safe-parse.ts';
import { olderPlace } from './rotating-log.ts';
import { ids, instance } from './schema.ts';

/** `at` is the time of the decision in milliseconds since 1970; `why` is the reason, for the user. */
const common = { at: z.number(), group: ids.group, instance, why: z.string() };

const loggedDecision = z.discriminatedUnion('kind', [
  z.object({ ...common, kind: z.literal('ordered'), rollouts: z.number(), maxSteps: z.number() }),
  /** Some rollouts of the group do not train; none trains if no 'trained' decision follows. */
  z.object({
    ...common,
    kind: z.literal('set aside'),
    dropped: z.number(),
    duplicates: z.number(),
    filtered: z.number(),
  }),
  z.object({
    ...common,
    kind: z.literal('trained'),
    batch: ids.batch,
    rollouts: z.number(),
    injected: z.boolean(),
  }),
]);

export type LoggedDecision = Readonly<z.output<typeof loggedDecision>>;

type WithoutTime<D> = D extends unknown ? Omit<D, 'at'> : never;
/** A decision of the data module about a group, for display and for the decision log. */
export type GroupDecision = WithoutTime<LoggedDecision>;

/** Steps of a group that trained, and all of its steps. */
export interface KeptSteps {
  readonly kept: number;
  readonly steps: number;
}

export type DecisionRecord = LoggedDecision & { readonly mask?: KeptSteps };

export interface DecisionQuery {
  /** Paths of the decision log and of the mask log. */
  readonly decisions: string;
  readonly masks: string;
  readonly task?: string;
  /** Number of latest decisions. */
  readonly last: number;
}

export async function readDecisions({
  decisions,
  masks,
  task,
  last,
}: DecisionQuery): Promise<readonly DecisionRecord[]> {
  const found: LoggedDecision[] = [];
  for (const path of [olderPlace(decisions), decisions])
    for await (const line of linesOf(path)) {
      const read = parsed(loggedDecision, line);
      if (read === undefined || (task !== undefined && read.instance.task !== task)) continue;
      found.push(read);
      if (found.length > 2 * last) found.splice(0, found.length - last);
    }
  const latest = found.slice(-last);
  const trained = latest.filter(({ kind }) => kind === 'trained').map(({ group }) => group as string);
  const kept = await keptSteps(masks, new Set(trained));
  return latest.map(each => {
    const mask = each.kind === 'trained' ? kept.get(each.group) : undefined;
    return { ...each, ...(mask !== undefined && { mask }) };
  });
}

const mask = z.object({ group: z.string(), steps: z.array(z.object({ kept: z.boolean() })) });
const GROUP = /"group":"([^"]+)"/;

async function keptSteps(path: string, groups: ReadonlySet<string>): Promise<ReadonlyMap<string, KeptSteps>> {
  const found = new Map<string, KeptSteps>();
  if (groups.size === 0) return found;
  for (const each of [olderPlace(path), path])
    for await (const line of linesOf(each)) {
      // Most lines belong to other groups; the regular expression avoids parsing them.
      if (!groups.has(GROUP.exec(line)?.[1] ?? '')) continue;
      const read = parsed(mask, line);
      if (read === undefined) continue;
      const kept = read.steps.filter(step => step.kept).length;
      found.set(read.group, { kept, steps: read.steps.length });
    }
  return found;
}

/** A missing file has no lines. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const stream = createReadStream(path, 'utf8');
  try {
    yield* createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (!isMissing(error)) throw error;
  } finally {
    stream.destroy();
  }
}

const parsed = <T>(schema: z.ZodType<T>, line: string): T | undefined =>
  safeParse(schema, parsedJson(line)).data;
