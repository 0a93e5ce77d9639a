// Reasons why a host cannot talk to the daemon, on real connections.

import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { httpTransport } from '../../runtime/endpoints/http-transport.ts';
import { certifyServer, createAuthority } from '../../runtime/hosts/certificates.ts';
import { explainUnreachable } from '../../runtime/hosts/unreachable.ts';

const { certificate, key } = certifyServer(createAuthority(Date.now()), ['127.0.0.1'], Date.now());

async function reasonOf(server: Server, scheme: 'http' | 'https'): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `${scheme}://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  const transport = httpTransport();
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
