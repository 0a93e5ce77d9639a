// `dartboard model`: makes weights (model-clone.ts), and offers saved weights to other programs. The built-in policy speaks the OpenAI chat protocol, so that other
// harnesses can run it; the micro model also speaks the Tinker protocol, so that other trainers can train it.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isMicroFile } from '../agents/micro/weights-file.ts';
import { identityOf, thisProcess } from '../core/process-identity.ts';
import { untilAborted } from '../core/run-together.ts';
import { newToken } from '../core/token.ts';
import { type OwnedMicroServer, startMicroServer } from '../model-server/micro/server.ts';
import { COORDINATES, type Coordinates } from '../model-server/observe-conversation.ts';
import { type PolicyServer, startPolicyServer } from '../model-server/policy-server.ts';
import { findWeights } from '../run/folders/run-folder.ts';
import { publishDaemon } from '../server/daemon-file.ts';
import type { CliContext } from './context.ts';
import { addCloneCommand } from './model-clone.ts';
import { WEIGHTS_HELP, wholeNumber } from './options.ts';

/** The file with the address and the API key, for output that is no terminal. Only its owner can read it. */
const MODEL_FILE = '.dartboard/model.json';
/** The layout of the file. */
const MODEL_FILE_VERSION = 1;
/** The weights that clients of the Tinker protocol save. */
const TINKER_FOLDER = '.dartboard/tinker';
/** An API key of the user's choice. It is no option, since other users of a machine can list the options of a process. */
const KEY_VARIABLE = 'DARTBOARD_MODEL_KEY';
const MIN_KEY_LENGTH = 16;
const DEFAULT_COORDINATES: Coordinates = 'ui-tars-1.5';
/** Clients of the Tinker protocol reject other keys. */
const KEY_PREFIX = 'tml-';

interface ModelServeOptions {
  readonly weights?: string;
  readonly name?: string;
  readonly port: number;
  readonly coordinates?: Coordinates;
}

export function addModelCommand(program: Command, context: CliContext): void {
  const model = program
    .command('model')
    .description('Offer a policy to other programs, or make a small model to try.');
  model
    .command('serve')
    .description(
      'Serve saved weights under the OpenAI chat protocol, with replies in the grammar of UI-TARS. Weights of the micro model are also served under the Tinker protocol, for training.',
    )
    .option('--weights <file>', WEIGHTS_HELP)
    .option(
      '--name <name>',
      'name of the newest version in requests (default: compact, or micro for the micro model)',
      modelName,
    )
    .addOption(
      new Option('--port <number>', 'port of the endpoint on 127.0.0.1')
        .argParser(wholeNumber(0, 65_535))
        .default(0, 'any free port'),
    )
    .addOption(
      new Option(
        '--coordinates <release>',
        `release of UI-TARS whose coordinates the built-in policy uses (default: ${DEFAULT_COORDINATES})`,
      ).choices(Object.keys(COORDINATES)),
    )
    .addHelpText(
      'after',
      `
The API key is generated, or taken from the environment variable ${KEY_VARIABLE} (${MIN_KEY_LENGTH} characters or more). Clients of the Tinker protocol need a key that begins with '${KEY_PREFIX}'.

Weights that clients of the Tinker protocol save are written to ${TINKER_FOLDER}.`,
    )
    .action((options: ModelServeOptions) => serveModel(context, options));
  addCloneCommand(model, context);
}

function modelName(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError('Give 1 to 64 of the characters A-Z a-z 0-9 . _ -');
}

async function serveModel(context: CliContext, options: ModelServeOptions): Promise<void> {
  const { clock, environment, output, stopSignal, folder } = context;
  const key = keyOf(environment[KEY_VARIABLE]);
  const file = await findWeights(options.weights, context.root);
  const served = await startServer(context, options, file, key);
  const { server } = served;
  try {
    const about = {
      ...{ ...identityOf(thisProcess()), port: server.port, token: key, url: server.url },
      ...(served.kind === 'micro' && { tinkerUrl: served.server.tinkerUrl }),
    };
    const unpublish = output.isTTY
      ? undefined
      : await publishDaemon(join(folder, MODEL_FILE), {
          ...about,
          version: MODEL_FILE_VERSION,
          startedAt: clock.now(),
        });
    const stop = stopSignal();
    output.write(announcement(served, file, output.isTTY === true ? key : `'token' in ${MODEL_FILE}`));
    const ends = served.kind === 'micro' ? [served.server.ended] : [];
    const ended = await Promise.race([untilAborted(stop), ...ends]);
    await unpublish?.();
    if (typeof ended === 'string')
      throw new Error(`The server of ${file} stops: ${ended} Start 'dartboard model serve' again.`);
  } finally {
    await server.close();
  }
}

type Served =
  | { readonly kind: 'policy'; readonly server: PolicyServer }
  | { readonly kind: 'micro'; readonly server: OwnedMicroServer; readonly name: string };

async function startServer(
  { clock, entries, folder, printError: notice }: CliContext,
  { name, port, coordinates }: ModelServeOptions,
  file: string,
  key: string,
): Promise<Served> {
  const shared = { file, port, key, clock, notice };
  if (isMicroFile(await readFile(file))) {
    if (coordinates !== undefined)
      throw new RangeError(
        `--coordinates ${coordinates}: ${file} has weights of the micro model, whose coordinates are fixed. Leave the option out, or name weights of the built-in policy.`,
      );
    const own = { name: name ?? 'micro', folder: join(folder, TINKER_FOLDER), engineEntry: entries.engine };
    return { kind: 'micro', server: await startMicroServer({ ...shared, ...own }), name: own.name };
  }
  const own = {
    ...{ name: name ?? 'compact', coordinates: coordinates ?? DEFAULT_COORDINATES },
    workerEntry: entries.worker,
  };
  return { kind: 'policy', server: await startPolicyServer({ ...shared, ...own }) };
}

function keyOf(chosen: string | undefined): string {
  if (chosen === undefined || chosen === '') return KEY_PREFIX + newToken();
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
function announcement(served: Served, file: string, key: string): string {
  const { url } = served.server;
  if (served.kind === 'policy') {
    const { models, mode } = served.server;
    return `
  Dartboard serves ${file} under the OpenAI chat protocol.

  base URL   ${url}
  API key    ${key}
  models     ${models.map(({ id }) => id).join(', ')}
  input      ${INPUTS[mode]} (mode ${mode})

  Ctrl-C stops.

`;
  }
  return `
  Dartboard serves ${file} under the OpenAI chat protocol and the Tinker protocol.

  base URL   ${url} (chat)
             ${served.server.tinkerUrl} (Tinker; its clients add /api/v1)
  API key    ${key}
  models     ${served.name}
  saved in   ${TINKER_FOLDER}

  Ctrl-C stops.

`;
}
