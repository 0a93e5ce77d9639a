// The weights that the server of the micro model offers under names: its own, and adapters that are loaded while it runs.

import { decodeMicro, MicroFileError, type SavedMicro } from '../../agents/micro/weights-file.ts';
import { isMissing, sentenceOf } from '../../core/errors.ts';
import { ApiError, badRequest } from '../api-error.ts';
import type { ModelCard } from '../backend.ts';

export interface ServedMicro {
  readonly name: string;
  readonly model: SavedMicro;
  /** Seconds since 1970. */
  readonly created: number;
  /** Of an adapter: as the request named it. */
  readonly path?: string;
}

export interface ServedWeightsOptions {
  /** Under the name of the server. */
  readonly base: ServedMicro;
  /** Rejects with an error of the file system, or an ApiError. */
  readonly read: (path: string) => Promise<Uint8Array>;
  /** Seconds since 1970. */
  readonly now: () => number;
}

export interface AdapterRequest {
  readonly name: string;
  readonly path: string;
  /** Replaces an adapter of the same name. */
  readonly inPlace: boolean;
}

/** The weights of an adapter take about 10 MB. */
export const MAX_ADAPTERS = 16;

export class WeightsRegister {
  readonly #options: ServedWeightsOptions;
  readonly #adapters = new Map<string, ServedMicro>();

  constructor(options: ServedWeightsOptions) {
    this.#options = options;
  }

  get base(): ServedMicro {
    return this.#options.base;
  }

  /** Throws an ApiError. A caller keeps what it found, also if the adapter is replaced or unloaded meanwhile. */
  find(name: string): ServedMicro {
    const found = name === this.base.name ? this.base : this.#adapters.get(name);
    if (found !== undefined) return found;
    const names = [this.base.name, ...this.#adapters.keys()].join(', ');
    throw new ApiError(404, `The model '${name}' is not served. Use one of ${names}.`, {
      ...{ type: 'not_found_error', code: 'model_not_found', param: 'model' },
    });
  }

  cards(): readonly ModelCard[] {
    return [this.base, ...this.#adapters.values()].map(({ name, created, path }) => ({
      ...{ id: name, created },
      ...(path !== undefined && { adapter: { path, parent: this.base.name } }),
    }));
  }

  /** Rejects with an ApiError; then the adapters are as before. */
  async load(request: AdapterRequest): Promise<void> {
    this.#checkName(request);
    const model = await this.#read(request.path);
    // Another request may have loaded it meanwhile.
    this.#checkName(request);
    const { name, path } = request;
    this.#adapters.set(name, { name, path, model, created: this.#options.now() });
  }

  unload(name: string): void {
    if (this.#adapters.delete(name)) return;
    throw new ApiError(404, `The adapter '${name}' is not loaded. GET /v1/models lists the adapters.`, {
      ...{ type: 'not_found_error', param: 'lora_name' },
    });
  }

  #checkName({ name, inPlace }: AdapterRequest): void {
    if (name === this.base.name)
      throw badRequest('lora_name', `The name '${name}' belongs to the server. Choose another one.`);
    if (this.#adapters.has(name) && !inPlace)
      throw badRequest(
        'lora_name',
        `The adapter '${name}' is loaded already. Use another name for other weights, or set 'load_inplace' to true.`,
      );
    if (!this.#adapters.has(name) && this.#adapters.size >= MAX_ADAPTERS)
      throw badRequest('lora_name', `${MAX_ADAPTERS} adapters are loaded. Unload one that no request uses.`);
  }

  async #read(path: string): Promise<SavedMicro> {
    const { shape } = this.base.model;
    try {
      const model = decodeMicro(await this.#options.read(path), path);
      if (JSON.stringify(model.shape) === JSON.stringify(shape)) return model;
      throw badRequest(
        'lora_path',
        `The weights in '${path}' have the network ${JSON.stringify(model.shape)}, the server ${JSON.stringify(shape)}. Load weights that were trained from those of the server.`,
      );
    } catch (error) {
      if (error instanceof MicroFileError) throw badRequest('lora_path', error.message, error);
      if (error instanceof ApiError || !isSystemError(error)) throw error;
      if (!isMissing(error))
        throw badRequest('lora_path', `'${path}' cannot be read: ${sentenceOf(error)} Name a file.`, error);
      throw new ApiError(
        404,
        `There is no file '${path}'. Name a file of weights that this machine can read.`,
        {
          ...{ type: 'not_found_error', param: 'lora_path' },
        },
      );
    }
  }
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'code' in error;
