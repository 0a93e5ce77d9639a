import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createRawServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NetworkGate } from '../../../../runtime/environments/web/browser/gate.ts';
import { temporaryFolder } from '../../../temporary.ts';

let gate: NetworkGate;
let server: Server;
let origin: string;
const received: string[] = [];

beforeEach(async () => {
  gate = await NetworkGate.open();
  server = createServer((incoming, response) => {
    received.push(`${incoming.method} ${incoming.headers.host}${incoming.url}`);
    if (incoming.url === '/endless') response.write('start');
    else incoming.pipe(response.writeHead(201, { 'x-from': 'the server' }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  received.length = 0;
});
afterEach(() => {
  gate.close();
  server.close();
  server.closeAllConnections();
});

interface Reply {
  readonly status: number | undefined;
  readonly from: unknown;
  readonly text: string;
}

/** A request as browsers send it to a proxy; 'cut' if the proxy ends the connection without a reply. */
function ask(url: string, { method = 'GET', body = '' } = {}): Promise<Reply | 'cut'> {
  const { hostname, port } = new URL(gate.address);
  return new Promise(resolve => {
    const outgoing = request({
      hostname,
      port,
      method,
      path: url,
      headers: { host: new URL(url).host },
      agent: false,
    });
    outgoing.on('error', () => resolve('cut'));
    outgoing.on('response', response => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve('cut'));
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          from: response.headers['x-from'],
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    outgoing.end(body);
  });
}

/** The raw connection to the proxy, after these bytes. */
function dial(bytes: string): Socket {
  const { hostname, port } = new URL(gate.address);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(bytes);
  return socket;
}

const tunnel = (target: string): Socket => dial(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
const textOf = async (socket: Socket): Promise<string> => {
  let text = '';
  socket.on('data', data => {
    text += String(data);
  });
  await once(socket, 'close');
  return text;
};

describe('the network of a context', () => {
  test('cuts every request by default, to loopback addresses too', async () => {
    for (const url of [
      `http://${origin}/`,
      'http://example.org/',
      `http://localhost:${origin.split(':')[1]}/`,
    ])
      expect(await ask(url)).toBe('cut');
    expect(await textOf(tunnel(origin))).toBe('');
    expect(received).toEqual([]);
  });

  test('forwards requests to an allowed host, and replies', async () => {
    gate.allow([origin]);
    expect(await ask(`http://${origin}/a?b`, { method: 'POST', body: 'text' })).toEqual({
      ...{ status: 201, from: 'the server', text: 'text' },
    });
    expect(received).toEqual([`POST ${origin}/a?b`]);
    expect(await ask('http://example.org/')).toBe('cut');
  });

  test('opens a tunnel to an allowed host', async () => {
    gate.allow(['127.0.0.1']);
    const socket = tunnel(origin);
    socket.write('GET /inside HTTP/1.1\r\nHost: inside\r\nConnection: close\r\n\r\n');
    expect(await textOf(socket)).toContain('201');
    expect(received).toEqual(['GET inside/inside']);
  });

  test('ends connections to a host that is no longer allowed', async () => {
    gate.allow([origin]);
    const socket = tunnel(origin);
    await once(socket, 'data');
    const endless = ask(`http://${origin}/endless`);
    await expect.poll(() => received.length).toBe(1);
    gate.allow(['example.org']);
    await once(socket, 'close');
    expect(await endless).toBe('cut');
  });

  test('answers a served host with files, whatever is allowed', async () => {
    const folder = temporaryFolder('gate');
    writeFileSync(join(folder, 'a.txt'), 'a file');
    gate.serve('Tasks.test', folder);
    expect(await ask('http://tasks.test/a.txt?x#y')).toMatchObject({ status: 200, text: 'a file' });
    expect(await ask('http://tasks.test/a.txt', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect(await ask('http://tasks.test/b.txt')).toMatchObject({ status: 404 });
    expect(await ask('http://tasks.test:81/a.txt')).toBe('cut');
    expect(await ask('http://a.tasks.test/a.txt')).toBe('cut');
    expect(gate.isOpen(new URL('http://tasks.test/'))).toBe(true);
    expect(gate.isOpen(new URL('https://tasks.test/'))).toBe(false);
  });

  test('is no server: a request without a host in its address is cut', async () => {
    gate.allow(['127.0.0.1']);
    expect(await textOf(dial(`GET / HTTP/1.1\r\nHost: ${origin}\r\n\r\n`))).toBe('');
    expect(await textOf(dial('nonsense\r\n\r\n'))).toBe('');
  });

  test('a host that is down cuts the connection', async () => {
    gate.allow(['127.0.0.1']);
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    expect(await ask(`http://${origin}/`)).toBe('cut');
    expect(await textOf(tunnel(origin))).toBe('');
  });

  test.each([
    ['a status below 100', 'HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n', 'cut'],
    ['another protocol', 'HTTP/1.1 101 Switch\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', 'cut'],
    ['nonsense', 'nonsense\r\n\r\n', 'cut'],
    [
      'a trailer without chunks',
      'HTTP/1.1 200 OK\r\nTrailer: x\r\nContent-Length: 4\r\n\r\ntext',
      { status: 200, from: undefined, text: 'text' },
    ],
  ])('survives the reply of a server: %s', async (_, reply, expected) => {
    const raw = createRawServer(socket => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write(reply));
    });
    await once(raw.listen(0, '127.0.0.1'), 'listening');
    const { port } = raw.address() as AddressInfo;
    gate.allow(['127.0.0.1']);
    expect(await ask(`http://127.0.0.1:${port}/`)).toEqual(expected);
    raw.close();
  });

  test('ends with its context', async () => {
    gate.allow([origin]);
    const { address } = gate;
    const socket = tunnel(origin);
    await once(socket, 'data');
    gate.close();
    await once(socket, 'close');
    const late = connect(Number(new URL(address).port), '127.0.0.1');
    const [error] = await once(late, 'error');
    expect(String(error)).toContain('ECONNREFUSED');
  });
});
