// Serves a folder over HTTP on this machine, for browsers that know nothing of Dartboard.

import { createServer } from 'node:http';
import { servedFile } from '../../environments/web/browser/served-files.ts';

const LOOPBACK = '127.0.0.1';

export interface FolderServer {
  readonly url: string;
  close(): void;
}

export async function serveFolder(folder: string): Promise<FolderServer> {
  const server = createServer((incoming, response) => {
    const { pathname } = new URL(incoming.url ?? '/', `http://${LOOPBACK}`);
    void servedFile(folder, pathname).then(({ status, type, body }) => {
      response.writeHead(status, { 'content-type': type, 'content-length': body.length });
      response.end(body);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK, resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://${LOOPBACK}:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
