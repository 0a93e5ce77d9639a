// The broker of the benchmark: a real nats-server with the keys, certificates and permissions of `dartboard up`, that can be killed.

import { once } from 'node:events';
import { createServer } from 'node:net';
import { freeBytesOf } from '../../core/free-space.ts';
import { isLoopback } from '../../core/loopback.ts';
import { systemClock } from '../../core/system-clock.ts';
import { GuardedServer } from '../../hosts/guarded-server.ts';
import { PID_FILE, STORE_FOLDER, writeNatsFolder } from '../../hosts/nats-folder.ts';
import { findNatsServer } from '../../hosts/nats-server.ts';
import { SecretFolder } from '../../hosts/secret-folder.ts';

export class BenchBroker {
  readonly url: string;
  /** The file for the settings. */
  readonly credentials: string;
  readonly #secrets: SecretFolder;
  readonly #launch: () => Promise<GuardedServer>;
  #server: GuardedServer;

  private constructor(
    about: Pick<BenchBroker, 'url' | 'credentials'>,
    secrets: SecretFolder,
    launch: () => Promise<GuardedServer>,
    server: GuardedServer,
  ) {
    this.url = about.url;
    this.credentials = about.credentials;
    this.#secrets = secrets;
    this.#launch = launch;
    this.#server = server;
  }

  /** Rejects with a RangeError that explains how to install a server. */
  static async start(
    folder: string,
    address: string,
    say: (text: string) => void = () => undefined,
  ): Promise<BenchBroker> {
    const { path: program } = await findNatsServer();
    const secrets = await SecretFolder.open(folder);
    const listen = { host: address, port: await freePort(address) };
    const isEncrypted = !isLoopback(address);
    const { configuration, credentials } = await writeNatsFolder({
      ...{ secrets, listen, atMs: systemClock.now() },
      // The client of NATS compares the certificate with 'localhost' when it connects to an IP address.
      ...(isEncrypted && { certifiedNames: [address, 'localhost'] }),
    });
    const launch = () =>
      GuardedServer.start({
        ...{ program, configuration, clock: systemClock, say },
        ...{ store: secrets.pathOf(STORE_FOLDER), freeBytes: freeBytesOf },
      });
    const url = `${isEncrypted ? 'tls' : 'nats'}://${address}:${listen.port}`;
    return new BenchBroker({ url, credentials }, secrets, launch, await launch());
  }

  /** The process of its server. */
  async pid(): Promise<number> {
    return Number(await this.#secrets.read(PID_FILE));
  }

  /** SIGKILL, as in a crash; the store stays. Resolves when it accepts connections again. */
  async restart(downMs: number): Promise<void> {
    process.kill(await this.pid(), 'SIGKILL');
    await this.#server.ended();
    await this.#server.stop();
    await systemClock.sleep(downMs);
    this.#server = await this.#launch();
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}

/** Fixed, so that hosts find the broker again. */
async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
