// Reasons why a host cannot talk to the daemon, on real connections.

import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { httpTransport } from '../../runtime/endpoints/http-transport.ts';
import { authorityOf } from '../../runtime/hosts/authority.ts';
import { certifyServer, createAuthority } from '../../runtime/hosts/certificates.ts';
import { explainUnreachable } from '../../runtime/hosts/unreachable.ts';

const NOW = Date.now();
const YEAR_MS = 365 * 86_400_000;
const authority = createAuthority(NOW);
const { certificate, key } = certifyServer(authority, ['127.0.0.1'], NOW);

async function urlOf(server: Server, scheme: 'http' | 'https'): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return `${scheme}://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
}

async function reasonOf(server: Server, scheme: 'http' | 'https', ca?: string): Promise<string> {
  const url = await urlOf(server, scheme);
  const transport = httpTransport(ca === undefined ? {} : { ca });
  onTestFinished(() => transport.close());
  const { signal } = new AbortController();
  const error = await transport
    .send({ url, method: 'GET', headers: {}, body: [], signal })
    .catch((failure: unknown) => failure);
  return explainUnreachable(url, error).replaceAll(url, 'URL');
}

/** Of an address that names an authority: its first connection looks for it. */
async function reasonWithAuthority(server: Server): Promise<string> {
  const url = await urlOf(server, 'https');
  const { signal } = new AbortController();
  const error = await authorityOf(url, '0'.repeat(64), { clock: new VirtualClock(), signal }).catch(
    (failure: unknown) => failure,
  );
  return explainUnreachable(url, error).replaceAll(url, 'URL');
}

const brokerServer = () =>
  createServer(socket => socket.on('error', () => undefined).end('INFO {"server_id":"N"}\r\n'));

test('a certificate of an unknown authority', async () => {
  expect(await reasonOf(createHttpsServer({ cert: certificate, key }), 'https')).toMatch(
    /^The certificate of URL is signed by an authority .* Copy the whole address/,
  );
});

test('a certificate of another name', async () => {
  const other = certifyServer(authority, ['other.lan'], NOW);
  const server = createHttpsServer({ cert: other.certificate, key: other.key });
  expect(await reasonOf(server, 'https', authority.certificate)).toMatch(
    /^The certificate of URL is for other names \(.*altnames.*\)\. Start 'dartboard up' with '--names 127\.0\.0\.1' .*resume the run\.$/,
  );
});

test.each([
  ['that is no longer valid', -2 * YEAR_MS],
  ['that is not yet valid', YEAR_MS],
])('a certificate %s', async (_, laterMs) => {
  const other = certifyServer(authority, ['127.0.0.1'], NOW + laterMs);
  const server = createHttpsServer({ cert: other.certificate, key: other.key });
  expect(await reasonOf(server, 'https', authority.certificate)).toMatch(
    /^The certificate of URL is not valid now \(.*\)\. Set the clocks .* start 'dartboard up' /,
  );
});

test('TLS where the server has none', async () => {
  for (const reason of [
    await reasonOf(createHttpServer(), 'https'),
    await reasonWithAuthority(createHttpServer()),
    await reasonWithAuthority(brokerServer()),
  ])
    expect(reason).toMatch(/^The server at URL does not answer with TLS\. Check the port: .*http:/);
});

test('no TLS where the server has it', async () => {
  expect(await reasonOf(createHttpsServer({ cert: certificate, key }), 'http')).toMatch(
    /^The server at URL closed the connection .* https:/,
  );
});

test('the port of the broker', async () => {
  expect(await reasonOf(brokerServer(), 'http')).toMatch(
    /^The server at URL does not answer with HTTP\. .* broker/,
  );
});

test('nobody listens', () => {
  expect(explainUnreachable('http://h:1', new Error('connect ECONNREFUSED'))).toBe(
    'The daemon at http://h:1 does not answer: connect ECONNREFUSED. Check that its run trains, and that no firewall is between.',
  );
});
