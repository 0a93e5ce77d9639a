// Responses of the daemon's server for hosts: JSON, or bytes.

import type { ServerResponse } from 'node:http';

const HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

export function respond(
  response: ServerResponse,
  status: number,
  body: unknown,
  more: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed || response.headersSent) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...HEADERS,
    ...more,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

export function sendBytes(response: ServerResponse, bytes: Uint8Array): void {
  if (response.destroyed) return;
  response.writeHead(200, { ...HEADERS, 'Content-Type': 'application/octet-stream' });
  response.end(bytes);
}
