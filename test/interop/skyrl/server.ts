// SkyRL's own Tinker server with a small random Qwen3, in processes of its own: its API, and the engine that it starts.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { PublishedWeights } from '../../../runtime/learner/learner.ts';
import { unpackWeights } from '../../../runtime/learner/tinker/unpack-weights.ts';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { SKYRL_FOLDER } from '../install-folder.mjs';
import { runPython } from '../python.ts';

const PYTHON = join(SKYRL_FOLDER, 'environment/bin/python');
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Why tests are skipped; undefined if they run. */
export const missingSkyrl = existsSync(join(SKYRL_FOLDER, 'installed'))
  ? undefined
  : `SkyRL is not installed in '${SKYRL_FOLDER}': 'node test/interop/skyrl/install.mjs' installs it, and this test runs.`;

/** A folder with a model, a database and checkpoints, for one version of SkyRL. It outlives the servers that use it. */
export class SkyrlFolder {
  readonly model: string;
  readonly checkpoints: string;

  constructor(
    readonly version: string,
    readonly path: string,
  ) {
    this.model = join(path, 'model');
    this.checkpoints = join(path, 'checkpoints');
  }

  /** Writes the model. */
  async write(): Promise<void> {
    await this.python('make_model.py', { folder: this.model, seed: 1 });
  }

  /** Runs a script in this folder with JSON as its input, and resolves with the JSON that it prints. */
  python(script: string, input: object): Promise<unknown> {
    return runPython({ python: PYTHON, script: here(script), environment: this.environment }, input);
  }

  /** The folder of an adapter, as a server of the policy gets it. */
  async unpacked(published: PublishedWeights): Promise<string> {
    const { path } = await unpackWeights(
      published,
      this.checkpoints,
      systemClock,
      new AbortController().signal,
    );
    return path;
  }

  get environment(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      ...{ HF_HUB_OFFLINE: '1', JAX_PLATFORMS: 'cpu', PYTHONUNBUFFERED: '1' },
      // A server that is started again compiles nothing again, also in the next run of the tests.
      JAX_COMPILATION_CACHE_DIR: join(SKYRL_FOLDER, 'compiled'),
      JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS: '0',
      PYTHONPATH: [here('stand-ins'), join(SKYRL_FOLDER, this.version)].join(':'),
    };
  }
}

export interface SkyrlServer {
  readonly url: string;
  readonly port: number;
  /** Kills the API and the engine at once, in the middle of what they do. */
  kill(): Promise<void>;
}

/** Resolves when the API answers. Its engine starts a while later; requests wait for it. */
export async function startSkyrl(folder: SkyrlFolder, port = 0): Promise<SkyrlServer> {
  const child = spawn(
    PYTHON,
    [here('serve.py'), folder.model, folder.path, folder.checkpoints, String(port)],
    {
      // A process group of its own, with the engine.
      ...{ stdio: ['ignore', 'pipe', 'pipe'], env: folder.environment, detached: true },
    },
  );
  const log: string[] = [];
  let isExpected = false;
  const closed = once(child, 'close').then(() => {
    if (!isExpected) process.stderr.write(`SkyRL's server ended:\n${log.slice(-40).join('\n')}\n`);
  });
  const kill = async (): Promise<void> => {
    isExpected = true;
    killGroup(child);
    await closed;
  };
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on('line', line => {
        log.push(line);
        const [, address] = /Uvicorn running on (http:\S+)/.exec(line) ?? [];
        if (address !== undefined) resolve(address);
      });
    child.once('close', () => reject(new Error(`SkyRL's server did not start:\n${log.join('\n')}`)));
  });
  return { url, port: Number(new URL(url).port), kill };
}

/** The engine outlives an API that is killed alone, and goes on with the requests in the database. */
function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
}
