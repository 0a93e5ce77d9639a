// OSWorld's own client in Python, and recordings of its sessions.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { parsedJson } from '../../../runtime/core/json.ts';
import { pngSize } from '../../../runtime/core/png.ts';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { OSWORLD_FOLDER } from '../install-folder.mjs';
import { runPython } from '../python.ts';

export const missingClient = existsSync(join(OSWORLD_FOLDER, 'installed'))
  ? undefined
  : `OSWorld's client is not installed in '${OSWORLD_FOLDER}': 'node test/interop/osworld/install.mjs' installs it, and this test runs.`;

const REQUIREMENTS = readFileSync(new URL('requirements.txt', import.meta.url), 'utf8');
/** The version that is pinned. */
export const CLIENT = /^desktop-env==\S+$/m.exec(REQUIREMENTS)?.[0] ?? '';

const FIXTURE = fileURLToPath(new URL('fixtures/session.json', import.meta.url));

/** The status of a reply, its type, and the shape of its content: the keys and types of JSON, and the size of a picture. */
const replyShape = z.strictObject({ status: z.int(), type: z.string(), shape: z.string() });
export type ReplyShape = z.infer<typeof replyShape>;

const recordedCall = z.strictObject({
  method: z.string(),
  path: z.string(),
  type: z.string(),
  body: z.string(),
  reply: replyShape,
});
export type RecordedCall = z.infer<typeof recordedCall>;

const recordedSession = z.strictObject({ client: z.string(), calls: z.array(recordedCall) });

export const readSession = () => recordedSession.parse(JSON.parse(readFileSync(FIXTURE, 'utf8')));

export const writeSession = (calls: readonly RecordedCall[]): void =>
  writeFileSync(FIXTURE, `${JSON.stringify({ client: CLIENT, calls }, undefined, 2)}\n`);

const base64 = z.string().transform(text => Buffer.from(text, 'base64'));
const output = z.object({
  results: z.record(z.string(), z.unknown()),
  calls: z.array(
    z.object({
      ...{ method: z.string(), path: z.string(), type: z.string(), body: base64 },
      reply: z.object({ status: z.int(), type: z.string(), body: base64 }),
    }),
  ),
});

export interface ClientSession {
  /** The results of the controllers. */
  readonly results: Readonly<Record<string, unknown>>;
  readonly calls: readonly RecordedCall[];
}

/** Runs client.py against a server. The folder keeps the files of the client. */
export async function runClient(address: string, folder: string): Promise<ClientSession> {
  const { hostname: host, port } = new URL(address);
  const printed = await runPython(
    {
      python: join(OSWORLD_FOLDER, 'environment/bin/python'),
      script: fileURLToPath(new URL('client.py', import.meta.url)),
    },
    { host, port: Number(port), folder },
  );
  const { results, calls } = output.parse(printed);
  return {
    results,
    calls: calls.map(({ method, path, type, body, reply }) => ({
      ...{ method, path, type, body: body.toString('utf8') },
      reply: shapeOfReply(reply.status, reply.type, reply.body),
    })),
  };
}

export function shapeOfReply(status: number, type: string, body: Uint8Array): ReplyShape {
  if (type.startsWith('application/json'))
    return { status, type, shape: shapeOf(parsedJson(Buffer.from(body).toString('utf8'))) };
  if (type !== 'image/png') return { status, type, shape: body.length === 0 ? 'empty' : 'bytes' };
  const { width, height } = pngSize(body);
  return { status, type, shape: `${width}x${height}` };
}

/** Lists have the shapes of their items, each once. */
function shapeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort().join(' | ')}]`;
  if (typeof value !== 'object') return typeof value;
  const members = Object.entries(value).map(([key, member]) => `${key}: ${shapeOf(member)}`);
  return `{ ${members.sort().join(', ')} }`;
}
