// What every request of a client is made of, and the names that several of them use. No behaviour.

// As a namespace: a page's bundle then leaves out what it does not use.
import * as z from 'zod';
import { groupId, runId, taskId, trajectoryId } from '../../core/ids.ts';

export const id = z.int().min(0);

/** What a constructor of contracts/ids.ts refuses is a complaint about the field. */
const named = (make: (value: string) => string) =>
  z.string().check(context => {
    try {
      make(context.value);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      context.issues.push({ code: 'custom', message, input: context.value });
    }
  });

export const run = named(runId);
export const group = named(groupId);
export const trajectory = named(trajectoryId);
export const task = named(taskId);

/** Of whoever asks or says something. */
export const name = z.string().min(1).max(100);
export const nothing = z.strictObject({});

/** A request of this method, with these parameters. */
export const requestSchema = <M extends string, P extends z.ZodType>(method: M, params: P) =>
  z.strictObject({ id, method: z.literal(method), params });

export const share = z.number().min(0).max(1);
export const count = z.int().min(0);
/** Milliseconds since 1970. */
export const moment = z.number();

/** A part of a long list: this many, after so many. */
export const window = z.strictObject({ offset: count, limit: z.int().min(1).max(1000) });

/** Both ends belong to it; an end that is left out is open. */
export const range = z.strictObject({ from: z.number().optional(), to: z.number().optional() });

export type EmptyResult = Readonly<Record<string, never>>;
