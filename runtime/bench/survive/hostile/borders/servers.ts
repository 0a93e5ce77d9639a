// The servers of the daemon: its page and WebSocket on this machine, and the server for joining hosts.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import WebSocket from 'ws';
import { blobHash } from '../../../../blobs/blobs.ts';
import { MemoryBlobs } from '../../../../blobs/memory-blobs.ts';
import { parseConfig } from '../../../../config/config.ts';
import { FailedTokens } from '../../../../core/failed-tokens.ts';
import { runId } from '../../../../core/ids.ts';
import type { Random } from '../../../../core/rng.ts';
import { systemClock } from '../../../../core/system-clock.ts';
import { sameForAll } from '../../../../hosts/broker-logins.ts';
import { HostServer } from '../../../../hosts/host-server.ts';
import { parseJoinAddress } from '../../../../hosts/join-address.ts';
import { BLOBS_PATH, JOIN_PATH, LEAVE_PATH, RENEW_PATH } from '../../../../hosts/messages.ts';
import {
  DAEMON_PATH,
  DAEMON_VERSION,
  type DaemonRequest,
  request as daemonRequest,
} from '../../../../protocol/daemon/messages.ts';
import { type HttpListener, listen } from '../../../../server/http/listen.ts';
import { connectClient, type SocketSession } from '../../../../server/socket-client.ts';
import { type Border, bytesOfText, type OpenBorder, textOf } from '../border.ts';
import { chosen, damagedBytes, damagedJsonText, oneIn } from '../damage.ts';
import { bodyIn, errorsIn, rawExchange } from './raw-exchange.ts';

const TOKEN = 'a-token-of-the-benchmark';

/** The work behind a request is not of this border, but its configuration is. */
const SESSION: SocketSession<DaemonRequest> = {
  welcome: {},
  answer: async request => {
    if (request.method === 'run.start') parseConfig(request.params.config);
    return { result: {} };
  },
  left: async () => undefined,
};

const startDaemon = (): Promise<HttpListener> =>
  listen({
    pages: new Map([['/', { type: 'text/html; charset=utf-8', body: bytesOfText('<!doctype html>') }]]),
    ...{ port: 0, socketPath: DAEMON_PATH, maxMessageBytes: 1024 * 1024, clock: systemClock },
    connect: (socket, takeSlot) =>
      connectClient(socket, takeSlot, {
        ...{ version: DAEMON_VERSION, request: daemonRequest, token: TOKEN, clock: systemClock },
        failedTokens: new FailedTokens(systemClock),
        enter: () => SESSION,
      }),
  });

const HELLO = { id: 1, method: 'hello', params: { version: DAEMON_VERSION, token: TOKEN, client: 'bench' } };
const REQUESTS: readonly object[] = [
  { id: 2, method: 'runs.list', params: {} },
  { id: 3, method: 'run.start', params: { config: { minutes: 5, suite: { tiers: [1] }, agents: {} } } },
  { id: 4, method: 'run.resume', params: { run: 'run-1', seconds: 60 } },
  { id: 5, method: 'run.delete', params: { run: 'run-1', withPool: true } },
  { id: 6, method: 'run.compare', params: { runs: ['run-1', 'run-2'] } },
  { id: 7, method: 'subscribe', params: { what: { run: 'run-1' } } },
  {
    id: 8,
    method: 'trajectories.list',
    params: { filter: { run: 'run-1', text: 'x' }, sort: 'newest', offset: 0, limit: 50 },
  },
  { id: 9, method: 'trajectory.frame', params: { trajectory: 't-1', step: 3 } },
  { id: 10, method: 'trajectories.import', params: { path: '/tmp/x.zip' } },
  { id: 11, method: 'daemon.keepTraining', params: { keep: true } },
  HELLO,
];

async function openWebSocket(): Promise<OpenBorder> {
  const listener = await startDaemon();
  let socket = await greeted(listener.port);
  return {
    take: async input => {
      if (socket.readyState !== socket.OPEN) socket = await greeted(listener.port);
      return errorsOfReply(await asked(socket, textOf(input)));
    },
    close: async () => {
      socket.terminate();
      await listener.close();
    },
  };
}

async function greeted(port: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${DAEMON_PATH}`);
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  await asked(socket, JSON.stringify(HELLO));
  return socket;
}

/** Every message has exactly one reply. */
const asked = (socket: WebSocket, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const closed = () => reject(new Error('The server closed the connection without a reply.'));
    socket.once('close', closed);
    socket.once('message', data => {
      socket.off('close', closed);
      resolve(data.toString());
    });
    socket.send(text);
  });

function errorsOfReply(reply: string): readonly string[] {
  const { error } = JSON.parse(reply);
  return error === undefined ? [] : [error.message];
}

const requestText = (head: string, body = ''): string => `${head}\r\n\r\n${body}`;
const UPGRADE = requestText(
  [
    `GET ${DAEMON_PATH} HTTP/1.1`,
    'Host: 127.0.0.1:80',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ].join('\r\n'),
);
/** A message of five bytes in a masked frame. */
const FRAME = '\u0081\u0085\u0001\u0002\u0003\u0004izjhn';
const HTTP_REQUESTS: readonly string[] = [
  requestText('GET / HTTP/1.1\r\nHost: localhost:80\r\nConnection: close'),
  requestText('HEAD /panels.js HTTP/1.1\r\nHost: [::1]:80\r\nConnection: close'),
  requestText('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nConnection: close', 'body'),
  requestText(
    'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close',
    '4\r\nbody\r\n0\r\n\r\n',
  ),
  requestText('GET /../../etc/passwd HTTP/1.1\r\nHost: evil.example\r\nConnection: close'),
  requestText('OPTIONS * HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nConnection: close'),
  UPGRADE + FRAME,
  `${UPGRADE.replace('\r\n\r\n', '\r\nOrigin: null\r\n\r\n')}${FRAME}`,
];
const HTTP_PIECES = [
  ...[
    '\r\n',
    '\r\n\r\n',
    ' ',
    ':',
    '\t',
    '\u0000',
    'é',
    '%00',
    '%',
    '//',
    '/..',
    '?',
    '#',
    'HTTP/1.1',
    'HTTP/9.9',
  ],
  ...[
    'Content-Length: 5\r\n',
    'Content-Length: -1\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Host: a\r\n',
    'Expect: 100-continue\r\n',
  ],
  ...['Upgrade: h2c\r\n', 'X: y\r\n', 'Cookie: a\r\n', 'ffffffffffffffff\r\n'],
];

/** Damages a request as text, so that most of it stays a request. */
function httpInput(requests: readonly string[], random: Random): Uint8Array {
  const text = chosen(requests, random);
  if (oneIn(3, random)) return damagedBytes(Buffer.from(text, 'latin1'), random);
  let damaged = text;
  for (let change = 0; change <= random.int(3); change += 1) {
    const at = random.int(damaged.length + 1);
    const piece = chosen(HTTP_PIECES, random).repeat(oneIn(30, random) ? random.int(2000) : 1);
    damaged = damaged.slice(0, at) + piece + damaged.slice(oneIn(2, random) ? at : at + random.int(12));
  }
  return Buffer.from(damaged, 'latin1');
}

async function openHttp(): Promise<OpenBorder> {
  const listener = await startDaemon();
  return {
    take: async input => errorsIn(await rawExchange(listener.port, input), input),
    close: () => listener.close(),
  };
}

const JOIN = { name: 'rack-1', program: '1.0.0', offers: { desktops: 4, policy: 1 } };
const BLOB = bytesOfText('the bytes of a blob');
/** Stand for the tokens, which only the open border has. Equal lengths keep the lengths of bodies. */
const [JOIN_TOKEN, HOST_TOKEN] = ['@join-token@', '@host-token@'];

function hostInput(random: Random): Uint8Array {
  const token = chosen([JOIN_TOKEN, JOIN_TOKEN, HOST_TOKEN, HOST_TOKEN, 'wrong'], random);
  const bearer = `Host: a\r\nAuthorization: Bearer ${token}\r\nConnection: close`;
  const posted = (path: string, body: Uint8Array): Uint8Array =>
    Buffer.concat([
      bytesOfText(requestText(`POST ${path} HTTP/1.1\r\n${bearer}\r\nContent-Length: ${body.length}`)),
      body,
    ]);
  const how = random.int(10);
  if (how < 4) return posted(JOIN_PATH, damagedJsonText(JOIN, random));
  const requests = [
    textOf(posted(JOIN_PATH, bytesOfText(JSON.stringify(JOIN)))),
    textOf(posted(RENEW_PATH, new Uint8Array())),
    textOf(posted(LEAVE_PATH, new Uint8Array())),
    requestText(`GET ${BLOBS_PATH}${blobHash(BLOB)} HTTP/1.1\r\n${bearer}`),
    requestText(
      `PUT ${BLOBS_PATH}${blobHash(BLOB)} HTTP/1.1\r\n${bearer}\r\nContent-Length: ${BLOB.length}`,
      textOf(BLOB),
    ),
    requestText(`GET ${BLOBS_PATH}../../etc/passwd HTTP/1.1\r\n${bearer}`),
  ];
  return httpInput(requests, random);
}

async function openHosts(): Promise<OpenBorder> {
  const folder = await mkdtemp(join(tmpdir(), 'dartboard-hostile-'));
  const server = await HostServer.open({
    ...{
      listen: '127.0.0.1:0',
      folder,
      run: runId('run-1'),
      epoch: '0badcafe',
      logins: sameForAll({ servers: ['nats://127.0.0.1:4222'] }),
    },
    ...{ reserved: ['local'], startFor: () => ({}), blobs: new MemoryBlobs(1e6), clock: systemClock },
  });
  const { url, token } = parseJoinAddress(server.address);
  const port = Number(new URL(url).port);
  let hostToken = '';
  const joinAgain = async (): Promise<void> => {
    const body = JSON.stringify(JOIN);
    const head = `POST ${JOIN_PATH} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\nConnection: close`;
    const reply = await rawExchange(port, bytesOfText(requestText(head, body)));
    hostToken = JSON.parse(bodyIn(reply)).token;
  };
  await joinAgain();
  return {
    take: async input => {
      const text = Buffer.from(input)
        .toString('latin1')
        .replaceAll(JOIN_TOKEN, token)
        .replaceAll(HOST_TOKEN, hostToken);
      const sent = Buffer.from(text, 'latin1');
      const errors = errorsIn(await rawExchange(port, sent), sent);
      // Inputs join hosts and let them leave.
      for (const host of server.hosts) if (host !== JOIN.name) server.dismiss(host);
      if (!server.hosts.includes(JOIN.name)) await joinAgain();
      return errors;
    },
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

export const SERVER_BORDERS: readonly Border[] = [
  {
    ...{ name: 'websocket', inputs: 120_000, open: openWebSocket },
    make: random => damagedJsonText(chosen(REQUESTS, random), random),
  },
  { name: 'http', inputs: 30_000, make: random => httpInput(HTTP_REQUESTS, random), open: openHttp },
  { name: 'host-server', inputs: 30_000, make: hostInput, open: openHosts },
];
