// `dartboard endpoint check`: checks the server of a model agent, and prints what to do where it falls short.

import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { PROFILE_IDS } from '../agents/model/profile.ts';
import { resolve } from '../config/config.ts';
import { CONFIG_FILE, readConfig } from '../config/config-file.ts';
import { MODES } from '../core/policy.ts';
import { checkEndpoint } from '../endpoint-check/check.ts';
import { onlyModel } from '../endpoint-check/only-model.ts';
import type { EndpointReport } from '../endpoint-check/report.ts';
import { EndpointClient } from '../endpoints/client.ts';
import { httpTransport } from '../endpoints/http-transport.ts';
import { resolveKey } from '../endpoints/keys.ts';
import { TIMEOUT_SECONDS } from '../run/model-agent.ts';
import type { CliContext } from './context.ts';
import { agentAtUrl, agentToCheck, type CheckOptions, type NamedAgent } from './endpoint/checked-agent.ts';
import { reportLines } from './endpoint/report-lines.ts';
import { jsonOption } from './options.ts';
import { plain } from './terminal/line.ts';
import { LiveDisplay } from './terminal/live.ts';
import { hasColour, hasDisplay, printLines, widthOfOutput } from './terminal/output.ts';

interface EndpointCheckOptions extends CheckOptions {
  readonly json?: boolean;
}

export function addEndpointCommand(program: Command, context: CliContext): void {
  const endpoint = program.command('endpoint').description('Work with the servers of model agents.');
  endpoint
    .command('check')
    .description('Check what a server accepts and reports, and whether clicks land where the model aims.')
    .argument('[url]', 'base URL of an OpenAI-compatible server (default: the agent of dartboard.json)')
    .option('--agent <name>', 'agent of dartboard.json')
    .option('--model <name>', 'name of the model (default: the only one of the server)')
    .addOption(
      new Option('--profile <name>', 'family of the model (default: by the name of the model)').choices(
        PROFILE_IDS,
      ),
    )
    .addOption(
      new Option('--mode <name>', 'what the agent observes (default: by the profile)').choices(MODES),
    )
    .option('--key-env <variable>', 'environment variable that holds the API key')
    .addOption(jsonOption())
    .action(async (url: string | undefined, options: EndpointCheckOptions) => {
      process.exitCode = await check(context, url, options);
    });
}

/** Returns the exit code: 1 if a server is not usable for evaluation. */
async function check(
  context: CliContext,
  url: string | undefined,
  options: EndpointCheckOptions,
): Promise<0 | 1> {
  const { output, environment, clock } = context;
  const signal = context.stopSignal();
  const progress = progressLine(context, options.json === true);
  try {
    const { name, settings } = await chosen(context, url, options, signal);
    const reports = await checkEndpoint(name, settings, {
      environment,
      clock,
      signal,
      progress: progress.show,
    });
    progress.end();
    const isUsable = reports.every(({ uses }) => uses.evaluation.allowed);
    if (options.json) output.write(`${JSON.stringify({ ok: isUsable, reports })}\n`);
    else print(context, reports);
    return isUsable ? 0 : 1;
  } catch (error) {
    if (!signal.aborted) throw error;
    context.printError('Stopped before the check was complete.');
    return 1;
  } finally {
    progress.end();
  }
}

async function chosen(
  { folder, environment, clock }: CliContext,
  url: string | undefined,
  options: CheckOptions,
  signal: AbortSignal,
): Promise<NamedAgent> {
  if (url === undefined)
    return agentToCheck(resolve(await readConfig(join(folder, CONFIG_FILE))).config.agents, options);
  if (options.agent !== undefined)
    throw new RangeError(`Both the URL and --agent '${options.agent}' name a server. Give one of them.`);
  if (options.model !== undefined) return agentAtUrl(url, options.model, options);
  // Checks the URL before it is requested.
  const { name, settings } = agentAtUrl(url, UNKNOWN_MODEL, options);
  const transport = httpTransport();
  try {
    const key =
      settings.key?.env === undefined ? undefined : resolveKey(name, { env: settings.key.env }, environment);
    const client = new EndpointClient({
      ...{ name, url, transport, clock, timeoutMs: 1000 * TIMEOUT_SECONDS },
      ...(key !== undefined && { key }),
    });
    return agentAtUrl(url, await onlyModel(client, url, clock, signal), options);
  } finally {
    transport.close();
  }
}

const UNKNOWN_MODEL = 'unknown';

function print(context: CliContext, reports: readonly EndpointReport[]): void {
  const width = widthOfOutput(context.output);
  printLines(
    context,
    reports.flatMap(report => reportLines(report, width)),
  );
}

/** One line that is gone when the report is printed. */
function progressLine({ output, environment }: CliContext, isJson: boolean) {
  if (isJson || !hasDisplay(output, environment)) return { show: () => undefined, end: () => undefined };
  const live = new LiveDisplay(output, hasColour(output, environment));
  return {
    show: (text: string) => live.show([[plain(`  ${text.charAt(0).toUpperCase()}${text.slice(1)} …`)]]),
    end: () => {
      live.show([]);
      live.end();
    },
  };
}
