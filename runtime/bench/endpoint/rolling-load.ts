// A rolling update under load: episodes ask four servers all the time, while new versions of the weights roll over them. Compares the rate of
// replies during the updates with the rate before them.

import type { ChatReply } from '../../core/chat.ts';
import { version } from '../../core/ids.ts';
import { systemClock } from '../../core/system-clock.ts';
import { TokenBudget } from '../../endpoints/budget.ts';
import { EndpointClient } from '../../endpoints/client.ts';
import { httpTransport } from '../../endpoints/http-transport.ts';
import { adapterWay } from '../../endpoints/rolling/adapter-way.ts';
import { pauseWay } from '../../endpoints/rolling/pause-way.ts';
import { RollingUpdate } from '../../endpoints/rolling/rolling-update.ts';
import { EndpointRouter } from '../../endpoints/router.ts';
import type { WireDialect } from '../../endpoints/wire-request.ts';
import { type ChatProcess, startChat } from './chat-process.ts';

export interface RollingLoad {
  readonly endpoints: number;
  /** The most requests at a time to an endpoint. */
  readonly slots: number;
  /** Each has one request at a time. */
  readonly episodes: number;
  /** Of a reply. */
  readonly latencyMs: number;
  /** To load an adapter or weights. */
  readonly loadMs: number;
  /** How many versions roll, one after another. */
  readonly versions: number;
  /** Without updates, before them; and half as long after them. */
  readonly calmMs: number;
}

/** Three of four endpoints have room for these episodes. */
export const PARTIAL_LOAD: RollingLoad = {
  ...{ endpoints: 4, slots: 16, episodes: 48, latencyMs: 1000, loadMs: 1000, versions: 2, calmMs: 8000 },
};
/** All endpoints together have room for these episodes. */
export const FULL_LOAD: RollingLoad = { ...PARTIAL_LOAD, episodes: 64, versions: 1 };

export interface MeasuredRolling {
  readonly way: RollingWay;
  readonly load: RollingLoad;
  readonly requests: number;
  /** Requests without a reply. */
  readonly lost: number;
  /** Replies with other weights than those of their version, or from two versions. */
  readonly wrongVersions: number;
  /** Replies before, during and after the updates. */
  readonly calmPerSecond: number;
  readonly updatingPerSecond: number;
  readonly afterPerSecond: number;
  /** The rate during the updates, of the rate before them. */
  readonly servedShare: number;
  /** From the publication of a version until all endpoints have it. */
  readonly updateSeconds: number;
  /** Endpoints that do not have the last version at the end. */
  readonly behind: number;
  readonly failures: readonly string[];
}

/** By a new adapter per version, or by drain, pause, update, verification and resumption. */
export const ROLLING_WAYS = ['adapter', 'pause'] as const;
export type RollingWay = (typeof ROLLING_WAYS)[number];

const MODEL = 'policy';
const TIMEOUT_MS = 30_000;
const RETRIES = 8;
/** Of an episode; then its session ends, and the next one begins. */
const STEPS = 20;
const MAX_FAILURES = 5;
const DIALECT: WireDialect = {
  ...({ limitField: 'max_tokens', allTokens: -1 } as const),
  ...{ topCount: 5, sampling: true, extras: true },
};

const pathOf = (number: number): string => `/weights/${number}`;

export async function measureRolling(way: RollingWay, load: RollingLoad): Promise<MeasuredRolling> {
  const servers = await startServers(load);
  const transport = httpTransport();
  const clients = servers.map(
    ({ url }, index) =>
      new EndpointClient({
        ...{ name: `endpoint ${index + 1}`, url, timeoutMs: TIMEOUT_MS, transport, clock: systemClock },
      }),
  );
  const failures: string[] = [];
  const health = (thing: string, healthy: boolean, message: string) => {
    if (!healthy && failures.length < MAX_FAILURES) failures.push(`${thing}: ${message}`);
  };
  const router = new EndpointRouter({
    ...{ agent: 'bench', concurrency: load.slots, retries: RETRIES, clock: systemClock, health },
    budget: new TokenBudget(),
    servers: clients.map(client => ({ client, model: MODEL, dialect: DIALECT })),
  });
  const update = new RollingUpdate({
    ...{ router: router.servers, clock: systemClock, health, drainMs: TIMEOUT_MS },
    servers: clients.map(client => {
      const context = { client, kind: 'vllm', model: MODEL, dialect: DIALECT, clock: systemClock } as const;
      return {
        ...{ name: client.name, model: MODEL, version: version(0) },
        way: way === 'adapter' ? adapterWay(context, of => `run-v${of}`) : pauseWay(context),
      };
    }),
  });
  const played = new LoadOf(router, load);
  // Timers of the clock do not keep the process alive.
  const awake = setInterval(() => undefined, load.calmMs);
  try {
    // The first requests open connections.
    await systemClock.sleep(1000);
    const before = await played.rateDuring(() => systemClock.sleep(load.calmMs));
    const updating = await played.rateDuring(async () => {
      for (let number = 1; number <= load.versions; number++) {
        update.publish({ version: version(number), path: pathOf(number) });
        await update.settled();
      }
    });
    const after = await played.rateDuring(() => systemClock.sleep(load.calmMs / 2));
    await played.end();
    const { perSecond: calmPerSecond } = before;
    return {
      ...{ way, load, requests: played.requests, lost: played.lost, wrongVersions: played.wrongVersions },
      ...{ calmPerSecond, updatingPerSecond: updating.perSecond, afterPerSecond: after.perSecond },
      servedShare: updating.perSecond / calmPerSecond,
      updateSeconds: updating.seconds / load.versions,
      behind: router.snapshot().filter(each => each.version !== load.versions).length,
      failures: [...failures, ...played.errors].slice(0, MAX_FAILURES),
    };
  } finally {
    clearInterval(awake);
    await update.close();
    router.close();
    transport.close();
    await Promise.all(servers.map(server => server.close()));
  }
}

const startServers = ({ endpoints, latencyMs, loadMs }: RollingLoad): Promise<readonly ChatProcess[]> =>
  Promise.all(
    Array.from({ length: endpoints }, (_, index) =>
      startChat({
        ...{ port: 0, generation: `s${index}`, version: pathOf(0), latencyMs, faults: {}, seed: 'none' },
        weights: { kind: 'vllm', model: MODEL, loadMs, path: pathOf(0), version: '0' },
      }),
    ),
  );

/** The weights that decided are those that the reply claims. The servers report the path of their weights, at the start and at the end. */
export const isRightVersion = ({ version: claimed, served, defects }: ChatReply): boolean =>
  defects.length === 0 && claimed !== undefined && served.reportedVersion === pathOf(claimed);

/** Episodes that ask one request after another until they are ended. */
class LoadOf {
  requests = 0;
  lost = 0;
  wrongVersions = 0;
  readonly errors: string[] = [];
  readonly #router: EndpointRouter;
  readonly #episodes: Promise<unknown>;
  #replies = 0;
  #isOver = false;

  constructor(router: EndpointRouter, { episodes, latencyMs }: RollingLoad) {
    this.#router = router;
    // Their requests must not end together: a second would have two waves of replies or three.
    const apart = latencyMs / episodes;
    this.#episodes = Promise.all(
      Array.from({ length: episodes }, (_, index) => this.#play(index, apart * index)),
    );
  }

  /** Replies per second while something happens. */
  async rateDuring(
    happening: () => Promise<void>,
  ): Promise<{ readonly perSecond: number; readonly seconds: number }> {
    const [from, replies] = [performance.now(), this.#replies];
    await happening();
    const seconds = (performance.now() - from) / 1000;
    return { perSecond: (this.#replies - replies) / seconds, seconds };
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#episodes;
  }

  async #play(index: number, afterMs: number): Promise<void> {
    const { signal } = new AbortController();
    await systemClock.sleep(afterMs);
    for (let episode = 0; !this.#isOver; episode++) {
      const session = `${index}/${episode}`;
      for (let step = 0; step < STEPS && !this.#isOver; step++) await this.#ask(session, signal);
      this.#router.end(session);
    }
  }

  async #ask(session: string, signal: AbortSignal): Promise<void> {
    this.requests += 1;
    try {
      const reply = await this.#router.complete({
        messages: [{ role: 'user', parts: [{ type: 'text', text: 'What is next?' }] }],
        images: noImage,
        sampling: { temperature: 1, topP: 1, topK: -1, maxTokens: 100, seed: this.requests },
        ...{ session, signal },
      });
      this.#replies += 1;
      if (!isRightVersion(reply)) this.wrongVersions += 1;
    } catch (error) {
      this.lost += 1;
      this.errors.push(String(error));
    }
  }
}

function noImage(sha256: string): Uint8Array {
  throw new RangeError(`There is no image ${sha256}: the message has only text.`);
}
