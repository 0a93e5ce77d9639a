// A model server that loads weights while it runs: the double of a model server with the control routes of its program, and with faults of
// updates. The text of a reply is the path of the weights that decided.

import { WeightControl } from '../../../runtime/bench/endpoint/weight-control.ts';
import type { Clock } from '../../../runtime/core/clock.ts';
import type { HttpReply, HttpRequest, HttpTransport } from '../../../runtime/endpoints/http-transport.ts';
import { type LanguageModel, ModelServer } from './model-server.ts';
import { errorReply, json } from './replies.ts';
import { type ServerTraits, SGLANG, VLLM } from './traits.ts';

/** What happens to the next control request whose path ends in `route`. */
export interface UpdateFault {
  readonly route: string;
  /**
   * fail: status 500. slow: it takes `ms` longer. lie: it succeeds without an effect. die: the connection is reset, and the server is down for
   * `ms`; then it has its first weights.
   */
  readonly kind: 'fail' | 'slow' | 'lie' | 'die';
  readonly ms?: number;
}

export interface UpdatableServerOptions {
  readonly kind: 'vllm' | 'sglang';
  readonly clock: Clock;
  readonly traits?: Partial<ServerTraits>;
  /** Of a chat. */
  readonly latencyMs?: number;
  readonly loadMs?: number;
  readonly maxAdapters?: number;
  /** Default: it writes the path of the weights. */
  readonly model?: LanguageModel;
}

const MODEL = 'tars';
export const FIRST_PATH = '/weights/0';

export class UpdatableServer implements HttpTransport {
  readonly control: WeightControl;
  /** Taken in order. */
  readonly faults: UpdateFault[] = [];
  /** The paths of control requests. */
  readonly controlled: string[] = [];
  chats = 0;
  inFlight = 0;
  readonly #options: UpdatableServerOptions;
  readonly #server: ModelServer;
  /** Ends running requests when the server dies. */
  #life = new AbortController();
  #downUntil = -Infinity;
  #path = FIRST_PATH;

  constructor(options: UpdatableServerOptions) {
    const { kind, clock, traits = {}, loadMs = 2000, maxAdapters, latencyMs = 500 } = options;
    const { model = () => this.#path } = options;
    this.#options = options;
    this.control = new WeightControl({
      ...{ kind, model: MODEL, clock, loadMs, path: FIRST_PATH, version: kind === 'vllm' ? '0' : 'default' },
      ...(maxAdapters !== undefined && { maxAdapters }),
    });
    const { control } = this;
    const defaults = kind === 'vllm' ? VLLM : SGLANG;
    this.#server = new ModelServer({
      traits: {
        ...{ ...defaults, names: [MODEL], prefillMs: latencyMs, ...traits },
        get adapters() {
          return control.adapters;
        },
        get root() {
          return control.path;
        },
        get weightVersions() {
          return [control.version];
        },
      },
      clock,
      model,
    });
  }

  async send(request: HttpRequest): Promise<HttpReply> {
    if (this.#options.clock.now() < this.#downUntil) throw refusedConnection();
    const { pathname } = new URL(request.url);
    const signal = AbortSignal.any([request.signal, this.#life.signal]);
    const isChat = pathname.endsWith('/chat/completions');
    if (request.method === 'GET') return this.#server.send(request);
    return isChat
      ? this.#chat({ ...request, signal })
      : this.#controlRequest(pathname, { ...request, signal });
  }

  close(): void {}

  /** All connections are reset. After so long, the server runs with its first weights, or with others. */
  die(ms: number, path = FIRST_PATH): void {
    this.#downUntil = this.#options.clock.now() + ms;
    const ended = this.#life;
    this.#life = new AbortController();
    this.control.restart(path);
    ended.abort(resetConnection());
  }

  async #chat(request: HttpRequest): Promise<HttpReply> {
    this.chats += 1;
    this.inFlight += 1;
    try {
      const model = /"model":"([^"]*)"/.exec(textOf(request))?.[1] ?? '';
      const chat = await unlessAborted(this.control.begin(model, request.signal), request.signal);
      // The double knows what to answer.
      if (chat === undefined) return await this.#server.send(request);
      try {
        // Read synchronously by the model of the double.
        this.#path = chat.path;
        return await this.#server.send(request);
      } finally {
        chat.end();
      }
    } finally {
      this.inFlight -= 1;
    }
  }

  async #controlRequest(pathname: string, request: HttpRequest): Promise<HttpReply> {
    this.controlled.push(pathname);
    const next = this.faults.findIndex(({ route }) => pathname.endsWith(route));
    const [fault] = next < 0 ? [] : this.faults.splice(next, 1);
    const { clock } = this.#options;
    if (fault?.kind === 'fail') return errorReply(500, 'CUDA out of memory');
    if (fault?.kind === 'lie') return json(200, { success: true, message: 'done' });
    if (fault?.kind === 'slow') await clock.sleep(fault.ms ?? 0, request.signal);
    if (fault?.kind === 'die') {
      this.die(fault.ms ?? 10_000);
      throw resetConnection();
    }
    const text = textOf(request);
    const handled = this.control.handle(pathname, text === '' ? {} : JSON.parse(text));
    const reply = await unlessAborted(handled, request.signal);
    return reply === undefined ? errorReply(404, 'Not Found') : json(reply.status, reply.body);
  }
}

const textOf = ({ body }: HttpRequest): string =>
  body.map(part => Buffer.from(part).toString('utf8')).join('');

const refusedConnection = (): Error =>
  Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const resetConnection = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
