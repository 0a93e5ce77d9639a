// One request of the guest API: its body as JSON or as a form. Bad input is a CallError with the status of the reply.

import * as z from 'zod';
import { messageOf } from '../core/errors.ts';
import { parsedJson } from '../core/json.ts';
import { safeParse } from '../core/safe-parse.ts';
import { type GuestAnswer, jsonAnswer } from './answer.ts';
import type { ServedMachine } from './served-machine.ts';

export interface GuestCall {
  readonly path: string;
  /** The content type, with its parameters. */
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

export class CallError extends Error {
  override readonly name = 'CallError';

  constructor(
    readonly answer: GuestAnswer,
    message: string,
  ) {
    super(message);
  }
}

export interface GuestRoute {
  readonly method: 'GET' | 'POST';
  readonly run: (machine: ServedMachine, call: GuestCall) => Promise<GuestAnswer>;
}

export type GuestRoutes = Readonly<Record<string, GuestRoute>>;

export const badCall = (message: string, status = 400): CallError =>
  new CallError(jsonAnswer({ status: 'error', error: message, message }, status), message);

/** Unknown parameters are ignored, as in OSWorld. */
export function jsonOf<Schema extends z.ZodType>(
  { path, type, body }: GuestCall,
  schema: Schema,
): z.infer<Schema> {
  if (!type.startsWith('application/json'))
    throw badCall(`${path} has the content type ${JSON.stringify(type)}. Send application/json.`, 415);
  const { data, error } = safeParse(schema, parsedJson(Buffer.from(body).toString('utf8')));
  if (error === undefined) return data;
  const [issue] = error.issues;
  const place = issue?.path.join('.') || 'the body';
  throw badCall(`${path}: ${place}: ${issue?.message}. Correct the request.`);
}

export type GuestForm = ReadonlyMap<string, string | Uint8Array>;

/** Fields as texts, files as bytes. */
export async function formOf({ path, type, body }: GuestCall): Promise<GuestForm> {
  try {
    const form = await new Response(body, { headers: { 'content-type': type } }).formData();
    const fields = new Map<string, string | Uint8Array>();
    for (const [name, value] of form.entries())
      fields.set(name, typeof value === 'string' ? value : new Uint8Array(await value.arrayBuffer()));
    return fields;
  } catch (error) {
    throw badCall(`${path} has no readable form: ${messageOf(error).replace(/\.+$/, '')}. Send form data.`);
  }
}

/** OSWorld splits a command that is a text, unless a shell reads it. */
export const commandShape = {
  command: z.union([z.string(), z.array(z.string())]).default([]),
  shell: z.boolean().default(false),
};
