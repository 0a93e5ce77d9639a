import { describe, expect, test } from 'vitest';
import {
  addressOf,
  ownAddress,
  parseAddress,
  type Surroundings,
  shownAddress,
} from '../../../runtime/environments/docker/address.ts';

const around = (
  environment: Record<string, string> = {},
  files: readonly string[] = [],
  platform = 'linux',
): Surroundings => ({ platform, home: '/home/ada', environment, exists: path => files.includes(path) });

describe('addresses of engines', () => {
  test.each([
    ['unix:///var/run/docker.sock', { kind: 'socket', path: '/var/run/docker.sock' }],
    ['npipe:////./pipe/docker_engine', { kind: 'socket', path: '//./pipe/docker_engine' }],
    ['ssh://ada@lab', { kind: 'ssh', destination: 'ada@lab' }],
    ['ssh://lab:2222', { kind: 'ssh', destination: 'lab', port: 2222 }],
    ['tcp://lab', { kind: 'tcp', host: 'lab', port: 2375 }],
    ['tcp://[::1]:99', { kind: 'tcp', host: '::1', port: 99 }],
  ])('%s is understood', (text, address) => {
    expect(parseAddress(text)).toEqual(address);
  });

  test('with certificates the port is that of TLS, unless one is given', () => {
    const at = (port: number) => ({ kind: 'tcp', host: 'lab', port, certificates: '/c' });
    expect(parseAddress('tcp://lab', '/c')).toEqual(at(2376));
    expect(parseAddress('tcp://lab:4000', '/c')).toEqual(at(4000));
  });

  test.each([
    ['http://lab', 'is no address of an engine'],
    ['lab', 'is no address of an engine'],
    ['unix://docker.sock', 'has no whole path'],
    ['ssh://', 'is no address for ssh'],
    ['ssh://ada:secret@lab', 'without password'],
    ['ssh://lab/run/docker.sock', 'without password and path'],
    ['ssh://-oProxyCommand=rm', 'is no address for ssh'],
    ['ssh://-oProxyCommand=rm@lab', 'is no address for ssh'],
    ['tcp://', 'is no address'],
    ['tcp://lab:99999', 'ports go from 1 to 65535'],
    ['tcp://lab:2376', "as 'certificates'"],
  ])('%s is refused, with what to do', (text, words) => {
    expect(() => parseAddress(text)).toThrow(words);
  });

  test('certificates that would have no effect are refused', () => {
    expect(() => parseAddress('ssh://lab', '/c')).toThrow('no effect');
    expect(() => addressOf({ address: 'local', capacity: 1, certificates: '/c' }, around())).toThrow(
      'no effect',
    );
  });

  test('what is shown tells addresses apart', () => {
    expect(shownAddress(parseAddress('ssh://ada@lab:2222'))).toBe('ada@lab:2222 (ssh)');
    expect(shownAddress(parseAddress('tcp://[::1]:99'))).toBe('[::1]:99');
    expect(shownAddress(parseAddress('unix:///a'))).toBe('/a');
  });
});

describe('the engine of this machine', () => {
  test('DOCKER_HOST goes before everything else', () => {
    expect(ownAddress(around({ DOCKER_HOST: 'ssh://lab' }))).toEqual({ kind: 'ssh', destination: 'lab' });
  });

  test('DOCKER_CERT_PATH counts for tcp, and for nothing else', () => {
    const of = (host: string) => ownAddress(around({ DOCKER_HOST: host, DOCKER_CERT_PATH: '/c' }));
    expect(of('tcp://lab')).toEqual({ kind: 'tcp', host: 'lab', port: 2376, certificates: '/c' });
    expect(of('unix:///a')).toEqual({ kind: 'socket', path: '/a' });
  });

  test('DOCKER_TLS_VERIFY alone means the certificates at home', () => {
    expect(ownAddress(around({ DOCKER_HOST: 'tcp://lab', DOCKER_TLS_VERIFY: '1' }))).toMatchObject({
      certificates: '/home/ada/.docker',
    });
  });

  test('what is wrong with DOCKER_HOST is said under its name', () => {
    expect(() => ownAddress(around({ DOCKER_HOST: 'fish' }))).toThrow("DOCKER_HOST: 'fish' is no address");
  });

  test('without it the first socket that is there is taken: of the system, of the user, of Docker Desktop', () => {
    const [system, user, desktop] = [
      '/var/run/docker.sock',
      '/run/user/7/docker.sock',
      '/home/ada/.docker/run/docker.sock',
    ];
    const of = (...files: readonly string[]) => ownAddress(around({ XDG_RUNTIME_DIR: '/run/user/7' }, files));
    expect(of(system, user, desktop)).toEqual({ kind: 'socket', path: system });
    expect(of(user, desktop)).toEqual({ kind: 'socket', path: user });
    expect(of(desktop)).toEqual({ kind: 'socket', path: desktop });
    expect(of()).toEqual({ kind: 'socket', path: system });
    expect(ownAddress(around({}, [], 'win32'))).toEqual({ kind: 'socket', path: '//./pipe/docker_engine' });
  });
});
