// The messages of OpenEnv's WebSocket: what a client sends, what the server replies, and the error codes. Types and schemas only.

import * as z from 'zod';

export const ERROR_CODES = [
  'INVALID_JSON',
  'UNKNOWN_TYPE',
  'VALIDATION_ERROR',
  'EXECUTION_ERROR',
  'CAPACITY_REACHED',
  'FACTORY_ERROR',
  'SESSION_ERROR',
] as const;
export type ServedErrorCode = (typeof ERROR_CODES)[number];

/** One invalid value, with the names of pydantic. */
export interface InvalidField {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

interface ErrorDetails {
  readonly errors?: readonly InvalidField[];
  readonly active_sessions?: number;
  readonly max_sessions?: number;
}

/** An error that the client receives with its code. */
export class ServedError extends Error {
  override readonly name = 'ServedError';

  constructor(
    readonly code: ServedErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export const capacityReached = (active: number, max: number): ServedError =>
  new ServedError(
    'CAPACITY_REACHED',
    `Server at capacity: ${active}/${max} sessions active. Close another session, or start the server with a larger --sessions.`,
    { active_sessions: active, max_sessions: max },
  );

/** The first ones: a client that sends thousands of wrong fields gets a short reply. */
const MAX_FIELDS = 20;

/** The fields that are missing, unknown or of the wrong type. */
export function invalidFields(error: z.ZodError, at: readonly string[] = []): readonly InvalidField[] {
  const fields = error.issues.slice(0, MAX_FIELDS).flatMap((issue): InvalidField[] => {
    const loc = [...at, ...issue.path.map(part => (typeof part === 'number' ? part : String(part)))];
    if (issue.code === 'unrecognized_keys')
      return issue.keys.slice(0, MAX_FIELDS).map(key => ({
        type: 'extra_forbidden',
        loc: [...loc, key],
        msg: 'Extra inputs are not permitted',
      }));
    return [{ type: issue.code, loc, msg: issue.message }];
  });
  return fields.slice(0, MAX_FIELDS);
}

/** The message begins as that of the official server, which has the fields in `errors` only; its client prints the message alone. */
export const invalidMessage = (fields: readonly InvalidField[]): ServedError =>
  new ServedError(
    'VALIDATION_ERROR',
    `Invalid message: ${fields.map(fieldInWords).join('; ')}. Correct it; /schema describes the fields.`,
    { errors: fields },
  );

const MAX_PATH_LENGTH = 200;

const fieldInWords = ({ loc, msg }: InvalidField): string =>
  `'${(loc.join('.') || 'message').slice(0, MAX_PATH_LENGTH)}': ${msg.replace(/\.$/, '')}`;

const anyObject = z.record(z.string(), z.unknown());

/** Strict: a field that is not listed here is an error. */
export const CLIENT_MESSAGES = {
  reset: z.strictObject({ type: z.literal('reset'), data: anyObject.default({}) }),
  step: z.strictObject({ type: z.literal('step'), data: anyObject }),
  state: z.strictObject({ type: z.literal('state') }),
  close: z.strictObject({ type: z.literal('close') }),
  mcp: z.strictObject({ type: z.literal('mcp'), data: anyObject }),
} as const;
export type ClientMessageType = keyof typeof CLIENT_MESSAGES;

export const isMessageType = (type: unknown): type is ClientMessageType =>
  typeof type === 'string' && Object.hasOwn(CLIENT_MESSAGES, type);

/** The result of `reset` and `step`. */
export interface ServedStep {
  readonly observation: Readonly<Record<string, unknown>>;
  /** The score of the evaluator in the last step of an episode, 0 before. */
  readonly reward: number;
  readonly done: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export type ServedReply =
  | { readonly type: 'observation'; readonly data: ServedStep }
  | { readonly type: 'state'; readonly data: object }
  | { readonly type: 'mcp'; readonly data: object }
  | { readonly type: 'error'; readonly data: { readonly message: string; readonly code: ServedErrorCode } };

export const errorReply = ({ message, code, details }: ServedError): ServedReply => ({
  type: 'error',
  data: { message, code, ...details },
});
