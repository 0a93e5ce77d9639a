// Pages of MiniWoB++ in a real Chromium, without a web desktop: loaded from a server of this test, driven through the browser's protocol.

import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname, join, normalize } from 'node:path';
import type { Browser, CDPSession } from 'playwright-core';
import { decodePng } from '../../../../runtime/core/png-reader.ts';
import type { Pixels, Point, Size } from '../../../../runtime/core/screen.ts';
import type { EvaluateInPage } from '../../../../runtime/environments/web/miniwob/episode.ts';
import { pathOf } from '../../../../runtime/environments/web/miniwob/episode.ts';
import { MINIWOB } from './folder.ts';

/** The size of the task. */
export const SIZE: Size = { width: 160, height: 210 };
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.gif': 'image/gif',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.png': 'image/png',
};

export interface PageServer {
  url(page: string): string;
  /** The number of requests without an answer. */
  open(): number;
  close(): void;
}

export async function servePages(): Promise<PageServer> {
  let open = 0;
  const server: Server = createServer((request, response) => {
    open += 1;
    response.on('close', () => {
      open -= 1;
    });
    const path = normalize(new URL(request.url ?? '', 'http://localhost').pathname);
    readFile(join(MINIWOB, path)).then(
      bytes => response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' }).end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: page => `http://127.0.0.1:${port}${pathOf(page)}`,
    open: () => open,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Elements of the accessibility tree: role, name, value and states. */
type Tree = readonly string[];

export class OpenPage {
  constructor(
    readonly session: CDPSession,
    readonly server: PageServer,
    readonly close: () => Promise<void>,
  ) {}

  readonly evaluate: EvaluateInPage = async expression => {
    const { result, exceptionDetails } = await this.session.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };

  async load(page: string): Promise<void> {
    const loaded = new Promise<void>(resolve => this.session.once('Page.loadEventFired', () => resolve()));
    await this.session.send('Page.navigate', { url: this.server.url(page) });
    await loaded;
  }

  async move({ x, y }: Point): Promise<void> {
    await this.session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
  }

  async press({ x, y }: Point): Promise<void> {
    const button = { x, y, button: 'left', clickCount: 1 } as const;
    await this.session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...button });
  }

  async release({ x, y }: Point): Promise<void> {
    const button = { x, y, button: 'left', clickCount: 1 } as const;
    await this.session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...button });
  }

  async type(text: string): Promise<void> {
    await this.session.send('Input.insertText', { text });
  }

  /** When animations and requests have ended. */
  async picture(): Promise<Pixels> {
    for (let [last, same] = ['', 0]; ; ) {
      const { data } = await this.session.send('Page.captureScreenshot', { format: 'png' });
      same = data === last && this.server.open() === 0 && !(await this.#isMoving()) ? same + 1 : 0;
      if (same === 2) return decodePng(Buffer.from(data, 'base64'), SIZE.width * SIZE.height * 4);
      last = data;
    }
  }

  #isMoving(): Promise<unknown> {
    return this.evaluate(
      `window.jQuery?.timers.length > 0 || document.getAnimations().some(each => each.playState === 'running')`,
    );
  }

  async tree(): Promise<Tree> {
    const { nodes } = await this.session.send('Accessibility.getFullAXTree');
    return nodes
      .filter(({ ignored }) => !ignored)
      .map(({ role, name, value, properties = [] }) => {
        const states = properties
          .filter(each => ['checked', 'disabled', 'expanded', 'focused', 'selected'].includes(each.name))
          .map(each => `${each.name}=${each.value.value}`);
        return [role?.value, name?.value, value?.value, ...states].join(' | ');
      });
  }
}

export async function openPage(browser: Browser, server: PageServer): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: SIZE, locale: 'en-US', timezoneId: 'UTC' });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Page.enable');
  return new OpenPage(session, server, () => context.close());
}
