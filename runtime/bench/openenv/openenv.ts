// The OpenEnv server: what a step costs beyond the desktop, and whether desktops of killed clients come back. Server and client are in this
// process; killed clients have processes of their own.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseConfig } from '../../config/config.ts';
import type { Action } from '../../core/action.ts';
import { desktopId } from '../../core/ids.ts';
import { seeded } from '../../core/rng.ts';
import { systemClock } from '../../core/system-clock.ts';
import { PocketDesktop } from '../../environments/pocket/desktop.ts';
import { POCKET, solutionOf } from '../../environments/pocket/tasks/suite.ts';
import { ObservationWriter } from '../../openenv/observation.ts';
import { type ServedDesktops, serveDesktops } from '../../openenv/serve-desktops.ts';
import { type Benchmark, median, quantile } from '../report.ts';
import { entry } from '../training.ts';
import { OpenEnvSocket } from './socket-client.ts';

const SESSIONS = 16;
const ROUNDS = 5;
/** Instances of each task. */
const INSTANCES = 3;
const RETURN_TIMEOUT_MS = 30_000;
const POLL_MS = 20;
const MAX_KILL_DELAY_MS = 100;

export const openenv: Benchmark = {
  name: 'openenv',
  summary: 'pocket desktops served under OpenEnv: cost of a step, and desktops that killed clients lose',
  run: async report => {
    // The timers of the clock let a process end that waits for nothing else.
    const keepAlive = setInterval(() => undefined, 1000);
    const steps = await report.part('steps', 2, measureSteps);
    const kills = await report.part('killed clients', 2, killClients);
    clearInterval(keepAlive);
    const [served, inside, observed] = [
      median(steps.map(({ served }) => served)),
      median(steps.map(({ inside }) => inside)),
      median(steps.map(({ observed }) => observed)),
    ];
    return {
      figures: {
        openenv_step_extra_ms: median(steps.map(({ served, inside }) => served - inside)),
        openenv_step_extra_p95_ms: quantile(
          steps.map(({ served, inside }) => served - inside),
          0.95,
        ),
        openenv_step_ms: served,
        openenv_inside_ms: inside,
        openenv_observed_ms: observed,
        openenv_steps: steps.length,
        openenv_sessions_killed: kills.killed,
        openenv_sessions_lost: kills.lost,
        openenv_return_ms_max: kills.slowestMs,
      },
      config: { sessions: SESSIONS, rounds: ROUNDS, observation: 'both' },
    };
  },
};

const serve = (sessions: number): Promise<ServedDesktops> =>
  serveDesktops({
    ...{ config: parseConfig({}), sessions, port: 0, observation: 'both', idleMs: 600_000 },
    health: () => undefined,
    stop: new AbortController().signal,
    clock: systemClock,
  });

/** Milliseconds of the same action. */
interface ComparedStep {
  readonly served: number;
  /** On a desktop in this process, without an observation. */
  readonly inside: number;
  /** The same, with the observation that the server sends. */
  readonly observed: number;
}

/** Plays scripted solutions, each action on a served desktop and on one in this process, in turns. */
async function measureSteps(): Promise<readonly ComparedStep[]> {
  const server = await serve(1);
  const client = await OpenEnvSocket.connect(server.url);
  const desktop = new PocketDesktop(desktopId('inside'));
  const steps: ComparedStep[] = [];
  try {
    for (const task of POCKET.tasks('train'))
      for (let seed = 0; seed < INSTANCES; seed++) {
        const instance = POCKET.seed('train', seed);
        const first = await desktop.reset(POCKET.task(task, instance), instance);
        await client.ask({ type: 'reset', data: { task_id: task, seed } });
        const writer = new ObservationWriter(task, 'both');
        await writer.observe(first);
        for (const action of solutionOf(POCKET, POCKET.task(task, instance), instance).actions) {
          const isFirst = steps.length % 2 === 0;
          const before = isFirst ? await insideStep(desktop, writer, action) : undefined;
          const started = performance.now();
          const { done } = await client.ask({ type: 'step', data: action });
          const served = performance.now() - started;
          steps.push({ served, ...(before ?? (await insideStep(desktop, writer, action))) });
          if (done) break;
        }
      }
  } finally {
    client.close();
    await server.close();
  }
  return steps;
}

async function insideStep(desktop: PocketDesktop, writer: ObservationWriter, action: Action) {
  const started = performance.now();
  const screen = await desktop.act(action);
  const inside = performance.now() - started;
  await writer.observe(screen);
  return { inside, observed: performance.now() - started };
}

interface Kills {
  readonly killed: number;
  /** Desktops that were not free again in time. */
  readonly lost: number;
  /** From the last kill until all desktops are free. */
  readonly slowestMs: number;
}

/** Kills all clients at moments of their own, each in the middle of its episode. */
async function killClients(): Promise<Kills> {
  const server = await serve(SESSIONS);
  const random = seeded('killed clients');
  let [killed, lost, slowestMs] = [0, 0, 0];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const clients = Array.from({ length: SESSIONS }, () =>
        spawn(process.execPath, [fileURLToPath(entry('bench-openenv')), server.url], {
          stdio: ['ignore', 'pipe', 'inherit'],
        }),
      );
      await Promise.all(clients.map(({ stdout }) => once(stdout, 'data')));
      if (server.activeSessions !== SESSIONS)
        throw new Error(`${server.activeSessions} of ${SESSIONS} clients play. Run the benchmark again.`);
      await Promise.all(
        clients.map(async client => {
          await systemClock.sleep(random.int(MAX_KILL_DELAY_MS));
          const exited = once(client, 'exit');
          client.kill('SIGKILL');
          await exited;
        }),
      );
      killed += clients.length;
      const started = performance.now();
      while (server.freeDesktops < SESSIONS && performance.now() - started < RETURN_TIMEOUT_MS)
        await systemClock.sleep(POLL_MS);
      slowestMs = Math.max(slowestMs, performance.now() - started);
      lost += SESSIONS - server.freeDesktops;
    }
  } finally {
    await server.close();
  }
  return { killed, lost, slowestMs };
}
