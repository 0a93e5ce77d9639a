// A real `dartboard model serve` in a process of its own, with random weights, and a request that its policy can answer. Needs the bundles
// that `npm test` builds first.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { vi } from 'vitest';
import * as z from 'zod';
import { uitars } from '../../runtime/agents/codecs/uitars.ts';
import { COMPACT, type NetworkShape } from '../../runtime/agents/compact/network.ts';
import { firstWeights } from '../../runtime/agents/compact/programs.ts';
import type { Action } from '../../runtime/core/action.ts';
import { pngOf, pngRows } from '../../runtime/core/png.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { startOf } from '../../runtime/environments/pocket/getters.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { COORDINATES } from '../../runtime/model-server/observe-conversation.ts';
import { writeScreenPart } from '../../runtime/model-server/screen-part.ts';
import { encodePolicy } from '../../runtime/run/folders/policy-file.ts';
import { screenOf } from '../agents/compact/screens.ts';
import { PATIENCE } from '../patience.ts';
import { temporaryFolder } from '../temporary.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const SHAPE: NetworkShape = { ...COMPACT, width: 16, blocks: 1, hidden: 16, letterWidth: 4 };
/** The optimiser step of the weights, which the names of models contain. */
export const STEP = 120;

const modelFile = z.object({
  url: z.string(),
  tinkerUrl: z.string().optional(),
  token: z.string(),
  port: z.int(),
});

export interface ServedPolicy {
  /** The base URL for clients. */
  readonly url: string;
  /** For clients of the Tinker protocol; only a micro model has one. */
  readonly tinkerUrl: string | undefined;
  readonly key: string;
  /** The process id. */
  readonly pid: number | undefined;
  /** Resolves with the exit code when the process ends. */
  readonly ended: Promise<number | null>;
  /** What it printed as errors. */
  errors(): string;
  /** Ends the process with SIGTERM; resolves with its exit code. */
  stop(): Promise<number | null>;
}

export interface ServeOptions {
  /** Random weights of the built-in policy by default. */
  readonly weights?: Uint8Array;
  /** A free port by default. */
  readonly port?: number;
  /** A new key by default. */
  readonly key?: string;
}

export async function servePolicy({
  weights = randomPolicy(),
  port = 0,
  key,
}: ServeOptions = {}): Promise<ServedPolicy> {
  const folder = temporaryFolder('interop');
  const file = join(folder, 'weights.safetensors');
  writeFileSync(file, weights);
  const child = spawn(process.execPath, [MAIN, 'model', 'serve', '--weights', file, '--port', String(port)], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...(key !== undefined && { DARTBOARD_MODEL_KEY: key }) },
  });
  // After 'exit', errors may still arrive.
  const ended = once(child, 'close');
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
    process.stderr.write(text);
  });
  const about = join(folder, '.dartboard/model.json');
  await vi.waitUntil(() => existsSync(about) || hasEnded(child), PATIENCE);
  if (hasEnded(child)) throw new Error(`dartboard model serve ended with code ${child.exitCode}.`);
  const { url, tinkerUrl, token } = modelFile.parse(JSON.parse(readFileSync(about, 'utf8')));
  return {
    ...{ url, tinkerUrl, key: token },
    ...{ pid: child.pid, ended: ended.then(() => child.exitCode), errors: () => errors },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

function randomPolicy(): Uint8Array {
  const random = seeded('interop');
  return encodePolicy({
    ...{ shape: SHAPE, mode: 'screenshot_a11y_tree', tasks: [], seed: 'interop' },
    weights: firstWeights(SHAPE, () => random.next()),
    by: { run: 'interop', version: STEP },
  });
}

/** The messages of a first turn: the instruction, then the screen as an image and as a list of elements. */
export function firstTurn(): ChatCompletionMessageParam[] {
  const task = POCKET.task('settings-theme', POCKET.seed('test', 1));
  const { pixels, elements = [] } = screenOf(startOf(task).machine);
  const png = Buffer.from(pngOf(pixels, deflateSync(pngRows(pixels)))).toString('base64');
  const { width, height } = pixels;
  return [
    { role: 'system', content: `## User Instruction\n${task.instruction}` },
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
        { type: 'text', text: writeScreenPart({ size: { width, height }, elements }) },
      ],
    },
  ];
}

/** The actions of a reply to it. */
export const actionsIn = (reply: string): readonly Action[] =>
  uitars(COORDINATES['ui-tars-1.5']({ width: 320, height: 240 })).decodeTurn(reply).actions;
