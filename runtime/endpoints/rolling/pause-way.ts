// New weights in place of the old ones, on a drained server: pause, load from disk, verify the reported version, resume, and one chat.
// The server always resumes, also after a failure.

import { EndpointError } from '../failure.ts';
import { repeated } from '../repeated-request.ts';
import type { ServedWeights } from '../served-weights.ts';
import { identifyServer } from '../server-identity.ts';
import { checkSuccess } from './adapter-way.ts';
import { confirmation } from './confirmation.ts';
import { wayOf } from './decide.ts';
import { probeCompletion } from './probe-completion.ts';
import type { PublishedVersion, Way, WayContext } from './way.ts';
import { reportedWeightVersion } from './weight-version.ts';

const PAUSE_TIMEOUT_MS = 60_000;
const LOAD_TIMEOUT_MS = 720_000;

interface Route {
  readonly path: string;
  readonly body: object;
  readonly timeoutMs?: number;
}

interface Routes {
  readonly pause: Route;
  readonly resume: Route;
  /** In order. */
  readonly load: (weights: PublishedVersion) => readonly Route[];
}

const ROUTES: Readonly<Record<'vllm' | 'sglang', Routes>> = {
  vllm: {
    // The default mode aborts requests.
    pause: { path: '/pause?mode=wait&clear_cache=true', body: {} },
    resume: { path: '/resume', body: {} },
    load: ({ version, path }) => [
      { path: '/start_weight_update', body: {} },
      { path: '/update_weights', body: { update_info: { path } }, timeoutMs: LOAD_TIMEOUT_MS },
      {
        path: '/finish_weight_update',
        body: { weight_version: String(version) },
        timeoutMs: LOAD_TIMEOUT_MS,
      },
    ],
  },
  sglang: {
    // Nothing is running. Other modes than `in_place` touch requests of other clients.
    pause: { path: '/pause_generation', body: { mode: 'in_place' } },
    resume: { path: '/continue_generation', body: {} },
    load: ({ version, path }) => [
      {
        path: '/update_weights_from_disk',
        body: { model_path: path, weight_version: String(version), flush_cache: true },
        timeoutMs: LOAD_TIMEOUT_MS,
      },
    ],
  },
};

export function pauseWay(context: WayContext & { readonly kind: 'vllm' | 'sglang' }): Way {
  const { client, kind, model, clock } = context;
  const routes = ROUTES[kind];
  const request = (route: Route, signal: AbortSignal) => send(client, route, signal);
  /** Its own signal: a server must not stay paused because the daemon stops. */
  const resume = () => {
    const { signal } = new AbortController();
    return repeated(() => request(routes.resume, signal), clock, signal);
  };
  const verify = async ({ version }: PublishedVersion, signal: AbortSignal) => {
    const reported = await repeated(() => reportedWeightVersion(context, signal), clock, signal);
    if (reported === String(version)) return;
    throw new EndpointError(
      'bad-reply',
      client.name,
      `After the update to version ${version}, the server reports ${reported === undefined ? 'no version' : `version '${reported}'`}. Read its log.`,
    );
  };
  return {
    drains: true,
    load: async (weights, signal) => {
      await withResume(resume, async () => {
        await request(routes.pause, signal);
        for (const route of routes.load(weights)) await request(route, signal);
        await verify(weights, signal);
      });
      await probeCompletion(context, model, signal);
      return servedWeights(context, weights);
    },
  };
}

/**
 * Resumes a server that may be paused because the process that updated it was killed. A paused server answers no chat. Resolves to true if
 * the server accepted the request.
 */
export async function resumePaused(client: WayContext['client'], signal: AbortSignal): Promise<boolean> {
  const server = await identifyServer(client, [], signal);
  const { kind } = server;
  if (wayOf(server, false) !== 'pause' || !(kind === 'vllm' || kind === 'sglang')) return false;
  try {
    await send(client, ROUTES[kind].resume, signal);
    return true;
  } catch (error) {
    if (error instanceof EndpointError) return false;
    throw error;
  }
}

async function send(
  client: WayContext['client'],
  { path, body, timeoutMs = PAUSE_TIMEOUT_MS }: Route,
  signal: AbortSignal,
): Promise<void> {
  const route = path.replace(/\?.*/, '');
  checkSuccess(await client.control({ at: 'root', path, body, timeoutMs }, signal), client.name, route);
}

/** Replies of SGLang report the version; vLLM has a route for it. */
function servedWeights(context: WayContext, { version }: PublishedVersion): ServedWeights {
  const { client, kind, model, clock } = context;
  const weights = { model, version, isAdapter: false } as const;
  if (kind === 'sglang') return { ...weights, reported: String(version) };
  const confirm = confirmation(
    async signal => (await reportedWeightVersion({ client, kind }, signal)) === String(version),
    clock,
  );
  return { ...weights, confirm };
}

/** The error of the work counts more than that of the resumption. */
async function withResume(resume: () => Promise<void>, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await resume().catch(() => undefined);
    throw error;
  }
  await resume();
}
