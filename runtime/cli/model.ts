// `dartboard model serve`: offers saved weights under the OpenAI chat protocol, so that other harnesses can run the policy.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { identityOf, thisProcess } from '../core/process-identity.ts';
import { COORDINATES, type Coordinates } from '../model-server/observe-conversation.ts';
import { type PolicyServer, startPolicyServer } from '../model-server/policy-server.ts';
import { findWeights } from '../run/run-folder.ts';
import { publishDaemon } from '../server/daemon-file.ts';
import type { CliContext } from './context.ts';
import { wholeNumber } from './options.ts';

/** The file with the address and the API key, for output that is no terminal. Only its owner can read it. */
const MODEL_FILE = '.dartboard/model.json';
/** The layout of the file. */
const MODEL_FILE_VERSION = 1;
/** An API key of the user's choice. It is no option, since other users of a machine can list the options of a process. */
const KEY_VARIABLE = 'DARTBOARD_MODEL_KEY';
const MIN_KEY_LENGTH = 16;

interface ModelServeOptions {
  readonly weights?: string;
  readonly name: string;
  readonly port: number;
  readonly coordinates: Coordinates;
}

export function addModelCommand(program: Command, context: CliContext): void {
  const model = program.command('model').description('Offer a policy to other programs.');
  model
    .command('serve')
    .description(
      'Serve saved weights under the OpenAI chat protocol, with replies in the grammar of UI-TARS.',
    )
    .option('--weights <file>', '.safetensors file, run folder or run name (default: the latest run)')
    .option('--name <name>', 'name of the newest version in requests', modelName, 'compact')
    .addOption(
      new Option('--port <number>', 'port of the endpoint on 127.0.0.1')
        .argParser(wholeNumber(0, 65_535))
        .default(0, 'any free port'),
    )
    .addOption(
      new Option('--coordinates <release>', 'release of UI-TARS whose coordinates the replies use')
        .choices(Object.keys(COORDINATES))
        .default('ui-tars-1.5'),
    )
    .addHelpText(
      'after',
      `\nThe API key is generated, or taken from the environment variable ${KEY_VARIABLE} (${MIN_KEY_LENGTH} characters or more).`,
    )
    .action((options: ModelServeOptions) => serveModel(context, options));
}

function modelName(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError('Give 1 to 64 of the characters A-Z a-z 0-9 . _ -');
}

async function serveModel(context: CliContext, options: ModelServeOptions): Promise<void> {
  const { clock, environment, output, printError, stopSignal, entries, folder } = context;
  const { name, port, coordinates } = options;
  const key = keyOf(environment[KEY_VARIABLE]);
  const file = await findWeights(options.weights, context.root);
  const server = await startPolicyServer({
    ...{ file, name, port, key, coordinates, clock },
    workerEntry: entries.worker,
    notice: printError,
  });
  try {
    const about = { ...identityOf(thisProcess()), port: server.port, token: key, url: server.url };
    const unpublish = output.isTTY
      ? undefined
      : await publishDaemon(join(folder, MODEL_FILE), {
          ...about,
          version: MODEL_FILE_VERSION,
          startedAt: clock.now(),
        });
    const stop = stopSignal();
    output.write(announcement(server, file, output.isTTY === true ? key : `'token' in ${MODEL_FILE}`));
    if (!stop.aborted)
      await new Promise<void>(resolve => stop.addEventListener('abort', () => resolve(), { once: true }));
    await unpublish?.();
  } finally {
    await server.close();
  }
}

function keyOf(chosen: string | undefined): string {
  if (chosen === undefined || chosen === '') return randomBytes(24).toString('base64url');
  if (chosen.length >= MIN_KEY_LENGTH && /^[\x21-\x7e]+$/.test(chosen)) return chosen;
  throw new RangeError(
    `${KEY_VARIABLE} has ${chosen.length} characters. Set ${MIN_KEY_LENGTH} or more printable characters without blanks, or unset it.`,
  );
}

const INPUTS: Readonly<Record<PolicyServer['mode'], string>> = {
  screenshot: 'one PNG image per turn',
  a11y_tree: "one text part '## Screen' per turn",
  screenshot_a11y_tree: "one PNG image and one text part '## Screen' per turn",
};

/** Only a terminal shows the key: output of other kinds ends up in logs. */
const announcement = ({ url, models, mode }: PolicyServer, file: string, key: string): string => `
  Dartboard serves ${file} under the OpenAI chat protocol.

  base URL   ${url}
  API key    ${key}
  models     ${models.map(({ id }) => id).join(', ')}
  input      ${INPUTS[mode]} (mode ${mode})

  Ctrl-C stops.

`;
