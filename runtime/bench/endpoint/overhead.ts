// Our side of a step, from a screen to the recorded turn: encode the screen, build the request, send it, read the reply, parse it, record
// it. The server is another process; the time between the last byte of a request and the first byte of its reply is its own and not counted.

import type { ProfileId } from '../../agents/model/profile.ts';
import type { AgentSession, Turn } from '../../core/agent.ts';
import type { Random } from '../../core/rng.ts';
import { type HttpTransport, httpTransport } from '../../endpoints/http-transport.ts';
import { median } from '../report.ts';
import { agentOn, type ChatProcess, chatClient } from './chat-process.ts';
import { BusyDesktop, CYCLE, type ScreenChange } from './screens.ts';
import { WORK_HEADER } from './wire.ts';

/** The profiles that are measured. */
export const MEASURED = ['ui-tars-1.5', 'qwen3-vl'] as const satisfies readonly ProfileId[];

const STEPS = 200;
/** The windows whose costs are compared. Both contain whole cycles of changes. */
const EARLY_FROM = 10;
const LATE_FROM = 180;
const COMPARED = 20;
/** Steps in which every pixel changes. */
const WHOLE_STEPS = 20;
const TIMEOUT_MS = 60_000;

export interface MeasuredStep {
  readonly change: ScreenChange | 'every pixel';
  /** Milliseconds, without the server's. */
  readonly wall: number;
  /** Milliseconds of the processor, of all threads of this process. */
  readonly processor: number;
  readonly requestBytes: number;
}

export interface Overhead {
  /** With five images in the history. */
  readonly steps: readonly MeasuredStep[];
  readonly early: readonly number[];
  readonly late: readonly number[];
  readonly whole: readonly MeasuredStep[];
}

export async function measureOverhead(
  profile: ProfileId,
  server: ChatProcess,
  random: Random,
): Promise<Overhead> {
  const timed = timedTransport();
  const { url } = server;
  const client = chatClient({
    ...{ url, model: profile, concurrency: 1, timeoutMs: TIMEOUT_MS, transport: timed },
  });
  const agent = agentOn(profile, client.chat);
  const begin = (name: string): Played => {
    const session = agent.begin({
      ...{ episode: name, instruction: 'Open the budget of March and type its total into the report.' },
      ...{ mode: 'screenshot', maxSteps: STEPS, temperature: 1, exploration: 0 },
      ...{ random: random.fork(name), signal: new AbortController().signal },
    });
    return { session, desktop: new BusyDesktop(random.fork(`${name} desktop`)), timed };
  };
  try {
    const old = begin('old');
    const steps: MeasuredStep[] = [];
    for (let step = 0; step < LATE_FROM; step++) {
      const measured = await playStep(old);
      if (step >= EARLY_FROM) steps.push(measured);
    }
    // They take turns, so that the machine is equally busy for both.
    const young = begin('young');
    for (let step = 0; step < EARLY_FROM; step++) await playStep(young);
    const [early, late]: [number[], number[]] = [[], []];
    for (let step = 0; step < COMPARED; step++) {
      early.push((await playStep(young)).wall);
      late.push((await playStep(old)).wall);
    }
    const whole: MeasuredStep[] = [];
    for (let step = 0; step < WHOLE_STEPS; step++) whole.push(await playStep(young, true));
    for (const { session } of [old, young]) session.close();
    return { steps, early, late, whole };
  } finally {
    client.close();
  }
}

interface Played {
  readonly session: AgentSession;
  readonly desktop: BusyDesktop;
  readonly timed: TimedTransport;
}

async function playStep({ session, desktop, timed }: Played, isWhole = false): Promise<MeasuredStep> {
  const change = isWhole ? 'every pixel' : desktop.change();
  if (isWhole) desktop.invert();
  const screen = { pixels: desktop.pixels };
  const used = process.cpuUsage();
  const from = performance.now();
  const turn = await session.next(screen);
  for (const { action } of turn.actions) session.acted(action, screen);
  recordOf(turn);
  const wall = performance.now() - from - timed.latest.workMs;
  const { user, system } = process.cpuUsage(used);
  return {
    change,
    wall,
    processor: (user + system) / 1000,
    requestBytes: timed.latest.requestBytes,
  };
}

/** A line of a trajectory. Images are recorded as they were sent. */
const recordOf = ({ observation, images = [], ...turn }: Turn): readonly Uint8Array[] => [
  Buffer.from(JSON.stringify({ ...turn, images: images.map(({ sha256 }) => sha256) })),
  observation.bytes,
  ...images.map(({ png }) => png),
];

interface TimedTransport extends HttpTransport {
  readonly latest: { readonly workMs: number; readonly requestBytes: number };
}

function timedTransport(): TimedTransport {
  const transport = httpTransport();
  let latest = { workMs: 0, requestBytes: 0 };
  return {
    send: async request => {
      const reply = await transport.send(request);
      const requestBytes = request.body.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
      latest = { workMs: Number(reply.headers[WORK_HEADER] ?? 0), requestBytes };
      return reply;
    },
    close: () => transport.close(),
    get latest() {
      return latest;
    },
  };
}

/** The quantiles of all steps, by kind of change too. */
export function summaryOf({ steps, early, late, whole }: Overhead) {
  const kinds = [...new Set(steps.map(({ change }) => change))];
  const of = (measured: readonly MeasuredStep[]) => ({
    wall: median(measured.map(({ wall }) => wall)),
    processor: median(measured.map(({ processor }) => processor)),
    megabytes: median(measured.map(({ requestBytes }) => requestBytes)) / 1e6,
  });
  return {
    all: of(steps),
    everyPixel: of(whole),
    growth: median(late) / median(early),
    byChange: Object.fromEntries(
      kinds.map(kind => [kind, of(steps.filter(({ change }) => change === kind))]),
    ),
    cycle: CYCLE,
  };
}
