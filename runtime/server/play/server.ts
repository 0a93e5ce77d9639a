// The server of the page for using a desktop by hand: each connection has a desktop of its own.

import type { Clock } from '../../core/clock.ts';
import type { Random } from '../../core/rng.ts';
import type { PocketSuite } from '../../environments/pocket/tasks/suite.ts';
import { PLAY_PATH } from '../../protocol/play.ts';
import { checkOrigin } from '../http/auth.ts';
import { addressWith, listen } from '../http/listen.ts';
import { readPages } from '../http/static-files.ts';
import { connect } from './connection.ts';

/** A request is a few hundred bytes. */
const LONGEST_REQUEST = 64 * 1024;

export interface PlayOptions {
  /** Where the page's files are. */
  readonly pages: URL;
  /** 0 takes any that is free. */
  readonly port: number;
  /** Whoever knows it is let in. */
  readonly token: string;
  /** The tasks that a page may pick from. */
  readonly suite: PocketSuite;
  readonly clock: Clock;
  readonly random: Random;
}

export interface PlayServer {
  readonly port: number;
  /** For a browser: with the token, which stays in the browser since it stands behind a '#'. */
  readonly address: string;
  /** Sends everybody away; resolves when nothing is left open. */
  close(): Promise<void>;
}

export async function startPlay(options: PlayOptions): Promise<PlayServer> {
  const { pages, port, token, suite, clock, random } = options;
  let count = 0;
  const listening = await listen({
    pages: await readPages(pages, 'play'),
    port,
    socketPath: PLAY_PATH,
    longest: LONGEST_REQUEST,
    checkOrigin,
    connect: socket => {
      const name = `play-${++count}`;
      return connect(socket, { name, token, suite, clock, random: random.fork(name) });
    },
    clock,
  });
  return { ...listening, address: addressWith(token, listening.port) };
}
