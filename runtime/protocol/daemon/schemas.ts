// Schemas that several requests share, and the format of requests and replies on every socket.

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

/** The first request of a connection. */
export const hello = requestSchema(
  'hello',
  z.strictObject({ version: z.int(), token: z.string(), client: name }),
);

/** A hello of any version, so that the daemon can reject other versions by name. This part of a hello must never change. */
export const anyHello = z.looseObject({
  id,
  method: z.literal('hello'),
  params: z.looseObject({ version: z.int() }),
});

/** Of any request, valid or not. */
export const anyRequest = z.looseObject({ id });

/** Every request has these fields; its parameters depend on the method. */
export interface SocketRequest {
  readonly id: number;
  readonly method: string;
}

const ERROR_CODES = [
  /** The request is invalid, in the field that `field` names. */
  'bad_request',
  'unauthorized',
  'version',
  'not_found',
  /** Too many requests at once, or the client reads its replies too slowly. */
  'busy',
  /** The success pool contains trajectories of the run to delete. */
  'in_pool',
  /** The daemon could not do it; the message gives the reason and the next step. */
  'failed',
] as const;
export type DaemonErrorCode = (typeof ERROR_CODES)[number];

const failure = z.strictObject({
  code: z.enum(ERROR_CODES),
  /** The invalid field of the request, if one is invalid. */
  field: z.string().optional(),
  /** What failed, on which value, and what to do next. */
  message: z.string(),
});

export type DaemonFailure = z.infer<typeof failure>;

export const REPLIES = [
  z.strictObject({ id, result: z.unknown() }),
  /** Null if the request had no readable id. */
  z.strictObject({ id: id.nullable(), error: failure }),
] as const;

export const share = z.number().min(0).max(1);
export const count = z.int().min(0);
/** Milliseconds since 1970. */
export const timestamp = z.number();

/** A page of a long list. */
export const listWindow = z.strictObject({ offset: count, limit: z.int().min(1).max(1000) });

/** Both ends are inclusive; an absent end is open. */
export const range = z.strictObject({ from: z.number().optional(), to: z.number().optional() });
