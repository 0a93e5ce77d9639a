// An account of the broker for each joined host. All that it contains are the subjects that the host may use of the account of the daemon. So the
// host can choose any address for a reply: the server delivers it within the host's own account.

import type { NatsConnection } from '@nats-io/transport-node';
import * as z from 'zod';
import { sentenceOf } from '../core/errors.ts';
import { runId } from '../core/ids.ts';
import { parsedJson } from '../core/json.ts';
import { retry } from '../core/retry.ts';
import { safeParse } from '../core/safe-parse.ts';
import { connectTo } from '../fabric/nats/connection.ts';
import { type HostAccountKeys, systemAccess } from '../fabric/nats/credentials.ts';
import { BrokerNames, FOLLOWED_LOGS } from '../fabric/nats/names.ts';
import { hostPermissions } from '../fabric/nats/permissions.ts';
import type { BrokerLogins, BrokerLoginsOptions } from './broker-logins.ts';
import { type BrokerLogin, UNAVAILABLE } from './messages.ts';
import {
  createGuestAccount,
  type NatsAccount,
  nameIn,
  removalToken,
  userCredentials,
} from './nats-tokens.ts';
import { Refusal } from './refusal.ts';

export interface HostAccountsOptions extends Omit<BrokerLoginsOptions, 'credentials'> {
  readonly keys: HostAccountKeys;
  /** Of the certificate of the servers, as PEM. */
  readonly ca: string | undefined;
}

/** A running connection ends with its login, and is made again with a newer one. */
export const LOGIN_VALID_MS = 3_600_000;
/** A message of 64 KB with its headers. */
const MAX_PAYLOAD = 72 * 1024;
const INBOXES = '_INBOX.>';
const REQUEST_TIMEOUT_MS = 5000;

const UPDATE = '$SYS.REQ.CLAIMS.UPDATE';
const REMOVE = '$SYS.REQ.CLAIMS.DELETE';
const LIST = '$SYS.REQ.CLAIMS.LIST';
const tokenRequest = (account: string): string => `$SYS.REQ.ACCOUNT.${account}.CLAIMS.LOOKUP`;

const listReply = z.object({ data: z.array(z.string()) });
const changeReply = z.object({ error: z.object({ description: z.string().default('') }).optional() });

export class HostAccounts implements BrokerLogins {
  readonly #options: HostAccountsOptions;
  readonly #system: NatsConnection;
  readonly #accounts = new Map<string, NatsAccount>();
  readonly #closing = new AbortController();

  private constructor(options: HostAccountsOptions, system: NatsConnection) {
    this.#options = options;
    this.#system = system;
  }

  static async open(options: HostAccountsOptions): Promise<HostAccounts> {
    const { servers, keys, ca } = options;
    const system = await connectTo(systemAccess(servers, keys, ca), 'dartboard accounts');
    const accounts = new HostAccounts(options, system);
    try {
      await accounts.#removeOld();
      return accounts;
    } catch (error) {
      await system.close();
      throw error;
    }
  }

  async join(host: string): Promise<BrokerLogin> {
    const { keys, clock } = this.#options;
    const account = createGuestAccount(keys.operatorSeed, {
      ...{ name: nameOf(this.#options, host), of: keys.account, permissions: this.#permissions(host) },
      atMs: clock.now(),
    });
    await this.#change(UPDATE, account.token);
    // Of a host that left without a word. Its login would be valid for an hour.
    this.end(host);
    this.#accounts.set(host, account);
    return this.#loginTo(account, host);
  }

  async renew(host: string): Promise<BrokerLogin> {
    const account = this.#accounts.get(host);
    return account === undefined ? await this.join(host) : this.#loginTo(account, host);
  }

  end(host: string): void {
    const account = this.#accounts.get(host);
    this.#accounts.delete(host);
    if (account === undefined) return;
    const removed = retry(() => this.#remove([account.key]), {
      ...{ clock: this.#options.clock, signal: this.#closing.signal, failed: () => undefined },
    });
    // The next start of a run removes it.
    removed.catch(() => undefined);
  }

  /** The other accounts stay until the next start of a run: their hosts learn from the broker that its streams are gone. */
  close(): Promise<void> {
    this.#closing.abort();
    return this.#system.close();
  }

  #loginTo({ seed }: NatsAccount, host: string): BrokerLogin {
    const { servers, ca, clock } = this.#options;
    const { publish, subscribe } = this.#permissions(host);
    const creds = userCredentials(seed, {
      ...{ name: host, permissions: { publish, subscribe: [...subscribe, INBOXES] } },
      ...{ maxPayload: MAX_PAYLOAD, atMs: clock.now(), validMs: LOGIN_VALID_MS },
    });
    return { servers: [...servers], creds, ...(ca !== undefined && { ca }) };
  }

  #permissions(host: string) {
    return hostPermissions(this.#options, host);
  }

  /** Accounts of earlier starts and of ended runs. Servers that refuse even an empty list would refuse accounts later. */
  async #removeOld(): Promise<void> {
    const { data } = parsed(listReply, await this.#request(LIST, ''));
    const found: { readonly key: string; readonly stream: string }[] = [];
    for (const key of data) {
      // Another daemon may remove it meanwhile; then no server answers.
      const token = await this.#request(tokenRequest(key), '').catch(() => '');
      const stream = this.#streamOf(nameIn(token) ?? '');
      if (stream !== undefined) found.push({ key, stream });
    }
    // Read later than the accounts: a daemon creates its streams before it adds an account.
    const live = await this.#options.streams();
    await this.#remove(found.filter(({ stream }) => !live.includes(stream)).map(({ key }) => key));
  }

  /** Of the run of an account. Undefined for accounts of others. */
  #streamOf(name: string): string | undefined {
    const [, account, run, epoch] = NAME.exec(name) ?? [];
    if (account !== this.#options.keys.account || run === undefined || epoch === undefined) return undefined;
    return new BrokerNames({ run: runId(run), epoch }).stream(FOLLOWED_LOGS[0]);
  }

  async #remove(accounts: readonly string[]): Promise<void> {
    const { keys, clock } = this.#options;
    await this.#change(REMOVE, removalToken(keys.operatorSeed, accounts, clock.now()));
  }

  async #change(subject: string, token: string): Promise<void> {
    const { error } = parsed(changeReply, await this.#request(subject, token));
    if (error !== undefined)
      throw new Error(
        `The servers of NATS refuse to manage accounts of hosts: ${error.description}. ${REMEDY}`,
      );
  }

  async #request(subject: string, body: string): Promise<string> {
    try {
      const reply = await this.#system.request(subject, body, { timeout: REQUEST_TIMEOUT_MS });
      return reply.string();
    } catch (error) {
      throw new Refusal(
        UNAVAILABLE,
        `The servers of NATS do not answer a request for accounts of hosts: ${sentenceOf(error)} ${REMEDY}`,
        { cause: error },
      );
    }
  }
}

const REMEDY =
  "Check 'host' in the file of fabric.credentials, and that the servers have a resolver of the type 'full' with 'allow_delete'.";

/** Neither a run nor a host has a space in its name. */
const nameOf = ({ run, epoch, keys }: HostAccountsOptions, host: string): string =>
  `dartboard-host ${keys.account} ${run} ${epoch} ${host}`;
const NAME = /^dartboard-host (\S+) (\w[\w.-]*) ([0-9a-f]{8}) \S+$/;

function parsed<T>(schema: z.ZodType<T>, text: string): T {
  const result = safeParse(schema, parsedJson(text));
  if (result.success) return result.data;
  throw new Error(
    `A server of NATS answers ${JSON.stringify(text.slice(0, 200))} to a request for accounts. Use nats-server 2.9.4 or newer.`,
  );
}
