// Memory per live episode: many sessions with full windows of history, after garbage collection. The screens of the desktops are not
// counted: they belong to the desktop.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as z from 'zod';
import type { ProfileId } from '../../agents/model/profile.ts';
import type { AgentSession } from '../../core/agent.ts';
import type { Random } from '../../core/rng.ts';
import { agentOn, type ChatProcess, chatClient } from './chat-process.ts';
import { BusyDesktop } from './screens.ts';

const EPISODES = 64;
/** Steps of each episode: fill the window of five images. */
const STEPS = 7;
const TIMEOUT_MS = 60_000;
const MEGABYTE = 2 ** 20;

/** Megabytes per episode. */
export interface MemoryPerEpisode {
  /** Objects and buffers of this process. */
  readonly live: number;
  /** Resident memory, with what the allocator keeps. */
  readonly resident: number;
}

export async function measureMemory(
  profile: ProfileId,
  server: ChatProcess,
  random: Random,
): Promise<MemoryPerEpisode> {
  const collect = garbageCollector();
  const client = chatClient({ url: server.url, model: profile, concurrency: 1, timeoutMs: TIMEOUT_MS });
  const agent = agentOn(profile, client.chat);
  const desktop = new BusyDesktop(random.fork('desktop'));
  const begin = (name: string) =>
    agent.begin({
      ...{ episode: name, instruction: 'Open the budget of March.', mode: 'screenshot', maxSteps: STEPS },
      ...{ temperature: 1, exploration: 0, random: random.fork(name) },
      signal: new AbortController().signal,
    });
  const play = async (session: AgentSession) => {
    for (let step = 0; step < STEPS; step++) {
      desktop.change();
      const screen = { pixels: desktop.pixels };
      const { actions } = await session.next(screen);
      for (const { action } of actions) session.acted(action, screen);
    }
  };
  const sessions: AgentSession[] = [];
  try {
    // The first one loads code and sizes the heap.
    const first = begin('first');
    await play(first);
    first.close();
    const before = await memoryAfter(collect);
    for (let index = 0; index < EPISODES; index++) {
      const session = begin(`episode ${index}`);
      sessions.push(session);
      await play(session);
    }
    const after = await memoryAfter(collect);
    return {
      live: (after.live - before.live) / EPISODES,
      resident: (after.resident - before.resident) / EPISODES,
    };
  } finally {
    for (const session of sessions) session.close();
    client.close();
  }
}

/** Buffers are released some time after their objects. */
async function memoryAfter(collect: () => void): Promise<MemoryPerEpisode> {
  for (let round = 0; round < 3; round++) {
    collect();
    await new Promise(resolve => setImmediate(resolve));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  // `external` contains the buffers.
  return { live: (heapUsed + external) / MEGABYTE, resident: rss / MEGABYTE };
}

const functionWithoutArguments = z.custom<() => void>(value => typeof value === 'function');

/** The collector is a function of contexts that are made after the flag is set. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return functionWithoutArguments.parse(runInNewContext('gc'));
}
