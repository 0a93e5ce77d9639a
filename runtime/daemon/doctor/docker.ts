// Whether there is a Docker engine. None is needed: only desktops in containers want one.

import { request } from 'node:http';
import { type Finding, ok, reasonOf, warning } from './finding.ts';

/** Where an engine is listened for; `wanted` where somebody named it. */
export type Address =
  | { readonly kind: 'socket'; readonly path: string; readonly wanted: boolean }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number; readonly wanted: true }
  | { readonly kind: 'unknown'; readonly text: string };

/** As Docker's own programs read DOCKER_HOST. */
export function dockerAddress(host: string | undefined, platform: string): Address {
  if (host === undefined || host === '') {
    const path = platform === 'win32' ? '//./pipe/docker_engine' : '/var/run/docker.sock';
    return { kind: 'socket', path, wanted: false };
  }
  const [, scheme, rest = ''] = /^(\w+):\/\/(.*)$/.exec(host) ?? [];
  if (scheme === 'unix' || scheme === 'npipe') return { kind: 'socket', path: rest, wanted: true };
  const [, name, port = '2375'] = /^(\[[^\]]+\]|[^:/]+)(?::(\d+))?\/?$/.exec(rest) ?? [];
  if ((scheme === 'tcp' || scheme === 'http') && name !== undefined)
    return { kind: 'tcp', host: name.replaceAll(/[[\]]/g, ''), port: Number(port), wanted: true };
  return { kind: 'unknown', text: host };
}

/** `ask` gives the engine's version. */
export async function docker(address: Address, ask: (at: Address) => Promise<string>): Promise<Finding> {
  const name = 'Docker';
  if (address.kind === 'unknown')
    return warning(
      name,
      `DOCKER_HOST is '${address.text}', which cannot be used here`,
      'Set it to unix:///path or tcp://host:port, or leave it out; the built-in desktop needs no engine.',
    );
  const where = address.kind === 'socket' ? address.path : `${address.host}:${address.port}`;
  try {
    return ok(name, `the engine at ${where} answers (API ${await ask(address)})`);
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT';
    if (isMissing && !address.wanted) return ok(name, 'no engine; the built-in desktop needs none');
    const remedy =
      codeOf(error) === 'EACCES'
        ? "Let this user use it (on Linux: add the user to the group 'docker')."
        : `Start the engine${address.wanted ? ', or correct DOCKER_HOST' : ''}.`;
    return warning(
      name,
      `the engine at ${where} does not answer: ${reasonOf(error)}`,
      `${remedy} The built-in desktop needs none.`,
    );
  }
}

const PATIENCE = 2000;

export function ping(at: Address): Promise<string> {
  return new Promise((resolve, reject) => {
    if (at.kind === 'unknown') return reject(new RangeError(`'${at.text}' is no address of an engine.`));
    const place = at.kind === 'socket' ? { socketPath: at.path } : { host: at.host, port: at.port };
    const asked = request({ ...place, path: '/_ping', timeout: PATIENCE }, answer => {
      answer.resume();
      const version = answer.headers['api-version'];
      if (answer.statusCode === 200) resolve(typeof version === 'string' ? version : 'unknown');
      else reject(new Error(`it answers with status ${answer.statusCode}`));
    });
    asked.once('timeout', () => asked.destroy(new Error(`no answer within ${PATIENCE / 1000} seconds`)));
    asked.once('error', reject);
    asked.end();
  });
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
