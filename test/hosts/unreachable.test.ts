// Reasons why a host cannot talk to the daemon, on real connections.

import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { httpTransport } from '../../runtime/endpoints/http-transport.ts';
import { certifyServer, createAuthority } from '../../runtime/hosts/certificates.ts';
import { explainUnreachable } from '../../runtime/hosts/unreachable.ts';

const NOW = Date.now();
const YEAR_MS = 365 * 86_400_000;
const authority = createAuthority(NOW);
const { certificate, key } = certifyServer(authority, ['127.0.0.1'], NOW);

async function reasonOf(server: Server, scheme: 'http' | 'https', ca?: string): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `${scheme}://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  const transport = httpTransport(ca === undefined ? {} : { ca });
  onTestFinished(() => transport.close());
  const { signal } = new AbortController();
  const error = await transport
    .send({ url, method: 'GET', headers: {}, body: [], signal })
    .catch((failure: unknown) => failure);
  return explainUnreachable(url, error).replaceAll(url, 'URL');
}

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
  expect(await reasonOf(createHttpServer(), 'https')).toMatch(
    /^The server at URL does not .* with TLS\. .*http:/,
  );
});

test('no TLS where the server has it', async () => {
  expect(await reasonOf(createHttpsServer({ cert: certificate, key }), 'http')).toMatch(
    /^The server at URL closed the connection .* https:/,
  );
});

test('the port of the broker', async () => {
  const broker = createServer(socket => socket.end('INFO {"server_id":"N"}\r\n'));
  expect(await reasonOf(broker, 'http')).toMatch(/^The server at URL does not answer with HTTP\. .* broker/);
});

test('nobody listens', () => {
  expect(explainUnreachable('http://h:1', new Error('connect ECONNREFUSED'))).toBe(
    'The daemon at http://h:1 does not answer: connect ECONNREFUSED. Check that its run trains, and that no firewall is between.',
  );
});
