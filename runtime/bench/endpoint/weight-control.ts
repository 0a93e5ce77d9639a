// The control routes of a server that loads weights while it runs, as vLLM and SGLang offer them: adapters, pause and resume, weights from
// disk, and the version of the weights. The path of the weights stands for the weights. Without HTTP, for the benchmark's server and for the
// double of the tests.

import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';

export interface WeightControlOptions {
  readonly kind: 'vllm' | 'sglang';
  /** The name of the model in requests. */
  readonly model: string;
  readonly clock: Clock;
  /** The time to load an adapter or weights. */
  readonly loadMs: number;
  /** Of the weights at the start. */
  readonly path: string;
  readonly version: string;
  /** More adapters remove the one that was used longest ago. Default: unlimited. */
  readonly maxAdapters?: number;
}

export interface ControlReply {
  readonly status: number;
  readonly body: unknown;
}

/** A running chat. */
export interface RunningChat {
  /** Of the weights that answer. */
  readonly path: string;
  end(): void;
}

const loadBody = z.object({ lora_name: z.string(), lora_path: z.string() });
const unloadBody = z.object({ lora_name: z.string() });
const updateBody = z.object({ update_info: z.object({ path: z.string() }) });
const finishBody = z.object({ weight_version: z.string() });
const diskBody = z.object({ model_path: z.string(), weight_version: z.string() });

export class WeightControl {
  /** Chats that ran while their weights changed. */
  straddled = 0;
  readonly #options: WeightControlOptions;
  /** Paths by name; the one that was used longest ago first. */
  readonly #adapters = new Map<string, string>();
  /** Names and paths of the running chats. */
  readonly #running = new Set<{ readonly model: string }>();
  #waiting: (() => void)[] = [];
  #isPaused = false;
  /** How often it was started again. */
  #starts = 0;
  #path: string;
  #version: string;
  #pending: string | undefined;

  constructor(options: WeightControlOptions) {
    this.#options = options;
    this.#path = options.path;
    this.#version = options.version;
  }

  /** Of the weights without an adapter. */
  get version(): string {
    return this.#version;
  }

  get path(): string {
    return this.#path;
  }

  /** Of the weights behind a name; undefined for a model that is not served. */
  pathOf(model: string): string | undefined {
    if (model === this.#options.model) return this.#path;
    const name = this.#adapterOf(model);
    return name === undefined ? undefined : this.#adapters.get(name);
  }

  /** The names in requests. */
  get adapters(): readonly string[] {
    return [...this.#adapters.keys()].map(name => this.#served(name));
  }

  /** A server that was started again has its first weights, or others. Its running chats and control requests are over. */
  restart(path = this.#options.path): void {
    this.#starts += 1;
    this.#adapters.clear();
    this.#running.clear();
    this.#isPaused = false;
    this.#pending = undefined;
    this.#path = path;
    this.#version = this.#options.version;
    this.#wake();
  }

  /** Removes all adapters. */
  evict(): void {
    this.#adapters.clear();
  }

  /** Waits while the server is paused. Undefined for a model that is not served. Rejects if the signal is aborted first. */
  async begin(model: string, signal: AbortSignal): Promise<RunningChat | undefined> {
    while (this.#isPaused && !signal.aborted) await this.#woken();
    signal.throwIfAborted();
    const path = this.#use(model);
    if (path === undefined) return undefined;
    const chat = { model };
    this.#running.add(chat);
    return {
      path,
      end: () => {
        this.#running.delete(chat);
        this.#wake();
      },
    };
  }

  /** Undefined for a path that is no control route. */
  async handle(pathname: string, body: unknown): Promise<ControlReply | undefined> {
    const route = this.#routes()[pathname];
    return route === undefined ? undefined : await route(body);
  }

  #routes(): Readonly<Record<string, (body: unknown) => Promise<ControlReply>>> {
    if (this.#options.kind === 'vllm')
      return {
        '/v1/load_lora_adapter': body => this.#load(body),
        '/v1/unload_lora_adapter': body => this.#unload(body),
        '/pause': () => this.#pause(),
        '/resume': () => this.#resume(),
        '/start_weight_update': async () => OK,
        '/update_weights': async body => {
          this.#pending = updateBody.parse(body).update_info.path;
          return OK;
        },
        '/finish_weight_update': body => this.#finish(body),
        '/weight_info': async () => ({ status: 200, body: { weight_version: this.#version } }),
      };
    return {
      '/load_lora_adapter': body => this.#load(body),
      '/unload_lora_adapter': body => this.#unload(body),
      '/pause_generation': () => this.#pause(),
      '/continue_generation': () => this.#resume(),
      '/update_weights_from_disk': async body => {
        const { model_path, weight_version } = diskBody.parse(body);
        return this.#replace(model_path, weight_version);
      },
      '/model_info': async () => ({ status: 200, body: { weight_version: this.#version } }),
    };
  }

  async #load(body: unknown): Promise<ControlReply> {
    const { lora_name: name, lora_path: path } = loadBody.parse(body);
    if (this.#adapters.has(name)) return refused(400, `The lora adapter '${name}' has already been loaded.`);
    if (!(await this.#work())) return ENDED;
    this.#adapters.set(name, path);
    const { maxAdapters = Infinity } = this.#options;
    const [oldest] = this.#adapters.keys();
    if (this.#adapters.size > maxAdapters && oldest !== undefined) this.#adapters.delete(oldest);
    return OK;
  }

  async #unload(body: unknown): Promise<ControlReply> {
    const { lora_name: name } = unloadBody.parse(body);
    const served = this.#served(name);
    if (!this.#adapters.delete(name)) return refused(404, `The lora adapter '${name}' cannot be found.`);
    this.straddled += [...this.#running].filter(({ model }) => model === served).length;
    return OK;
  }

  /** Waits for running chats. */
  async #pause(): Promise<ControlReply> {
    this.#isPaused = true;
    while (this.#running.size > 0 && this.#isPaused) await this.#woken();
    return OK;
  }

  async #resume(): Promise<ControlReply> {
    this.#isPaused = false;
    this.#wake();
    return OK;
  }

  async #finish(body: unknown): Promise<ControlReply> {
    const { weight_version } = finishBody.parse(body);
    if (this.#pending === undefined) return refused(400, 'No weight update is active.');
    return this.#replace(this.#pending, weight_version);
  }

  async #replace(path: string, version: string): Promise<ControlReply> {
    if (!(await this.#work())) return ENDED;
    const { model: own } = this.#options;
    this.straddled += [...this.#running].filter(({ model }) => model === own).length;
    this.#path = path;
    this.#version = version;
    this.#pending = undefined;
    return OK;
  }

  /** Loads something. Whether the server is still the same after it. */
  async #work(): Promise<boolean> {
    const starts = this.#starts;
    await this.#options.clock.sleep(this.#options.loadMs);
    return starts === this.#starts;
  }

  #served(name: string): string {
    return this.#options.kind === 'sglang' ? `${this.#options.model}:${name}` : name;
  }

  /** Marks an adapter as used last. */
  #use(model: string): string | undefined {
    const path = this.pathOf(model);
    const name = this.#adapterOf(model);
    if (path === undefined || name === undefined) return path;
    this.#adapters.delete(name);
    this.#adapters.set(name, path);
    return path;
  }

  #adapterOf(model: string): string | undefined {
    return [...this.#adapters.keys()].find(name => this.#served(name) === model);
  }

  #woken(): Promise<void> {
    return new Promise(resolve => this.#waiting.push(resolve));
  }

  #wake(): void {
    const all = this.#waiting;
    this.#waiting = [];
    for (const wake of all) wake();
  }
}

const OK: ControlReply = { status: 200, body: { success: true, message: 'done' } };
const ENDED: ControlReply = { status: 500, body: { error: { message: 'The server ended.', code: 500 } } };
const refused = (status: number, message: string): ControlReply => ({
  status,
  body: { error: { message, code: status } },
});
