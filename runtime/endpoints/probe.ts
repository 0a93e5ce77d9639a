// Finds by requests what a server accepts and reports. It sends short chats and GET requests only, so the state of the server does not
// change. A server that accepts everything gets one chat; otherwise the features are added one at a time to the plainest chat that it
// accepts. The first plain chats try an image too, because some servers require one.

import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { ChatMessage, Sampling } from '../core/chat.ts';
import type { Clock } from '../core/clock.ts';
import { pngOf, pngRows } from '../core/png.ts';
import type { EndpointCapabilities } from './capabilities.ts';
import type { EndpointClient } from './client.ts';
import { dataUrlOf } from './data-url.ts';
import { EndpointError, isRefusal } from './failure.ts';
import { aliasesOf, findModel, type ListedModel, readModelList } from './model-list.ts';
import { repeated } from './repeated-request.ts';
import { type ReplyContent, readReply } from './reply.ts';
import { identifyServer, type ServerIdentity } from './server-identity.ts';
import { chatBody, type WireDialect } from './wire-request.ts';

export interface ProbeOptions {
  readonly client: Pick<EndpointClient, 'name' | 'chat' | 'get' | 'getFromRoot'>;
  readonly model: string;
  /** Whether the agent sends images. */
  readonly images: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Rejects with an EndpointError if the server accepts no chat, and with the reason of the signal. */
export async function probeEndpoint(options: ProbeOptions): Promise<EndpointCapabilities> {
  const { client, model, signal } = options;
  const models = await listModels(options);
  const aliases = aliasesOf(models, model);
  const { variant, reply } = await findVariant({ ...options, models, aliases });
  const server = await identifyServer(client, models, signal);
  const { image, topCount, ...dialect } = variant;
  return {
    ...{ ...dialect, model, aliases, server },
    models: models.map(({ id }) => id),
    ...(reply.model !== undefined && { answeredBy: reply.model }),
    keepsLimit: keepsLimit(reply),
    ...(options.images && { images: image }),
    ...reportedTop(reply, topCount),
    tokenIds: reply.tokens.length > 0 && reply.tokens.every(({ id }) => id !== undefined),
    promptIds: reply.prompt !== undefined && reply.prompt.length > 0,
    ...versionOf(reply, server, model),
    defects: reply.defects,
  };
}

/** A server without a list is no failure, nor is a key that may not read it: the first chat decides. */
async function listModels({ client, clock, signal }: ProbeOptions): Promise<readonly ListedModel[]> {
  try {
    return readModelList(await repeated(() => client.get('/models', signal), clock, signal));
  } catch (error) {
    if (
      error instanceof EndpointError &&
      (isRefusal(error.reason) || error.reason === 'bad-reply' || isForbidden(error))
    )
      return [];
    throw error;
  }
}

const isForbidden = ({ reported }: EndpointError): boolean => reported?.startsWith('status 403') === true;

interface ListedProbe extends ProbeOptions {
  readonly models: readonly ListedModel[];
  readonly aliases: readonly string[];
}

/** One way to write a request. */
interface RequestVariant extends WireDialect {
  readonly image: boolean;
}

interface AcceptedVariant {
  readonly variant: RequestVariant;
  readonly reply: ReplyContent;
}

const PLAIN = { extras: false, allTokens: -1 } as const;

/** Best first. */
const LIMITS: readonly Pick<WireDialect, 'limitField' | 'sampling'>[] = [
  { limitField: 'max_tokens', sampling: true },
  { limitField: 'max_completion_tokens', sampling: true },
  { limitField: 'max_completion_tokens', sampling: false },
  { limitField: 'max_tokens', sampling: false },
];
const FEATURES: readonly (readonly Partial<RequestVariant>[])[] = [
  [
    { extras: true, allTokens: -1 },
    // llama-cpp-python rejects negative numbers.
    { extras: true, allTokens: 0 },
  ],
  // The usual maximum, that of some hosted services, and the sampled token alone.
  [{ topCount: 20 }, { topCount: 5 }, { topCount: 0 }],
];
const BEST = { limitField: 'max_tokens', sampling: true, extras: true, allTokens: -1, topCount: 20 } as const;

async function findVariant(options: ListedProbe): Promise<AcceptedVariant> {
  const all = { ...BEST, image: options.images };
  const best = await attempt(options, all);
  if (!(best instanceof EndpointError) && keepsLimit(best)) return { variant: all, reply: best };
  let { variant, reply } = await findPlain(options);
  for (const feature of FEATURES)
    for (const alternative of feature) {
      const candidate = { ...variant, ...alternative };
      const result = await attempt(options, candidate);
      if (result instanceof EndpointError) continue;
      [variant, reply] = [candidate, result];
      break;
    }
  return { variant, reply };
}

/** The plainest chat that the server accepts. */
async function findPlain(options: ListedProbe): Promise<AcceptedVariant> {
  let first: EndpointError | undefined;
  let ignored: AcceptedVariant | undefined;
  for (const limit of LIMITS)
    for (const image of options.images ? [true, false] : [false]) {
      const variant = { ...PLAIN, ...limit, image };
      const result = await attempt(options, variant);
      if (result instanceof EndpointError) {
        // The error of a request without images is closer to the cause.
        if (!image) first ??= result;
      } else if (keepsLimit(result)) return { variant, reply: result };
      else ignored ??= { variant, reply: result };
    }
  if (ignored !== undefined) return ignored;
  throw refused(options, first);
}

function refused({ client, model, models }: ListedProbe, error: EndpointError | undefined): EndpointError {
  const about = error?.failure.message ?? 'No request was sent.';
  if (models.length === 0 || findModel(models, model) !== undefined)
    return error ?? new EndpointError('bad-request', client.name, about);
  const names = models.slice(0, MAX_NAMES).map(({ id }) => `'${id}'`);
  const more = models.length > MAX_NAMES ? ` and ${models.length - MAX_NAMES} more` : '';
  return new EndpointError(
    'no-such-model',
    client.name,
    `The server does not list the model '${model}', and rejects requests for it. It lists ${names.join(', ')}${more}. Correct 'model'.`,
  );
}

const MAX_NAMES = 10;

/** Long enough that an honoured limit shows, and short enough to be cheap. */
const MAX_TOKENS = 24;
const SAMPLING: Sampling = { temperature: 1, topP: 1, topK: -1, maxTokens: MAX_TOKENS, seed: 1 };
const QUESTION = 'Write the numbers from 1 to 200, separated by spaces.';

/** The reply, or the error of a server that rejects the request. Other errors are thrown. */
async function attempt(
  { client, model, aliases, clock, signal }: ListedProbe,
  variant: RequestVariant,
): Promise<ReplyContent | EndpointError> {
  const body = chatBody(
    { messages: question(variant.image), sampling: SAMPLING },
    model,
    variant,
    () => IMAGE_URL,
  );
  try {
    const reply = await repeated(() => client.chat(body, signal), clock, signal);
    return readReply(reply, { model, aliases, topCount: variant.topCount ?? 0 });
  } catch (error) {
    if (error instanceof EndpointError && isRefusal(error.reason)) return error;
    throw error;
  }
}

const SIDE = 112;
const IMAGE = pngOf(
  { width: SIDE, height: SIDE },
  deflateSync(
    pngRows({ width: SIDE, height: SIDE, layout: 'rgb', data: new Uint8Array(3 * SIDE * SIDE).fill(255) }),
  ),
);
const IMAGE_URL = dataUrlOf(IMAGE);
const SHA256 = createHash('sha256').update(IMAGE).digest('hex');

const question = (image: boolean): readonly ChatMessage[] => [
  {
    role: 'user',
    parts: [
      ...(image ? [{ type: 'image', sha256: SHA256, width: SIDE, height: SIDE } as const] : []),
      { type: 'text', text: QUESTION },
    ],
  },
];

/** Servers count the end token, or not. */
const keepsLimit = ({ completionTokens, tokens }: ReplyContent): boolean =>
  Math.max(completionTokens ?? 0, tokens.length) <= MAX_TOKENS + 1;

/** Servers that ignore the field report nothing, or the sampled token alone. Wrong values are reports too: they are defects. */
function reportedTop(
  { tokens }: ReplyContent,
  requested: number | undefined,
): { readonly topCount?: number } {
  if (requested === undefined) return {};
  if (tokens.some(({ alternatives = [] }) => alternatives.length > 0)) return { topCount: requested };
  return tokens.some(({ logProbability }) => logProbability !== undefined) ? { topCount: 0 } : {};
}

const VERSIONED = /-v\d+$/;

function versionOf(
  { reportedVersion, model: answered }: ReplyContent,
  { kind, weightVersion }: ServerIdentity,
  model: string,
): Pick<EndpointCapabilities, 'versionIn' | 'weightVersion'> {
  if (reportedVersion !== undefined) return { versionIn: 'reply', weightVersion: reportedVersion };
  if (weightVersion !== undefined) return { versionIn: 'route', weightVersion };
  const name = answered ?? model;
  if (kind === 'dartboard' && VERSIONED.test(name)) return { versionIn: 'model-name', weightVersion: name };
  return { versionIn: 'nowhere' };
}
