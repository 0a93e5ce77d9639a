// New weights by a restart: a command of the user restarts the server, which must then report the version, the path or the name of the new
// weights.

import * as z from 'zod';
import { DeadlineExceeded, withDeadline } from '../../core/deadline.ts';
import { sentenceOf } from '../../core/errors.ts';
import { safeParse } from '../../core/safe-parse.ts';
import { EndpointError } from '../failure.ts';
import { findModel, readModelList } from '../model-list.ts';
import { confirmation } from './confirmation.ts';
import { probeCompletion } from './probe-completion.ts';
import type { AdapterName, PublishedVersion, Way, WayContext } from './way.ts';
import { reportedWeightVersion } from './weight-version.ts';

export interface RestartCommand {
  readonly command: string;
  readonly args?: readonly string[];
}

/** Runs a program to its end with these variables added to the environment. Rejects if it fails, with the end of its output. */
export type RunCommand = (
  command: RestartCommand,
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<void>;

/** The variables that a restart command gets. */
export const RESTART_VARIABLES = {
  path: 'DARTBOARD_WEIGHTS_PATH',
  version: 'DARTBOARD_WEIGHTS_VERSION',
  /** A name of the model that contains the version. */
  model: 'DARTBOARD_MODEL_NAME',
} as const;

/** For the command, and for a large model to load. */
const RESTART_TIMEOUT_MS = 900_000;
const HEALTH_INTERVAL_MS = 2000;
/** The old process may answer until it has stopped. */
const OTHER_TIMEOUT_MS = 60_000;

export interface RestartWayOptions {
  readonly restart: RestartCommand;
  readonly run: RunCommand;
  readonly nameOf: AdapterName;
}

export function restartWay(context: WayContext, { restart, run, nameOf }: RestartWayOptions): Way {
  const { client, clock } = context;
  return {
    drains: true,
    load: async (weights, signal) => {
      const name = nameOf(weights.version);
      const variables = {
        [RESTART_VARIABLES.path]: weights.path,
        [RESTART_VARIABLES.version]: String(weights.version),
        [RESTART_VARIABLES.model]: name,
      };
      const stopped = new AbortController();
      const both = AbortSignal.any([signal, stopped.signal]);
      try {
        const work = run(restart, variables, both);
        const what = `The restart command '${restart.command}'`;
        await withDeadline(work, { ...{ what, ms: RESTART_TIMEOUT_MS }, clock, signal });
      } catch (error) {
        signal.throwIfAborted();
        stopped.abort(error);
        throw new EndpointError('server-error', client.name, commandFailure(restart, error));
      }
      const model = await untilReported(context, weights, name, signal);
      await probeCompletion(context, model, signal);
      const confirm = confirmation(
        async later => (await modelWith(context, weights, name, later)) === model,
        clock,
      );
      return { model, version: weights.version, isAdapter: false, confirm };
    },
  };
}

const commandFailure = ({ command }: RestartCommand, error: unknown): string =>
  error instanceof DeadlineExceeded
    ? `${error.message} It must end once the server starts; let it start the server in the background.`
    : `The restart command '${command}' failed: ${sentenceOf(error)} Run it by hand to find the cause.`;

/** Waits until the server reports the new weights; resolves with the name of its model in requests. */
async function untilReported(
  context: WayContext,
  weights: PublishedVersion,
  name: string,
  signal: AbortSignal,
): Promise<string> {
  const { client, clock } = context;
  const startedAt = clock.now();
  let otherSince: number | undefined;
  let last = '';
  for (;;) {
    try {
      const model = await modelWith(context, weights, name, signal);
      if (model !== undefined) return model;
      otherSince ??= clock.now();
      last = `It answers, but its version is not ${weights.version}, the path of its model not '${weights.path}', and no name of it '${name}'.`;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof EndpointError)) throw error;
      otherSince = undefined;
      last = error.failure.message;
    }
    const now = clock.now();
    if (now - startedAt >= RESTART_TIMEOUT_MS || now - (otherSince ?? now) >= OTHER_TIMEOUT_MS)
      throw new EndpointError(
        'timeout',
        client.name,
        `${(now - startedAt) / 1000} s after its restart, the server does not report version ${weights.version}. ${last} Correct the restart command.`,
      );
    await clock.sleep(HEALTH_INTERVAL_MS, signal);
  }
}

/** The name in requests, if the server reports these weights: by their version, by their path, or by the name that was given to the command. */
async function modelWith(
  context: WayContext,
  { version, path }: PublishedVersion,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { client, model } = context;
  const models = readModelList(await client.get('/models', signal));
  const byName = findModel(models, name);
  if (byName !== undefined) return name;
  const own = findModel(models, model);
  if (own === undefined) return undefined;
  if (own.root === path || own.id === path) return model;
  if ((await llamaPath(client, signal)) === path) return model;
  return (await reportedWeightVersion(context, signal)) === String(version) ? model : undefined;
}

const props = z.object({ model_path: z.string() });

/** llama.cpp. Other servers do not have the route. */
async function llamaPath(client: WayContext['client'], signal: AbortSignal): Promise<string | undefined> {
  try {
    return safeParse(props, await client.getFromRoot('/props', signal)).data?.model_path;
  } catch (error) {
    if (error instanceof EndpointError && error.reason === 'no-such-model') return undefined;
    throw error;
  }
}
