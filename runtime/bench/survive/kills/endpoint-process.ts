// The model endpoint of a run whose faults are planned: `dartboard model serve` in a process of its own, which is started again after a kill,
// as by a service manager.

import { systemClock } from '../../../core/system-clock.ts';
import { JoinedProcess } from '../../hosts/joined-process.ts';
import { entry } from '../../training.ts';

export interface EndpointOptions {
  /** Weights of the micro model. */
  readonly weights: string;
  /** For the weights that the learner saves. */
  readonly folder: string;
  readonly key: string;
}

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

export class EndpointProcess {
  /** The base URL of the chat protocol. */
  readonly url: string;
  readonly #launch: (port: number) => JoinedProcess;
  #process: JoinedProcess;

  private constructor(url: string, launch: (port: number) => JoinedProcess, started: JoinedProcess) {
    this.url = url;
    this.#launch = launch;
    this.#process = started;
  }

  static async start({ weights, folder, key }: EndpointOptions): Promise<EndpointProcess> {
    const launch = (port: number) =>
      new JoinedProcess({
        arguments: [entry('main'), 'model', 'serve', '--weights', weights, '--port', String(port)],
        environment: { DARTBOARD_MODEL_KEY: key },
        folder,
      });
    const started = launch(0);
    return new EndpointProcess(await addressOf(started), launch, started);
  }

  /** To its engine too. */
  signal(which: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process.signal(which);
  }

  /** SIGKILL. Resolves when the next process answers at the same address. */
  async restart(downMs: number): Promise<void> {
    await this.#process.kill();
    await systemClock.sleep(downMs);
    this.#process = this.#launch(Number(new URL(this.url).port));
    await addressOf(this.#process);
  }

  stop(): Promise<void> {
    return this.#process.kill();
  }
}

async function addressOf(server: JoinedProcess): Promise<string> {
  const end = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const [, url] = /base URL +(\S+)/.exec(server.said) ?? [];
    if (url !== undefined) return url;
    if (server.hasEnded || performance.now() > end)
      throw new Error(
        `The model endpoint did not start within ${START_TIMEOUT_MS / 1000} s. It printed: ${server.said}`,
      );
    await systemClock.sleep(POLL_MS);
  }
}
