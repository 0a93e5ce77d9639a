import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { HostSettings } from '../../../runtime/environments/docker/address.ts';
import {
  addressOf,
  defaultAddress,
  formatAddress,
  parseAddress,
} from '../../../runtime/environments/docker/address.ts';

const around = (
  environment: Record<string, string> = {},
  files: readonly string[] = [],
  platform = 'linux',
): HostSettings => ({
  ...{ platform, home: '/home/ada', environment },
  exists: path => files.includes(path),
  mayUse: path => files.includes(path),
  read: () => undefined,
});

describe('addresses of engines', () => {
  test.each([
    ['unix:///var/run/docker.sock', { kind: 'socket', path: '/var/run/docker.sock' }],
    ['npipe:////./pipe/docker_engine', { kind: 'socket', path: '//./pipe/docker_engine' }],
    ['ssh://ada@lab', { kind: 'ssh', destination: 'ada@lab' }],
    ['ssh://lab:2222', { kind: 'ssh', destination: 'lab', port: 2222 }],
    ['tcp://lab', { kind: 'tcp', host: 'lab', port: 2375 }],
    ['tcp://[::1]:99', { kind: 'tcp', host: '::1', port: 99 }],
  ])('%s is parsed', (text, address) => {
    expect(parseAddress(text)).toEqual(address);
  });

  test('certificates change the default port to that of TLS', () => {
    const at = (port: number) => ({ kind: 'tcp', host: 'lab', port, certificates: '/c' });
    expect(parseAddress('tcp://lab', '/c')).toEqual(at(2376));
    expect(parseAddress('tcp://lab:4000', '/c')).toEqual(at(4000));
  });

  test.each([
    ['http://lab', 'is not an address of an engine'],
    ['lab', 'is not an address of an engine'],
    ['unix://docker.sock', 'has no absolute path'],
    ['ssh://', 'is not an address for ssh'],
    ['ssh://ada:secret@lab', 'without password'],
    ['ssh://lab/run/docker.sock', 'without password and path'],
    ['ssh://-oProxyCommand=rm', 'is not an address for ssh'],
    ['ssh://-oProxyCommand=rm@lab', 'is not an address for ssh'],
    ['tcp://', 'is not an address'],
    ['tcp://lab:99999', 'port from 1 to 65535'],
    ['tcp://lab:2376', 'needs certificates'],
  ])('%s is refused, with what to do', (text, words) => {
    expect(() => parseAddress(text)).toThrow(words);
  });

  test('certificates without an effect are refused', () => {
    expect(() => parseAddress('ssh://lab', '/c')).toThrow('no effect');
    expect(() => addressOf({ address: 'local', capacity: 1, certificates: '/c' }, around())).toThrow(
      'no effect',
    );
  });

  test('formatted addresses are distinct', () => {
    expect(formatAddress(parseAddress('ssh://ada@lab:2222'))).toBe('ada@lab:2222 (ssh)');
    expect(formatAddress(parseAddress('tcp://[::1]:99'))).toBe('[::1]:99');
    expect(formatAddress(parseAddress('unix:///a'))).toBe('/a');
  });
});

describe('the engine of this machine', () => {
  test('DOCKER_HOST has priority', () => {
    expect(defaultAddress(around({ DOCKER_HOST: 'ssh://lab' }))).toEqual({ kind: 'ssh', destination: 'lab' });
  });

  test('DOCKER_CERT_PATH affects only tcp', () => {
    const of = (host: string) => defaultAddress(around({ DOCKER_HOST: host, DOCKER_CERT_PATH: '/c' }));
    expect(of('tcp://lab')).toEqual({ kind: 'tcp', host: 'lab', port: 2376, certificates: '/c' });
    expect(of('unix:///a')).toEqual({ kind: 'socket', path: '/a' });
  });

  test('DOCKER_TLS_VERIFY alone selects the certificates in the home', () => {
    expect(defaultAddress(around({ DOCKER_HOST: 'tcp://lab', DOCKER_TLS_VERIFY: '1' }))).toMatchObject({
      certificates: '/home/ada/.docker',
    });
  });

  test('an error in DOCKER_HOST names it', () => {
    expect(() => defaultAddress(around({ DOCKER_HOST: 'fish' }))).toThrow(
      "DOCKER_HOST: 'fish' is not an address",
    );
  });

  test('the default is the first existing socket: of the system, of the user, of Docker Desktop', () => {
    const [system, user, desktop] = [
      '/var/run/docker.sock',
      '/run/user/7/docker.sock',
      '/home/ada/.docker/run/docker.sock',
    ];
    const of = (...files: readonly string[]) =>
      defaultAddress(around({ XDG_RUNTIME_DIR: '/run/user/7' }, files));
    expect(of(system, user, desktop)).toEqual({ kind: 'socket', path: system });
    expect(of(user, desktop)).toEqual({ kind: 'socket', path: user });
    expect(of(desktop)).toEqual({ kind: 'socket', path: desktop });
    expect(of()).toEqual({ kind: 'socket', path: system });
    expect(defaultAddress(around({}, [], 'win32'))).toEqual({
      kind: 'socket',
      path: '//./pipe/docker_engine',
    });
  });
});

test('a permitted socket has priority over an existing one', () => {
  const [system, desktop] = ['/var/run/docker.sock', '/home/ada/.docker/run/docker.sock'];
  const of = (mayUse: (path: string) => boolean) =>
    defaultAddress({ ...around({}, [system, desktop]), mayUse });
  expect(of(path => path === desktop)).toEqual({ kind: 'socket', path: desktop });
  expect(of(() => false)).toEqual({ kind: 'socket', path: system });
});

describe("Docker's contexts", () => {
  const folder = '/home/ada/.docker';
  const id = (name: string) => createHash('sha256').update(name).digest('hex');
  const tls = `${folder}/contexts/tls/${id('farm')}/docker`;
  const engine = (Host: string) => JSON.stringify({ Name: 'x', Endpoints: { docker: { Host } } });
  const files: Record<string, string> = {
    [`${folder}/config.json`]: '{ "currentContext": "lab", "auths": {} }',
    [`${folder}/contexts/meta/${id('lab')}/meta.json`]: engine('ssh://lab'),
    [`${folder}/contexts/meta/${id('farm')}/meta.json`]: engine('tcp://farm:2376'),
    [`/elsewhere/contexts/meta/${id('lab')}/meta.json`]: engine('unix:///lab.sock'),
  };
  const of = (environment: Record<string, string> = {}) =>
    defaultAddress({ ...around(environment, [tls]), read: path => files[path] });

  test('the current context selects the engine, unless a variable overrides it', () => {
    expect(of()).toEqual({ kind: 'ssh', destination: 'lab' });
    expect(of({ DOCKER_HOST: 'unix:///mine.sock' })).toEqual({ kind: 'socket', path: '/mine.sock' });
    expect(of({ DOCKER_CONTEXT: 'default' })).toEqual({ kind: 'socket', path: '/var/run/docker.sock' });
    expect(of({ DOCKER_CONFIG: '/elsewhere' })).toEqual({ kind: 'socket', path: '/var/run/docker.sock' });
    expect(of({ DOCKER_CONFIG: '/elsewhere', DOCKER_CONTEXT: 'lab' })).toEqual({
      kind: 'socket',
      path: '/lab.sock',
    });
  });

  test('its certificates count', () => {
    expect(of({ DOCKER_CONTEXT: 'farm' })).toEqual({
      ...{ kind: 'tcp', host: 'farm', port: 2376, certificates: tls },
    });
  });

  test('an unknown context is named in the error', () => {
    expect(() => of({ DOCKER_CONTEXT: 'fish' })).toThrow("context 'fish' names no engine");
  });

  test('a configuration that cannot be read names none', () => {
    const read = (path: string) => (path.endsWith('config.json') ? '{' : undefined);
    expect(defaultAddress({ ...around(), read })).toEqual({ kind: 'socket', path: '/var/run/docker.sock' });
  });
});
