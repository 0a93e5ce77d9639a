// The process of a learner that can be killed: nothing that it does afterwards reaches the server or its files.

import type {
  HttpBytesReply,
  HttpBytesTransport,
  HttpRequest,
} from '../../../runtime/endpoints/http-transport.ts';
import type { JournalFiles } from '../../../runtime/learner/tinker/journal.ts';

export class Process implements HttpBytesTransport, JournalFiles {
  isAlive = true;
  /** Points that were passed: before and after each request and each write. Heartbeats do not count. */
  points = 0;
  readonly #server: HttpBytesTransport;
  readonly #files: JournalFiles;
  readonly #lastPoint: number;

  /** It is killed at this point. */
  constructor(server: HttpBytesTransport, files: JournalFiles, lastPoint = Infinity) {
    this.#server = server;
    this.#files = files;
    this.#lastPoint = lastPoint;
  }

  kill(): void {
    this.isAlive = false;
  }

  async sendForBytes(request: HttpRequest): Promise<HttpBytesReply> {
    const isHeartbeat = request.url.endsWith('/session_heartbeat');
    if (isHeartbeat) this.#checkAlive();
    else this.#pass();
    const reply = await this.#server.sendForBytes(request);
    if (!isHeartbeat) this.#pass();
    return reply;
  }

  async write(place: string, bytes: Uint8Array): Promise<void> {
    this.#pass();
    await this.#files.write(place, bytes);
    this.#pass();
  }

  async read(place: string): Promise<Uint8Array> {
    this.#checkAlive();
    return this.#files.read(place);
  }

  async remove(place: string): Promise<void> {
    this.#pass();
    await this.#files.remove(place);
  }

  close(): void {}

  #pass(): void {
    this.#checkAlive();
    if (this.points === this.#lastPoint) this.isAlive = false;
    this.#checkAlive();
    this.points += 1;
  }

  #checkAlive(): void {
    if (!this.isAlive) throw new Error('The process was killed.');
  }
}
