// Where an engine is: read from a configuration, or from where Docker's own programs read it. Nothing is connected here.

import { posix } from 'node:path';
import { contextIn } from './context.ts';
import type { HostSettings } from './host-settings.ts';

export type EngineAddress =
  | { readonly kind: 'socket'; readonly path: string }
  /** As `ssh` takes it: user and host, or a name of its configuration. */
  | { readonly kind: 'ssh'; readonly destination: string; readonly port?: number }
  | {
      readonly kind: 'tcp';
      readonly host: string;
      readonly port: number;
      /** The folder with ca.pem, cert.pem and key.pem; without one the connection is plain. */
      readonly certificates?: string;
    };

/** A host of a configuration. */
export interface HostEntry {
  /** `local`, or as DOCKER_HOST has it. */
  readonly address: string;
  /** How many containers it may hold, spares included. */
  readonly capacity: number;
  /** The folder with ca.pem, cert.pem and key.pem, for tcp. */
  readonly certificates?: string;
}

const LOCAL = 'local';
const PLAIN_PORT = 2375;
const TLS_PORT = 2376;
const FORMS = "Write 'local', unix:///path, npipe:////./pipe/name, ssh://user@host or tcp://host:port.";

export function addressOf(entry: HostEntry, around: HostSettings): EngineAddress {
  const { address, certificates } = entry;
  if (address !== LOCAL) return parseAddress(address, certificates);
  if (certificates !== undefined)
    throw new RangeError(
      "'certificates' would have no effect for the address 'local': leave it out, or write tcp://host:port.",
    );
  return defaultAddress(around);
}

/** The engine that Docker's own programs would use here: DOCKER_HOST's, else that of the context in use, else the one of this machine. */
export function defaultAddress(around: HostSettings): EngineAddress {
  const { platform, home, environment, exists, mayUse } = around;
  const host = environment['DOCKER_HOST'];
  if (host) {
    const isChecked = (environment['DOCKER_TLS_VERIFY'] ?? '') !== '';
    const folder = environment['DOCKER_CERT_PATH'] || (isChecked ? posix.join(home, '.docker') : undefined);
    try {
      return parseAddress(host, host.startsWith('tcp:') ? folder : undefined);
    } catch (error) {
      throw new RangeError(`DOCKER_HOST: ${error instanceof Error ? error.message : error}`);
    }
  }
  const context = contextIn(around);
  if (context !== undefined) {
    const isChecked = context.host.startsWith('tcp:') && exists(context.certificates);
    return parseAddress(context.host, isChecked ? context.certificates : undefined);
  }
  if (platform === 'win32') return { kind: 'socket', path: '//./pipe/docker_engine' };
  // An engine of the system, one of a user without rights, and Docker Desktop's.
  const runtime = environment['XDG_RUNTIME_DIR'];
  const places = [
    '/var/run/docker.sock',
    ...(runtime ? [posix.join(runtime, 'docker.sock')] : []),
    posix.join(home, '.docker/run/docker.sock'),
  ];
  // One that is there and not for this user is the last to try, and says so.
  return { kind: 'socket', path: places.find(mayUse) ?? places.find(exists) ?? '/var/run/docker.sock' };
}

/** Throws a RangeError that names what is wrong with it. */
export function parseAddress(text: string, certificates?: string): EngineAddress {
  const [, scheme, rest = ''] = /^([a-z]+):\/\/(.*)$/.exec(text) ?? [];
  if (certificates !== undefined && scheme !== 'tcp')
    throw new RangeError(`'certificates' would have no effect for ${text}: leave it out; tcp alone uses it.`);
  switch (scheme) {
    case 'unix':
    case 'npipe':
      return socketAt(text, rest);
    case 'ssh':
      return sshTo(text, rest);
    case 'tcp':
      return tcpTo(text, rest, certificates);
    default:
      throw new RangeError(`'${text}' is no address of an engine. ${FORMS}`);
  }
}

function socketAt(text: string, path: string): EngineAddress {
  if (!path.startsWith('/'))
    throw new RangeError(`'${text}' has no whole path: write it as unix:///var/run/docker.sock.`);
  return { kind: 'socket', path };
}

function sshTo(text: string, rest: string): EngineAddress {
  const [, destination, port] = /^((?:[^@:/?#\s]+@)?[^@:/?#\s]+)(?::(\d+))?\/?$/.exec(rest) ?? [];
  // What begins with a dash would be an option of ssh, which can run programs here.
  if (destination === undefined || destination.startsWith('-'))
    throw new RangeError(
      `'${text}' is no address for ssh: write ssh://user@host or ssh://user@host:port, without password and path.`,
    );
  return { kind: 'ssh', destination, ...(port && { port: portOf(text, port) }) };
}

function tcpTo(text: string, rest: string, certificates: string | undefined): EngineAddress {
  const [, host, port] = /^(\[[0-9a-fA-F:.]+\]|[^:/?#@\s]+)(?::(\d+))?\/?$/.exec(rest) ?? [];
  if (host === undefined) throw new RangeError(`'${text}' is no address: write tcp://host:port.`);
  const number = port ? portOf(text, port) : certificates === undefined ? PLAIN_PORT : TLS_PORT;
  if (number === TLS_PORT && certificates === undefined)
    throw new RangeError(
      `An engine at port ${TLS_PORT} speaks TLS: give the folder with ca.pem, cert.pem and key.pem as 'certificates' (or in DOCKER_CERT_PATH).`,
    );
  return {
    kind: 'tcp',
    host: host.replaceAll(/[[\]]/g, ''),
    port: number,
    ...(certificates !== undefined && { certificates }),
  };
}

function portOf(text: string, digits: string): number {
  const port = Number(digits);
  if (port < 1 || port > 65_535) throw new RangeError(`'${text}': ports go from 1 to 65535.`);
  return port;
}

/** In few words, for messages and tables. */
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
