// The status of VLC on a guest.

import { createServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { vlcStatus } from '../../../runtime/environments/guest/vlc-status.ts';

async function answering(status: number): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(status);
    response.end('<root/>');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

test('is read with the password of OSWorld, and absent where VLC does not run', async () => {
  expect(Buffer.from((await vlcStatus(await answering(200))) ?? '').toString()).toBe('<root/>');
  expect(await vlcStatus(await answering(404))).toBeUndefined();
  expect(await vlcStatus('http://127.0.0.1:1')).toBeUndefined();
});

test('a program at its port that sends without end is no VLC', async () => {
  const chunk = Buffer.alloc(1 << 16);
  const server = createServer((_, response) => {
    const send = () => {
      while (response.write(chunk));
    };
    response.on('drain', send);
    send();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  expect(await vlcStatus(url)).toBeUndefined();
});

test('another password, and a guest that cannot be reached, are faults and no scores', async () => {
  await expect(vlcStatus(await answering(401))).rejects.toThrow(/another password/);
  for (const status of [502, 503, 504])
    await expect(vlcStatus(await answering(status))).rejects.toThrow(
      `answered ${status} from a proxy. Check the guest and its vlcPort.`,
    );
  await expect(vlcStatus('http://no-such-host.invalid:8080')).rejects.toThrow(/has no reply/);
  const dropped = Object.assign(new Error('Connect Timeout Error'), { code: 'UND_ERR_CONNECT_TIMEOUT' });
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed', { cause: dropped })));
  onTestFinished(() => void vi.unstubAllGlobals());
  await expect(vlcStatus('http://192.168.7.2:8080')).rejects.toThrow(/has no reply: Connect Timeout Error/);
});
