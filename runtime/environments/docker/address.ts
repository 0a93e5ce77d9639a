// The address of an engine: parsed from the configuration, or found in the same places as by Docker's own client. Connects to nothing.

import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix } from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../core/errors.ts';
import { safeParse } from '../../core/safe-parse.ts';

export type EngineAddress =
  | { readonly kind: 'socket'; readonly path: string }
  /** `destination` as ssh takes it: user@host, or a name in its configuration. */
  | { readonly kind: 'ssh'; readonly destination: string; readonly port?: number }
  | {
      readonly kind: 'tcp';
      readonly host: string;
      readonly port: number;
      /** The folder with ca.pem, cert.pem and key.pem; without it the connection is plain. */
      readonly certificates?: string;
    };

/** A host in the configuration. */
export interface HostEntry {
  /** `local`, or the syntax of DOCKER_HOST. */
  readonly address: string;
  /** The maximum number of containers, spares included. */
  readonly capacity: number;
  /** For tcp: the folder with ca.pem, cert.pem and key.pem. */
  readonly certificates?: string;
}

/** The settings of this machine that decide which engine is used. */
export interface HostSettings {
  readonly platform: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly exists: (path: string) => boolean;
  /** True if this user may read and write the socket. */
  readonly mayUse: (path: string) => boolean;
  /** The text of a file; undefined if it cannot be read. */
  readonly read: (path: string) => string | undefined;
}

export const hostSettings = (environment: HostSettings['environment'] = process.env): HostSettings => ({
  platform: process.platform,
  home: homedir(),
  environment,
  exists: existsSync,
  mayUse: path => attempt(() => accessSync(path, constants.R_OK | constants.W_OK) ?? true) === true,
  read: path => attempt(() => readFileSync(path, 'utf8')),
});

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined; // A missing or forbidden file is an expected answer of both callers.
  }
}

const PLAIN_PORT = 2375;
const TLS_PORT = 2376;
const LOCAL_SOCKET = '/var/run/docker.sock';
const FORMATS = 'Write local, unix:///path, npipe:////./pipe/name, ssh://user@host or tcp://host:port.';

export function addressOf({ address, certificates }: HostEntry, settings: HostSettings): EngineAddress {
  if (address !== 'local') return parseAddress(address, certificates);
  if (certificates !== undefined)
    throw new RangeError("'certificates' has no effect for the address 'local'. Remove it, or use tcp://.");
  return defaultAddress(settings);
}

/** The engine of Docker's own client: DOCKER_HOST, else the current context, else the engine of this machine. */
export function defaultAddress(settings: HostSettings): EngineAddress {
  const { platform, home, environment, exists, mayUse } = settings;
  const host = environment['DOCKER_HOST'];
  if (host) {
    const verifies = Boolean(environment['DOCKER_TLS_VERIFY']);
    const folder = environment['DOCKER_CERT_PATH'] || (verifies ? posix.join(home, '.docker') : undefined);
    try {
      return parseAddress(host, host.startsWith('tcp:') ? folder : undefined);
    } catch (error) {
      throw new RangeError(`DOCKER_HOST: ${messageOf(error)}`);
    }
  }
  const context = currentContext(settings);
  if (context !== undefined) {
    const usesTls = context.host.startsWith('tcp:') && exists(context.certificates);
    return parseAddress(context.host, usesTls ? context.certificates : undefined);
  }
  if (platform === 'win32') return { kind: 'socket', path: '//./pipe/docker_engine' };
  const runtime = environment['XDG_RUNTIME_DIR'];
  // The system's engine, a rootless engine, and Docker Desktop.
  const sockets = [
    LOCAL_SOCKET,
    ...(runtime ? [posix.join(runtime, 'docker.sock')] : []),
    posix.join(home, '.docker/run/docker.sock'),
  ];
  // A socket without permission is better than none: the error of the call names the permission.
  return { kind: 'socket', path: sockets.find(mayUse) ?? sockets.find(exists) ?? LOCAL_SOCKET };
}

interface DockerContext {
  /** The syntax of DOCKER_HOST. */
  readonly host: string;
  /** The folder of its certificates; it need not exist. */
  readonly certificates: string;
}

const contextConfig = z.object({ currentContext: z.string().default('') });
const contextMeta = z.object({
  Endpoints: z.object({ docker: z.object({ Host: z.string().default('') }) }),
});

/** The context that `docker context use` chose, unless it is the engine of this machine. */
function currentContext({ environment, home, read }: HostSettings): DockerContext | undefined {
  const folder = environment['DOCKER_CONFIG'] || posix.join(home, '.docker');
  const parse = <T>(path: string, schema: z.ZodType<T>): T | undefined =>
    safeParse(
      schema,
      attempt(() => JSON.parse(read(path) ?? '')),
    ).data;
  const name =
    environment['DOCKER_CONTEXT'] ||
    parse(posix.join(folder, 'config.json'), contextConfig)?.currentContext ||
    'default';
  if (name === 'default') return undefined;
  const id = createHash('sha256').update(name).digest('hex');
  const path = posix.join(folder, 'contexts/meta', id, 'meta.json');
  const host = parse(path, contextMeta)?.Endpoints.docker.Host;
  if (!host)
    throw new RangeError(
      `The Docker context '${name}' names no engine (${path}). Choose another one with 'docker context use', or set DOCKER_HOST.`,
    );
  return { host, certificates: posix.join(folder, 'contexts/tls', id, 'docker') };
}

/** Throws a RangeError that explains what is wrong. */
export function parseAddress(text: string, certificates?: string): EngineAddress {
  const [, scheme, rest = ''] = /^([a-z]+):\/\/(.*)$/.exec(text) ?? [];
  if (certificates !== undefined && scheme !== 'tcp')
    throw new RangeError(`'certificates' has no effect for ${text}. Remove it; only tcp uses it.`);
  switch (scheme) {
    case 'unix':
    case 'npipe':
      if (!rest.startsWith('/'))
        throw new RangeError(`'${text}' has no absolute path. Write unix://${LOCAL_SOCKET}.`);
      return { kind: 'socket', path: rest };
    case 'ssh':
      return parseSsh(text, rest);
    case 'tcp':
      return parseTcp(text, rest, certificates);
    default:
      throw new RangeError(`'${text}' is not an address of an engine. ${FORMATS}`);
  }
}

function parseSsh(text: string, rest: string): EngineAddress {
  const [, destination, port] = /^((?:[^@:/?#\s]+@)?[^@:/?#\s]+)(?::(\d+))?\/?$/.exec(rest) ?? [];
  // A leading dash would be an option of ssh, which can run programs on this machine.
  if (destination === undefined || destination.startsWith('-'))
    throw new RangeError(
      `'${text}' is not an address for ssh. Write ssh://user@host or ssh://user@host:port, without password and path.`,
    );
  return { kind: 'ssh', destination, ...(port && { port: parsePort(text, port) }) };
}

function parseTcp(text: string, rest: string, certificates: string | undefined): EngineAddress {
  const [, host, port] = /^(\[[0-9a-fA-F:.]+\]|[^:/?#@\s]+)(?::(\d+))?\/?$/.exec(rest) ?? [];
  if (host === undefined) throw new RangeError(`'${text}' is not an address. Write tcp://host:port.`);
  const number = port ? parsePort(text, port) : certificates === undefined ? PLAIN_PORT : TLS_PORT;
  if (number === TLS_PORT && certificates === undefined)
    throw new RangeError(
      `'${text}' needs certificates, because port ${TLS_PORT} uses TLS. Set 'certificates' or DOCKER_CERT_PATH to the folder with ca.pem, cert.pem and key.pem.`,
    );
  const address = { kind: 'tcp', host: host.replaceAll(/[[\]]/g, ''), port: number } as const;
  return certificates === undefined ? address : { ...address, certificates };
}

function parsePort(text: string, digits: string): number {
  const port = Number(digits);
  if (port >= 1 && port <= 65_535) return port;
  throw new RangeError(`'${text}' has no valid port. Write a port from 1 to 65535.`);
}

/** A short form for messages and tables. */
export function formatAddress(address: EngineAddress): string {
  switch (address.kind) {
    case 'socket':
      return address.path;
    case 'ssh':
      return `${address.destination}${address.port === undefined ? '' : `:${address.port}`} (ssh)`;
    case 'tcp':
      return `${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`;
  }
}
