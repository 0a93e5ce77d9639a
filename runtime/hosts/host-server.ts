// The daemon's server for hosts: admits them to one epoch of a run, renews their credentials, and serves the run's blobs. It is separate from
// the server for pages, because other machines reach it. Every request needs a token; no page of a browser may send one.

import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type BlobHash,
  type BlobLinks,
  type Blobs,
  blobHash,
  isBlobHash,
  MAX_BLOB_BYTES,
} from '../blobs/blobs.ts';
import type { Clock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import { FailedTokens, tooManyFailed } from '../core/failed-tokens.ts';
import { parsedJson } from '../core/json.ts';
import { safeParse } from '../core/safe-parse.ts';
import { bearerToken, isToken, newToken } from '../core/token.ts';
import type { NatsCredentials } from '../fabric/nats/credentials.ts';
import type { EpochOfRun } from '../fabric/nats/names.ts';
import { fingerprintOf } from './authority.ts';
import type { BrokerLogins } from './broker-logins.ts';
import { answered, type HostPost, linked } from './host-answers.ts';
import { type ListeningServer, listenForHosts } from './host-listener.ts';
import { joinAddressText } from './join-address.ts';
import { Members, type MembersOptions } from './members.ts';
import {
  BLOBS_PATH,
  type HostOffers,
  JOIN_PATH,
  type JoinReply,
  joinRequest,
  LEAVE_PATH,
  LINKS_PATH,
  MAX_HOST_DESKTOPS,
  MAX_HOST_WORKERS,
  MAX_MESSAGE_BYTES,
  NO_ANSWER_YET,
  REFUSED,
  RENEW_PATH,
  type RenewReply,
} from './messages.ts';
import { OpenPosts } from './open-posts.ts';
import { allow, noBlob, Refusal, UNKNOWN_HOST, WRONG_JOIN_TOKEN } from './refusal.ts';
import { respond, sendBytes } from './responses.ts';
import { SecretFolder } from './secret-folder.ts';

export interface JoiningHost {
  /** Its name in the run. */
  readonly host: string;
  /** Its version of Dartboard. */
  readonly program: string;
  readonly offers: HostOffers;
}

export interface HostServerOptions extends EpochOfRun, MembersOptions {
  /** Has the certificate. Absent without one. */
  readonly credentials?: Pick<NatsCredentials, 'tls' | 'ca'>;
  readonly logins: BrokerLogins;
  /** `HOST:PORT`. Other addresses than those of this machine alone need a certificate in the credentials. */
  readonly listen: string;
  /** Keeps the token to join, so that a restart of the daemon does not change the address. */
  readonly folder: string;
  /** The description of the run that a host needs to play. Throws a RangeError for one that cannot play the run. */
  readonly startFor: (joining: JoiningHost) => unknown;
  readonly blobs: Blobs;
  /** Of a store of the blobs that hosts reach themselves. */
  readonly links?: BlobLinks;
  /** Further requests of hosts, by their path. */
  readonly posts?: ReadonlyMap<string, HostPost>;
  /** Nobody answers for a host any more: it left or was dismissed, or another process joins under its name. */
  readonly gone?: (host: string) => void;
  /** Told that it refuses connections because too many are open. */
  readonly health?: (thing: string, healthy: boolean, message: string) => void;
  readonly clock: Clock;
}

const TOKEN_FILE = 'join-token';
const MAX_HOSTS = 256;
/** Of large bodies that arrive at the same time. */
const MAX_ARRIVING_BYTES = 4 * MAX_BLOB_BYTES;
/** Joins, links and questions have no more. They do not wait for blobs: the number of connections limits them. */
const MAX_SMALL_BODY_BYTES = 64 * 1024;

export class HostServer {
  readonly #options: HostServerOptions;
  readonly #secrets: SecretFolder;
  readonly #members: Members;
  readonly #failedTokens: FailedTokens;
  readonly #posts = new OpenPosts();
  #token: string;
  #arrivingBytes = 0;
  #listener: ListeningServer | undefined;

  private constructor(options: HostServerOptions, secrets: SecretFolder, token: string) {
    this.#options = options;
    this.#secrets = secrets;
    this.#members = new Members(options);
    this.#failedTokens = new FailedTokens(options.clock);
    this.#token = token;
  }

  static async open(options: HostServerOptions): Promise<HostServer> {
    const secrets = await SecretFolder.open(options.folder);
    const kept = (await secrets.read(TOKEN_FILE))?.trim();
    const token = kept || newToken();
    const server = new HostServer(options, secrets, token);
    if (!kept) await server.#keepToken(token);
    await server.#listen();
    return server;
  }

  /** For `dartboard join`; secret. */
  get address(): string {
    const { credentials } = this.#options;
    return joinAddressText({
      ...{ url: this.#listener?.url ?? '', token: this.#token },
      ...(credentials?.tls !== undefined &&
        credentials.ca !== undefined && { authority: fingerprintOf(credentials.ca) }),
    });
  }

  /** The old address admits nobody any more. Hosts that have joined stay. */
  async renew(): Promise<string> {
    const token = newToken();
    // It is written before it is used: after a failed write, a restart would accept the old token again.
    await this.#keepToken(token);
    this.#token = token;
    return this.address;
  }

  /** Names of those that have joined and are not silent. */
  get hosts(): readonly string[] {
    return this.#members.hosts;
  }

  /** That a host offered; 0 if it has left. */
  desktopsOf(host: string): number {
    return this.#members.desktopsOf(host);
  }

  /** Its token and its login end now. */
  dismiss(host: string): void {
    this.#members.remove(host);
    this.#options.logins.end(host);
    this.#options.gone?.(host);
  }

  /** Its token and its login end now. Its next request is answered with the reason, and its name is not given again. */
  refuse(host: string, why: string): void {
    this.#members.refuse(host, why);
    this.#options.logins.end(host);
    this.#options.gone?.(host);
  }

  async close(): Promise<void> {
    await this.#listener?.close();
  }

  #keepToken(token: string): Promise<void> {
    return this.#secrets.write(TOKEN_FILE, `${token}\n`);
  }

  async #listen(): Promise<void> {
    const { listen, credentials, health } = this.#options;
    this.#listener = await listenForHosts({
      ...{ listen, credentials },
      full: message => health?.('the server for hosts', false, message),
      answer: (request, response) => void this.#answer(request, response),
    });
  }

  /** Never rejects. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A client that left is no failure of the server.
    response.on('error', () => undefined);
    request.on('error', () => undefined);
    try {
      await this.#route(request, response);
    } catch (error) {
      const { status, message } =
        error instanceof Refusal
          ? error
          : { status: 500, message: `The daemon failed: ${sentenceOf(error)}` };
      respond(response, status, { error: message }, request.complete ? {} : { Connection: 'close' });
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '', headers } = request;
    if (headers.origin !== undefined)
      throw new Refusal(
        403,
        `Pages of a browser are refused, and this request comes from ${JSON.stringify(headers.origin)}. Use 'dartboard join'.`,
      );
    const token = bearerToken(headers.authorization) ?? '';
    if (url === JOIN_PATH) {
      this.#requireFewFailures(request);
      if (!isToken(token, this.#token)) throw this.#failed(request, WRONG_JOIN_TOKEN);
      allow(method, 'POST');
      return respond(response, 200, await this.#join(await this.#bodyOf(request, MAX_MESSAGE_BYTES)));
    }
    const refusal = this.#members.refusal(token);
    if (refusal !== undefined) throw new Refusal(REFUSED, refusal);
    const host = this.#members.find(token);
    if (host === undefined) {
      this.#requireFewFailures(request);
      throw this.#failed(request, UNKNOWN_HOST);
    }
    if (url === RENEW_PATH) {
      allow(method, 'POST');
      return respond(response, 200, { broker: await this.#options.logins.renew(host) } satisfies RenewReply);
    }
    if (url === LEAVE_PATH) {
      allow(method, 'POST');
      this.dismiss(host);
      return respond(response, 200, {});
    }
    const { links } = this.#options;
    if (links !== undefined && url.startsWith(LINKS_PATH)) {
      allow(method, 'POST');
      const hash = hashAt(url, LINKS_PATH);
      return respond(
        response,
        200,
        await linked(links, hash, await this.#bodyOf(request, MAX_MESSAGE_BYTES)),
      );
    }
    const post = this.#options.posts?.get(url);
    if (post !== undefined) {
      allow(method, 'POST');
      return await this.#posts.during(url, { host, desktops: this.desktopsOf(host) }, async () =>
        postedTo(post, host, await this.#bodyOf(request, MAX_BLOB_BYTES), response),
      );
    }
    if (!url.startsWith(BLOBS_PATH))
      throw new Refusal(
        404,
        `Nothing is served at ${JSON.stringify(url)}. Use 'dartboard join' of the same version.`,
      );
    await this.#answerBlob(request, response, hashAt(url, BLOBS_PATH));
  }

  /** After the tokens of joined hosts: a neighbour behind the same address cannot end their membership. */
  #requireFewFailures(request: IncomingMessage): void {
    const address = addressOf(request);
    if (this.#failedTokens.isBlocked(address)) throw new Refusal(429, tooManyFailed(address));
  }

  #failed(request: IncomingMessage, refusal: Refusal): Refusal {
    this.#failedTokens.note(addressOf(request));
    return refusal;
  }

  async #join(body: Buffer): Promise<JoinReply> {
    const parsed = safeParse(joinRequest, parsedJson(body.toString('utf8')));
    if (!parsed.success) {
      const places = [...new Set(parsed.error.issues.map(({ path }) => path.join('.') || 'the whole body'))];
      throw new Refusal(
        400,
        `The request to join is invalid at ${places.join(', ')}. Use the same version of Dartboard on all machines, a name of letters, digits, '-' and '_', at most ${MAX_HOST_DESKTOPS} desktops and ${MAX_HOST_WORKERS} policy workers.`,
      );
    }
    if (this.#members.hosts.length >= MAX_HOSTS)
      throw new Refusal(429, `The run has ${MAX_HOSTS} hosts already. Drain one first.`);
    const { name, program, offers } = parsed.data;
    const { run, epoch, startFor, logins } = this.#options;
    const host = this.#members.nameFor(name);
    let start: unknown;
    try {
      start = startFor({ host, program, offers });
    } catch (error) {
      if (error instanceof RangeError) throw new Refusal(422, error.message);
      throw error;
    }
    const hasStore = this.#options.links !== undefined;
    const token = this.#members.add(host, offers.desktops);
    this.#options.gone?.(host);
    try {
      return { run, epoch, host, start, hasStore, broker: await logins.join(host), token };
    } catch (error) {
      this.#members.remove(host);
      throw error;
    }
  }

  async #answerBlob(request: IncomingMessage, response: ServerResponse, hash: BlobHash): Promise<void> {
    const { method } = request;
    const { blobs } = this.#options;
    if (method === 'GET') {
      const bytes = await blobs.get(hash);
      if (bytes === undefined) throw noBlob(hash);
      return sendBytes(response, bytes);
    }
    allow(method, 'PUT');
    const bytes = await this.#bodyOf(request, MAX_BLOB_BYTES);
    const actual = blobHash(bytes);
    if (actual !== hash)
      throw new Refusal(400, `The body has the hash ${actual} instead of ${hash}. Send it again.`);
    await blobs.put(bytes);
    respond(response, 200, {});
  }

  /** Reads nothing of a body that is too large. */
  async #bodyOf(request: IncomingMessage, limit: number): Promise<Buffer> {
    const { 'content-length': declared } = request.headers;
    if (declared === undefined)
      throw new Refusal(411, "The length of the body is missing. Send the header 'Content-Length'.");
    const length = Number(declared);
    if (length > limit) throw new Refusal(413, `The body has ${length} bytes. Send at most ${limit}.`);
    const counted = length > MAX_SMALL_BODY_BYTES ? length : 0;
    if (this.#arrivingBytes + counted > MAX_ARRIVING_BYTES)
      throw new Refusal(
        429,
        `More than ${MAX_ARRIVING_BYTES} bytes of bodies arrive at the same time. Send it again in a second.`,
      );
    this.#arrivingBytes += counted;
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      return Buffer.concat(chunks);
    } finally {
      this.#arrivingBytes -= counted;
    }
  }
}

function hashAt(url: string, path: string): BlobHash {
  const hash = url.slice(path.length);
  if (isBlobHash(hash)) return hash;
  throw new Refusal(
    400,
    `${JSON.stringify(hash)} is not the hash of a blob. Send 64 hexadecimal digits in lower case.`,
  );
}

const addressOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? 'an unknown address';

async function postedTo(post: HostPost, host: string, body: Buffer, response: ServerResponse): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  const answer = await answered(post(host, body, left.signal));
  if (answer === undefined) respond(response, NO_ANSWER_YET, {});
  else sendBytes(response, answer);
}
