// Many episodes at once against a server that injects faults, is killed and is started again. Compares the record of each step with the
// ledger of the server.

import { join } from 'node:path';
import type { Random } from '../../core/rng.ts';
import { systemClock } from '../../core/system-clock.ts';
import type { ChatModel } from '../../endpoints/chat.ts';
import { withTemporaryFolder } from '../training.ts';
import { type Account, type AskedStep, accountOf } from './accounting.ts';
import type { ChatChildOptions } from './chat-child.ts';
import { agentOn, chatClient, readLedger, startChat } from './chat-process.ts';
import type { FaultShares } from './faults.ts';
import { BusyDesktop, FULL_HD, photograph } from './screens.ts';
import { replyId } from './wire.ts';

const PROFILE = 'ui-tars-1.5';
export const EPISODES = 64;
const STEPS = 20;
const LATENCY_MS = 500;
/** Twenty times the latency, so that only injected time-outs exceed it, on a busy machine too. */
const TIMEOUT_MS = 10_000;

export const FAULT_SHARES: FaultShares = {
  'server-error': 0.05,
  timeout: 0.02,
  'truncated-json': 0.01,
  'wrong-lengths': 0.01,
  reset: 0.01,
  'cut-off': 0.005,
  'rate-limited': 0.005,
};

/** Shares of the steps after which the server is killed, and how long it is away. */
const RESTARTS = [0.3, 0.6];
const AWAY_MS = 2000;

export interface Storm {
  readonly account: Account;
  /** Steps of all episodes, if none is lost. */
  readonly expected: number;
  readonly seconds: number;
  readonly restarts: number;
  /** The messages of lost steps. */
  readonly failures: readonly string[];
}

/** Without faults the server is not killed either. */
export async function playStorm(faults: FaultShares | undefined, random: Random): Promise<Storm> {
  return withTemporaryFolder(async folder => {
    const ledger = join(folder, 'ledger.jsonl');
    const generation = (number: number, port: number): ChatChildOptions => ({
      ...{ port, generation: `g${number}`, version: `v${number}`, latencyMs: LATENCY_MS, ledger },
      ...{ faults: faults ?? {}, seed: `faults ${number}` },
    });
    let server = await startChat(generation(0, 0));
    const { port, url } = server;
    const asked: AskedStep[] = [];
    const failures: string[] = [];
    let restarts = 0;
    const restartAt = faults === undefined ? [] : RESTARTS.map(share => Math.round(share * EPISODES * STEPS));
    let restarting = Promise.resolve();
    const restart = async (number: number): Promise<void> => {
      await server.kill();
      await systemClock.sleep(AWAY_MS);
      server = await startChat(generation(number, port));
    };
    const client = chatClient({ url, model: 'policy', concurrency: EPISODES, timeoutMs: TIMEOUT_MS });
    const chat = watched(client.chat, step => {
      asked.push(step);
      if (!restartAt.includes(asked.length)) return;
      restarts += 1;
      const number = restarts;
      restarting = restarting.then(() => restart(number));
    });
    const agent = agentOn(PROFILE, chat);
    const wallpaper = photograph(FULL_HD, random.fork('wallpaper'));
    const play = async (index: number): Promise<void> => {
      const desktop = new BusyDesktop(random.fork(`desktop ${index}`), wallpaper);
      const session = agent.begin({
        ...{ episode: `episode ${index}`, instruction: 'Open the budget of March.', mode: 'screenshot' },
        ...{ maxSteps: STEPS, temperature: 1, exploration: 0, random: random.fork(`episode ${index}`) },
        signal: new AbortController().signal,
      });
      try {
        for (let step = 0; step < STEPS; step++) {
          desktop.change();
          const screen = { pixels: desktop.pixels };
          const { actions } = await session.next(screen);
          for (const { action } of actions) session.acted(action, screen);
        }
      } catch (error) {
        failures.push(String(error));
      } finally {
        session.close();
      }
    };
    // Timers of the clock do not keep the process alive, and there is no other work while the server is away.
    const awake = setInterval(() => undefined, AWAY_MS);
    try {
      const from = performance.now();
      await Promise.all(Array.from({ length: EPISODES }, (_, index) => play(index)));
      const seconds = (performance.now() - from) / 1000;
      await restarting;
      const account = accountOf(asked, await readLedger(ledger, `v${restarts}`));
      return { account, expected: EPISODES * STEPS, seconds, restarts, failures };
    } finally {
      clearInterval(awake);
      client.close();
      await server.close();
    }
  });
}

/** Reports each step with its outcome. */
const watched = (chat: ChatModel, report: (step: AskedStep) => void): ChatModel => ({
  complete: async request => {
    const { seed } = request.sampling;
    try {
      const reply = await chat.complete(request);
      const { retries, model, reportedVersion } = reply.served;
      const { defects, raw } = reply;
      const version = reportedVersion === undefined ? {} : { reportedVersion };
      report({ seed, reply: { id: replyId(raw), retries, model, ...version, defects } });
      return reply;
    } catch (error) {
      report({ seed });
      throw error;
    }
  },
  end: session => chat.end(session),
});
