// JSON-RPC at /mcp. Like the official server for an environment without tools, it has none: `reset`, `step` and `state` are reserved names
// there, so that a model cannot reset its own episode.

import * as z from 'zod';
import { parseJson } from '../core/json.ts';
import { safeParse } from '../core/safe-parse.ts';

const request = z.strictObject({
  jsonrpc: z.literal('2.0'),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
  id: z.union([z.string(), z.int(), z.null()]).default(null),
});

export interface JsonRpcReply {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string; readonly data: null };
}

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INTERNAL_ERROR = -32_603;
/** Characters of a client's text in a reply. */
const MAX_MESSAGE = 500;

/** The reply to the text of a request. */
export function answerMcpText(text: string): JsonRpcReply {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return failed(PARSE_ERROR, 'Parse error');
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? answerMcp(value)
    : failed(PARSE_ERROR, 'Parse error');
}

export function answerMcp(value: unknown): JsonRpcReply {
  const parsed = safeParse(request, value);
  if (!parsed.success)
    return failed(INVALID_REQUEST, `Invalid request: ${z.prettifyError(parsed.error).slice(0, MAX_MESSAGE)}`);
  const { method, id } = parsed.data;
  if (method === 'tools/list' || method === 'tools/call')
    return failed(INTERNAL_ERROR, 'Environment does not support MCP', id);
  return failed(METHOD_NOT_FOUND, `Method not found: ${method.slice(0, MAX_MESSAGE)}`, id);
}

const failed = (code: number, message: string, id: JsonRpcReply['id'] = null): JsonRpcReply => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, data: null },
});
