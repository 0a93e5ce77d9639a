// Several desktops, each behind a port of its own.

import type { Clock } from '../core/clock.ts';
import { type GuestListener, listenForClients } from './guest-http.ts';
import { answerCall } from './routes.ts';
import { ServedDesktop } from './served-desktop.ts';
import type { TakeDesktop } from './served-machine.ts';

export interface GuestServerOptions {
  readonly count: number;
  readonly host: string;
  /** The ports follow one another. 0 takes any free ones. */
  readonly firstPort: number;
  readonly take: TakeDesktop;
  readonly clock: Clock;
  readonly report: (address: string, isHealthy: boolean, message: string) => void;
}

export interface GuestServer {
  readonly addresses: readonly string[];
  /** Resolves when all desktops serve requests. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

interface ServedAddress {
  readonly address: string;
  readonly desktop: ServedDesktop;
  readonly listener: GuestListener;
}

/** Rejects with the reason if a port cannot be used; then nothing stays open. */
export async function serveGuestDesktops(options: GuestServerOptions): Promise<GuestServer> {
  const { count, firstPort } = options;
  const served: ServedAddress[] = [];
  const close = async () => {
    await Promise.all(
      served.map(({ listener, desktop }) => Promise.all([listener.close(), desktop.close()])),
    );
  };
  try {
    for (let index = 0; index < count; index++)
      served.push(await serveOne(options, firstPort === 0 ? 0 : firstPort + index));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    addresses: served.map(({ address }) => address),
    ready: async () => {
      await Promise.all(served.map(({ desktop }) => desktop.ready()));
    },
    close,
  };
}

async function serveOne(options: GuestServerOptions, port: number): Promise<ServedAddress> {
  const { host, take, clock, report } = options;
  // The desktop starts only once its port is open.
  let desktop: ServedDesktop | undefined;
  const listener = await listenForClients({
    ...{ host, port },
    answer: (method, call) => {
      if (desktop === undefined) throw new Error('The desktop does not exist yet. Send the request again.');
      return answerCall(desktop, method, call);
    },
  });
  const address = addressOf(host, listener.port);
  desktop = new ServedDesktop({
    ...{ take, clock },
    report: (isHealthy, message) => report(address, isHealthy, message),
  });
  return { address, desktop, listener };
}

const addressOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
