// Servers that load weights, behind the router and a rolling update, under a virtual clock; and episodes that ask them all the time.

import { onTestFinished } from 'vitest';
import type { ChatReply } from '../../../runtime/core/chat.ts';
import { type Version, version } from '../../../runtime/core/ids.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { TokenBudget } from '../../../runtime/endpoints/budget.ts';
import type { ChatRequest } from '../../../runtime/endpoints/chat.ts';
import { EndpointClient } from '../../../runtime/endpoints/client.ts';
import { adapterWay } from '../../../runtime/endpoints/rolling/adapter-way.ts';
import { pauseWay } from '../../../runtime/endpoints/rolling/pause-way.ts';
import { RESTART_VARIABLES, restartWay } from '../../../runtime/endpoints/rolling/restart-way.ts';
import { RollingUpdate } from '../../../runtime/endpoints/rolling/rolling-update.ts';
import type { PublishedVersion, Way } from '../../../runtime/endpoints/rolling/way.ts';
import { EndpointRouter } from '../../../runtime/endpoints/router.ts';
import type { WireDialect } from '../../../runtime/endpoints/wire-request.ts';
import { UpdatableServer, type UpdatableServerOptions } from '../../doubles/openai/updatable-server.ts';

export const WAYS = ['adapter, vLLM', 'adapter, SGLang', 'pause, vLLM', 'pause, SGLang', 'restart'] as const;
export type WayName = (typeof WAYS)[number];

const DIALECT: WireDialect = {
  ...({ limitField: 'max_tokens', allTokens: -1 } as const),
  ...{ topCount: 1, sampling: true, extras: true },
};
const TIMEOUT_MS = 60_000;
const DRAIN_MS = 90_000;
const CONCURRENCY = 16;

export interface FleetSetup {
  readonly way: WayName;
  readonly servers?: number;
  /** Nobody knows which weights the servers have at the start. */
  readonly isFirstUnknown?: boolean;
  readonly server?: Partial<UpdatableServerOptions>;
  readonly retries?: number;
  readonly outageTimeoutMs?: number;
  readonly drainMs?: number;
  /** What the restart command of a server does instead of a restart with the new weights. */
  readonly restart?: (server: UpdatableServer, path: string) => Promise<void>;
}

export const published = (number: number): PublishedVersion => ({
  version: version(number),
  path: `/weights/${number}`,
});

export function setUpFleet(setup: FleetSetup) {
  const { way: wayName, servers: count = 4, retries = 8, outageTimeoutMs, drainMs = DRAIN_MS } = setup;
  const clock = new VirtualClock();
  const kind = wayName.endsWith('SGLang') ? 'sglang' : 'vllm';
  const doubles = Array.from({ length: count }, () => new UpdatableServer({ kind, clock, ...setup.server }));
  const clients = doubles.map(
    (transport, index) =>
      new EndpointClient({
        ...{ name: `lab.${index}`, url: 'http://lab:8000/v1', timeoutMs: TIMEOUT_MS, transport, clock },
      }),
  );
  const reports: string[] = [];
  const health = (thing: string, healthy: boolean, message: string) =>
    reports.push(`${thing} ${healthy ? 'up' : 'down'}: ${message}`);
  const router = new EndpointRouter({
    ...{
      agent: 'lab',
      concurrency: CONCURRENCY,
      retries,
      outageTimeoutMs,
      budget: new TokenBudget(),
      clock,
      health,
    },
    servers: clients.map(client => ({ client, model: 'tars', dialect: DIALECT })),
  });
  const nameOf = (of: Version): string => `run-v${of}`;
  const wayFor = (client: EndpointClient, double: UpdatableServer): Way => {
    const context = { client, kind, model: 'tars', dialect: DIALECT, clock } as const;
    if (wayName.startsWith('adapter')) return adapterWay(context, nameOf);
    if (wayName.startsWith('pause')) return pauseWay(context);
    const restart = setup.restart ?? (async (server, path) => server.die(RESTART_MS, path));
    return restartWay(context, {
      ...{ restart: { command: 'restart-the-server' }, nameOf },
      run: (_command, variables) => restart(double, variables[RESTART_VARIABLES.path] ?? ''),
    });
  };
  const update = new RollingUpdate({
    ...{ router: router.servers, clock, drainMs, health },
    servers: clients.map((client, index) => ({
      ...{ name: client.name, model: 'tars' },
      version: setup.isFirstUnknown === true ? undefined : version(0),
      way: wayFor(client, doubles[index] ?? new UpdatableServer({ kind, clock })),
    })),
  });
  onTestFinished(() => router.close());
  return { clock, router, update, doubles, reports };
}

const RESTART_MS = 3000;

export type TestFleet = ReturnType<typeof setUpFleet>;

export const request = (session: string): ChatRequest => ({
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Mute the sound.' }] }],
  images: () => new Uint8Array(),
  sampling: { temperature: 1, topP: 1, topK: -1, maxTokens: 50, seed: 1 },
  ...{ session, signal: new AbortController().signal },
});

/** The result of some work while the clock runs. */
export async function settled<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = work.then(
    () => {
      isDone = true;
    },
    () => {
      isDone = true;
    },
  );
  while (!isDone) await clock.run(clock.now() + 100);
  await done;
  return work;
}

/** Whether the reply names the weights that decided, or admits that it does not know. */
export const isExact = ({ raw, version: named, defects }: ChatReply): boolean =>
  defects.includes('wrong-model') || defects.includes('mixed-versions') || raw === `/weights/${named}`;

export interface Played {
  readonly replies: readonly ChatReply[];
  readonly errors: readonly unknown[];
  /** The most servers that were drained or updated at a time. */
  readonly maxOut: number;
  /** The phases that servers had. */
  readonly phases: ReadonlySet<string>;
}

const STEPS = 10;
const SAMPLE_MS = 50;
/** Between the first requests of two episodes, so that their requests do not end together. */
const STAGGER_MS = 37;

/** Episodes of ten steps, so many at a time, until the time is over. */
export async function play(fleet: TestFleet, { episodes = 16, untilMs = 60_000 } = {}): Promise<Played> {
  const { clock, router } = fleet;
  const replies: ChatReply[] = [];
  const errors: unknown[] = [];
  const phases = new Set<string>();
  let maxOut = 0;
  const watch = async () => {
    while (clock.now() < untilMs) {
      const now = router.snapshot().map(({ phase }) => phase);
      for (const phase of now) phases.add(phase);
      maxOut = Math.max(maxOut, now.filter(phase => phase === 'draining' || phase === 'updating').length);
      await clock.sleep(SAMPLE_MS);
    }
  };
  const playOne = async (index: number) => {
    await clock.sleep(STAGGER_MS * index);
    for (let episode = 0; clock.now() < untilMs; episode++) {
      const session = `${index}/${episode}`;
      for (let step = 0; step < STEPS && clock.now() < untilMs; step++)
        try {
          replies.push(await router.complete(request(session)));
        } catch (error) {
          errors.push(error);
        }
      router.end(session);
    }
  };
  await settled(
    clock,
    Promise.all([watch(), ...Array.from({ length: episodes }, (_, index) => playOne(index))]),
  );
  return { replies, errors, maxOut, phases };
}
