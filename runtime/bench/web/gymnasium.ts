// MiniWoB++'s own Gymnasium environment, run as its users do: one environment per process, with Selenium and Chromium's driver.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { processorTime, since } from '../processor-time.ts';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { GYMNASIUM_FOLDER } from './gymnasium/folder.mjs';
import type { Side } from './sides.ts';

const PYTHON = join(GYMNASIUM_FOLDER, 'environment', 'bin', 'python');
/** Beside the sources; this program is a bundle in dist. */
const SCRIPT = fileURLToPath(new URL('../runtime/bench/web/gymnasium/play.py', import.meta.url));
/** Selenium must not search for other drivers. */
const OFFLINE = { SE_OFFLINE: 'true', SE_AVOID_STATS: 'true' };

export const hasGymnasium = (): boolean => existsSync(PYTHON);

export const GYMNASIUM_HINT = `${PYTHON} is missing, so the comparison with MiniWoB++'s Gymnasium environment is left out. Install it with 'node runtime/bench/web/gymnasium/install.mjs', and Debian's chromium-driver.`;

const played = z.strictObject({ steps: z.int(), episodes: z.int(), seconds: z.number() });
const ready = z.strictObject({ ready: z.literal(true) });

export interface GymnasiumProcesses {
  readonly side: Side;
  close(): void;
}

/** One process for each page. */
export async function openGymnasium(pages: readonly string[]): Promise<GymnasiumProcesses> {
  const players = pages.map((page, index) => new Player(page, index));
  const close = () => {
    for (const player of players) player.close();
  };
  try {
    await Promise.all(players.map(async player => ready.parse(await player.line())));
  } catch (error) {
    close();
    throw error;
  }
  return {
    close,
    side: async span => {
      const before = await processorTime(process.pid);
      const all = await Promise.all(players.map(player => player.play(span / 1000)));
      const processor = since(before, await processorTime(process.pid));
      const sum = (of: 'steps' | 'episodes') => all.reduce((total, each) => total + each[of], 0);
      const seconds = Math.max(...all.map(each => each.seconds));
      return { steps: sum('steps'), episodes: sum('episodes'), seconds, processor };
    },
  };
}

class Player {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #lines: Interface;
  readonly #ended: Promise<never>;

  constructor(page: string, seed: number) {
    this.#child = spawn(PYTHON, [SCRIPT, page, String(seed)], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...OFFLINE },
    });
    this.#lines = createInterface({ input: this.#child.stdout });
    let errors = '';
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-2000);
    });
    this.#ended = new Promise((_, reject) => {
      this.#child.once('exit', code =>
        reject(new Error(`${SCRIPT} ended with code ${code} on page ${page}: ${errors.trim()}`)),
      );
    });
    // Nobody waits between two rounds.
    this.#ended.catch(() => undefined);
  }

  async line(): Promise<unknown> {
    const next = new Promise<string>(resolve => this.#lines.once('line', resolve));
    return JSON.parse(await Promise.race([next, this.#ended]));
  }

  async play(seconds: number): Promise<z.infer<typeof played>> {
    const line = this.line();
    this.#child.stdin.write(`${seconds}\n`);
    return played.parse(await line);
  }

  /** At the end of its input it closes its browser. */
  close(): void {
    this.#child.stdin.end();
  }
}
