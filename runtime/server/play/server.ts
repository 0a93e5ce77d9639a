// The server of `dartboard play`: a page on which a person uses a pocket desktop. Each connection has its own desktop.

import type { Clock } from '../../core/clock.ts';
import type { Random } from '../../core/rng.ts';
import type { PocketSuite } from '../../environments/pocket/tasks/suite.ts';
import { PLAY_PATH, PLAY_VERSION, request } from '../../protocol/play.ts';
import { addressWith, type HttpListener, listen } from '../http/listen.ts';
import { readPages } from '../http/static-files.ts';
import { connectClient } from '../socket-client.ts';
import { PlaySession } from './session.ts';

/** A request is a few hundred bytes. */
const MAX_REQUEST_BYTES = 64 * 1024;

export interface PlayServerOptions {
  /** The folder of the page's files. */
  readonly pages: URL;
  /** 0 takes any free port. */
  readonly port: number;
  /** Authenticates pages. */
  readonly token: string;
  /** The tasks that a page may start. */
  readonly suite: PocketSuite;
  readonly clock: Clock;
  readonly random: Random;
}

export interface PlayServer extends HttpListener {
  /** For a browser, with the token. */
  readonly address: string;
}

export async function startPlay(options: PlayServerOptions): Promise<PlayServer> {
  const { pages, port, token, suite, clock, random } = options;
  let count = 0;
  const listener = await listen({
    pages: await readPages(pages, 'play'),
    port,
    socketPath: PLAY_PATH,
    maxMessageBytes: MAX_REQUEST_BYTES,
    connect: (socket, takeSlot) => {
      const name = `play-${++count}`;
      return connectClient(socket, takeSlot, {
        ...{ version: PLAY_VERSION, request, token, clock },
        enter: page => new PlaySession({ name, suite, clock, random: random.fork(name), page }),
      });
    },
    clock,
  });
  return { ...listener, address: addressWith(token, listener.port) };
}
