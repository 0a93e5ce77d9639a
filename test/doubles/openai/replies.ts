// HTTP replies of the double.

import type { HttpReply } from '../../../runtime/endpoints/http-transport.ts';

export const json = (status: number, body: unknown): HttpReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

export const errorReply = (status: number, message: string, more: object = {}): HttpReply =>
  json(status, { error: { message, type: 'invalid_request_error', param: null, code: status, ...more } });
