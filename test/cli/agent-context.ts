// A workspace with one agent in its dartboard.json, whose server is a double on this machine. Needs the bundles that `npm test` builds first.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CliContext } from '../../runtime/cli/context.ts';
import { runProgram } from '../../runtime/cli/program.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import type { HttpTransport } from '../../runtime/endpoints/http-transport.ts';
import { clickingModel } from '../doubles/openai/clicking.ts';
import { listen } from '../doubles/openai/listen.ts';
import { ModelServer } from '../doubles/openai/model-server.ts';
import { type ServerTraits, VLLM } from '../doubles/openai/traits.ts';
import { temporaryFolder } from '../temporary.ts';
import { file } from './terminal/screen.ts';

const bundle = (name: string): URL => new URL(`../../dist/${name}.js`, import.meta.url);

export const KEY = 'secret-of-ada';
/** One click on the element that the task names solves it. */
export const SOLVED = 'settings-night-light';
/** The task names no element of the first screen, and gets an unreadable reply. */
export const UNREADABLE = 'settings-language';

interface AgentWorkspaceOptions {
  readonly traits?: Partial<ServerTraits>;
  readonly settings?: object;
  readonly config?: object;
  readonly environment?: CliContext['environment'];
  /** Between the program and the server. */
  readonly between?: (server: HttpTransport) => HttpTransport;
}

export async function agentWorkspace(options: AgentWorkspaceOptions = {}) {
  const { traits, settings, config, environment = { TOY_KEY: KEY }, between = same } = options;
  const server = new ModelServer({
    traits: { ...VLLM, key: KEY, ...traits },
    clock: systemClock,
    model: clickingModel,
  });
  const folder = temporaryFolder('workspace');
  const toy = {
    ...{ profile: 'generic', mode: 'a11y_tree', model: 'tars', key: { env: 'TOY_KEY' } },
    ...{ url: await listen(between(server)), prices: { input: 1, output: 2 }, ...settings },
  };
  writeFileSync(join(folder, 'dartboard.json'), JSON.stringify({ ...config, agents: { toy } }));
  const stop = new AbortController();
  const run = async (...args: readonly string[]) => {
    const output = file();
    const errors: string[] = [];
    const context: CliContext = {
      ...{ folder, root: join(folder, '.dartboard/runs'), pages: bundle('webview'), program: 'dartboard' },
      entries: {
        ...{ engine: bundle('engine'), frames: bundle('frames'), host: bundle('host') },
        ...{ index: bundle('index'), inference: bundle('inference'), trainer: bundle('trainer') },
        worker: bundle('worker'),
      },
      ...{ output, environment, clock: systemClock, stopSignal: () => stop.signal },
      printError: text => void errors.push(text),
    };
    const code = await runProgram(context, args);
    return { code, text: output.text, errors: errors.join('\n') };
  };
  return { folder, server, stop, run };
}

const same = (server: HttpTransport): HttpTransport => server;
