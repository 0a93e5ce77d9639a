import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import type { WebBrowser } from '../../../../runtime/environments/web/browser/browser.ts';
import { temporaryFolder } from '../../../temporary.ts';
import { describeWithBrowser, launch, openSite, valueIn } from './chromium.ts';

describeWithBrowser('the network of the pages of a real browser', () => {
  let browser: WebBrowser;
  let server: Server;
  let udp: Socket;
  let port: number;
  let folder: string;
  const requests: string[] = [];
  const packets: string[] = [];

  beforeAll(async () => {
    browser = await launch();
    folder = temporaryFolder('site');
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>served</title>');
    server = createServer((incoming, response) => {
      // Some browsers ask for an icon.
      if (incoming.url !== '/favicon.ico') requests.push(`${incoming.url}`);
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>real</title>');
    });
    new WebSocketServer({ server }).on('connection', socket => socket.send('hello'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    port = (server.address() as AddressInfo).port;
    udp = createSocket('udp4').on('message', data => packets.push(data.toString('hex')));
    udp.bind(port, '127.0.0.1');
    await once(udp, 'listening');
  });
  beforeEach(() => {
    requests.length = 0;
    packets.length = 0;
  });
  afterAll(async () => {
    await browser.close();
    server.close();
    udp.close();
  });

  const fetched = (host: string) =>
    `fetch('http://${host}/fetched').then(r => r.text(), error => error.name)`;
  const socket = (host: string) => `new Promise(resolve => { const socket = new WebSocket('ws://${host}/');
    socket.onmessage = ({ data }) => resolve(data); socket.onerror = () => resolve('error'); })`;

  test('is off by default, to loopback addresses and for WebSockets too', async () => {
    const context = await openSite(browser, folder);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'example.org']) {
      expect(await valueIn(context.front, fetched(host))).toBe('TypeError');
      expect(await valueIn(context.front, socket(host))).toBe('error');
    }
    expect(requests).toEqual([]);
    await context.close();
  });

  test('reaches the allowed hosts and no others, in this context alone', async () => {
    const host = `127.0.0.1:${port}`;
    const [context, other] = [await openSite(browser, folder, [host]), await openSite(browser, folder)];
    expect(await valueIn(context.front, fetched(host))).toContain('real');
    expect(await valueIn(context.front, socket(host))).toBe('hello');
    expect(await valueIn(context.front, fetched(`localhost:${port}`))).toBe('TypeError');
    expect(await valueIn(other.front, fetched(host))).toBe('TypeError');
    await context.open(`http://${host}/page`);
    expect(await valueIn(context.front, 'document.title')).toBe('real');
    context.allow([]);
    expect(await valueIn(context.front, fetched(host))).toBe('TypeError');
    expect(requests).toEqual(['/fetched', '/page']);
    await Promise.all([context.close(), other.close()]);
  });

  test('a new tab, a frame and a worker are behind the same gate', async () => {
    const context = await openSite(browser, folder);
    const host = `127.0.0.1:${port}`;
    const worker = `new Promise(resolve => { const source = "fetch('http://${host}/worker').then(() => postMessage('reached'), () => postMessage('cut'))";
      new Worker(URL.createObjectURL(new Blob([source]))).onmessage = ({ data }) => resolve(data); })`;
    expect(await valueIn(context.front, worker)).toBe('cut');
    const frame = `new Promise(resolve => { const frame = document.createElement('iframe'); frame.onload = () => resolve('loaded');
      frame.src = 'http://${host}/frame'; document.body.append(frame); })`;
    await valueIn(context.front, frame);
    const before = context.frontTab;
    await valueIn(context.front, `void open('http://${host}/tab')`);
    await expect.poll(() => context.frontTab).toBe(before + 1);
    await expect
      .poll(() => valueIn(context.front, 'document.readyState + location.protocol'))
      .toBe('completechrome-error:');
    expect(requests).toEqual([]);
    await context.close();
  });

  test('no packet leaves by WebRTC or WebTransport', async () => {
    const context = await openSite(browser, folder);
    // Both APIs are for secure pages, and this name counts as one.
    context.serve('site.localhost', folder);
    await context.open('http://site.localhost/');
    const candidates = `new Promise(async resolve => {
      const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] });
      const found = [];
      peer.onicecandidate = ({ candidate }) => candidate ? found.push(candidate.candidate) : resolve(found);
      peer.createDataChannel('data');
      await peer.setLocalDescription(await peer.createOffer());
    })`;
    expect(await valueIn(context.front, candidates)).toEqual([]);
    expect(
      await valueIn(
        context.front,
        `new WebTransport('https://127.0.0.1:${port}/').ready.catch(error => error.name)`,
      ),
    ).toBe('WebTransportError');
    expect(packets).toEqual([]);
    await context.close();
  });
});
