// Runs a check against the double of a server, under a virtual clock.

import type { AgentSettings } from '../../runtime/config/sections/agents.ts';
import type { Clock } from '../../runtime/core/clock.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { checkEndpoint } from '../../runtime/endpoint-check/check.ts';
import type { EndpointReport } from '../../runtime/endpoint-check/report.ts';
import type { HttpTransport } from '../../runtime/endpoints/http-transport.ts';
import { type LanguageModel, ModelServer } from '../doubles/openai/model-server.ts';
import { type PointingOptions, pointingModel } from '../doubles/openai/pointing.ts';
import { errorReply } from '../doubles/openai/replies.ts';
import { type ServerTraits, VLLM } from '../doubles/openai/traits.ts';
import { passUntil } from '../pass-until.ts';

export interface CheckSetup {
  readonly traits?: Partial<ServerTraits>;
  readonly model?: LanguageModel;
  readonly pointing?: Partial<PointingOptions>;
  readonly settings?: Partial<AgentSettings>;
  /** Chats that the server answers with status 500. */
  readonly failsFor?: (body: string) => boolean;
  /** Chats that the server does not answer. */
  readonly hangsFor?: (body: string) => boolean;
  /** Refuses connections after so many requests. */
  readonly diesAfter?: number;
}

/** A sound vLLM with UI-TARS 1.5, unless the setup changes it. */
export async function checked(setup: CheckSetup = {}) {
  const clock = new VirtualClock();
  const model = setup.model ?? pointingModel({ grammar: 'ui-tars', frame: 'seen', ...setup.pointing });
  const traits = { ...VLLM, ...setup.traits };
  const server = new ModelServer({ traits, clock, model });
  const settings: AgentSettings = {
    ...{ profile: 'ui-tars-1.5', model: 'tars', url: 'http://lab:8000/v1', ...setup.settings },
  };
  const progress: string[] = [];
  let isOver = false;
  const work = checkEndpoint('lab', settings, {
    ...{ environment: {}, clock, transport: mortal(failing(server, clock, setup), setup.diesAfter) },
    progress: text => progress.push(text),
  }).finally(() => {
    isOver = true;
  });
  work.catch(() => undefined);
  // Images are compressed on other threads while the clock runs.
  await passUntil(clock, () => isOver);
  const reports = await work;
  return { reports, report: first(reports), server, progress, ms: clock.now() };
}

const NONE = () => false;
const HANG_MS = 86_400_000;

function failing(
  server: ModelServer,
  clock: Clock,
  { failsFor = NONE, hangsFor = NONE }: CheckSetup,
): HttpTransport {
  return {
    send: async request => {
      const body = request.body.filter(part => typeof part === 'string').join('');
      if (failsFor(body)) return errorReply(500, 'out of memory');
      if (hangsFor(body)) await clock.sleep(HANG_MS, request.signal);
      return server.send(request);
    },
    close: () => undefined,
  };
}

function mortal(server: HttpTransport, diesAfter = Number.POSITIVE_INFINITY): HttpTransport {
  let count = 0;
  return {
    send: async request => {
      count += 1;
      if (count <= diesAfter) return server.send(request);
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    },
    close: () => undefined,
  };
}

function first(reports: readonly EndpointReport[]): EndpointReport {
  const [report] = reports;
  if (report === undefined) throw new Error('The check has no report.');
  return report;
}

export const findingOf = ({ findings }: EndpointReport, name: string) =>
  findings.find(each => each.name === name);
