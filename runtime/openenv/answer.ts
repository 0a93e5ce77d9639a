// The reply to one message of a WebSocket. Every message but `close` has exactly one reply, and no input makes it throw.

import type * as z from 'zod';
import { messageOf, sentenceOf } from '../core/errors.ts';
import { parseJson } from '../core/json.ts';
import { safeParse } from '../core/safe-parse.ts';
import { answerMcp } from './mcp.ts';
import type { OpenEnvSession } from './session.ts';
import {
  CLIENT_MESSAGES,
  errorReply,
  invalidFields,
  invalidMessage,
  isMessageType,
  ServedError,
  type ServedReply,
} from './wire.ts';

/** Undefined after `close`: the caller ends the connection. */
export async function answerMessage(session: OpenEnvSession, text: string): Promise<ServedReply | undefined> {
  try {
    return await replyTo(session, parsedJson(text));
  } catch (error) {
    if (error instanceof ServedError) return errorReply(error);
    return errorReply(new ServedError('SESSION_ERROR', messageOf(error), {}, { cause: error }));
  }
}

function parsedJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new ServedError(
      'INVALID_JSON',
      `Invalid JSON of ${text.length} characters: ${sentenceOf(error)} Send one JSON object.`,
    );
  }
}

const MAX_QUOTED = 100;

const typeText = (type: unknown): string =>
  (typeof type === 'string' ? type : `${JSON.stringify(type)}`).slice(0, MAX_QUOTED);

async function replyTo(session: OpenEnvSession, value: unknown): Promise<ServedReply | undefined> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidMessage([
      { type: 'dict_type', loc: [], msg: 'Input should be an object with the field type' },
    ]);
  const type: unknown = 'type' in value ? value.type : '';
  if (!isMessageType(type))
    throw new ServedError(
      'UNKNOWN_TYPE',
      `Unknown message type: '${typeText(type)}'. Send ${Object.keys(CLIENT_MESSAGES).join(', ')}.`,
    );
  switch (type) {
    case 'reset':
      return { type: 'observation', data: await session.reset(parsedAs('reset', value).data, ['data']) };
    case 'step':
      return { type: 'observation', data: await session.step(parsedAs('step', value).data, ['data']) };
    case 'state':
      parsedAs('state', value);
      return { type: 'state', data: session.state() };
    case 'mcp':
      return { type: 'mcp', data: answerMcp(parsedAs('mcp', value).data) };
    case 'close':
      parsedAs('close', value);
      return undefined;
  }
}

type MessageSchemas = typeof CLIENT_MESSAGES;

function parsedAs<Type extends keyof MessageSchemas>(type: Type, value: object) {
  const schema: z.ZodType = CLIENT_MESSAGES[type];
  const parsed = safeParse(schema, value);
  if (parsed.success) return parsed.data as ReturnType<MessageSchemas[Type]['parse']>;
  throw invalidMessage(invalidFields(parsed.error));
}
