// Schemas that several requests share.

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import { groupId, runId, taskId, trajectoryId } from '../../core/ids.ts';

export const id = z.int().min(0);

/** Validates with a constructor of core/ids.ts; its error becomes the issue of the field. */
const validatedBy = (make: (value: string) => string) =>
  z.string().check(context => {
    try {
      make(context.value);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      context.issues.push({ code: 'custom', message, input: context.value });
    }
  });

export const run = validatedBy(runId);
export const group = validatedBy(groupId);
export const trajectory = validatedBy(trajectoryId);
export const task = validatedBy(taskId);

/** The name of a client or of a user. */
export const name = z.string().min(1).max(100);
export const empty = z.strictObject({});

/** The schema of a request with this method and these parameters. */
export const requestSchema = <M extends string, P extends z.ZodType>(method: M, params: P) =>
  z.strictObject({ id, method: z.literal(method), params });

export const share = z.number().min(0).max(1);
export const count = z.int().min(0);
/** Milliseconds since 1970. */
export const timestamp = z.number();

/** A page of a long list. */
export const listWindow = z.strictObject({ offset: count, limit: z.int().min(1).max(1000) });

/** Both ends are inclusive; an absent end is open. */
export const range = z.strictObject({ from: z.number().optional(), to: z.number().optional() });

export type EmptyResult = Readonly<Record<string, never>>;
