// The versions of a policy that the server offers. It reads the file of the weights again when it changes, as it does while their run
// trains: each version has a name of its own, and one name follows the newest version.

import { createHash } from 'node:crypto';
import type { NetworkShape } from '../agents/compact/network.ts';
import { sentenceOf } from '../core/errors.ts';
import type { Version } from '../core/ids.ts';
import type { Mode, Weights } from '../core/policy.ts';
import { ApiError } from './api-error.ts';
import type { ModelCard } from './backend.ts';

export interface ServedVersion {
  readonly id: string;
  readonly version: Version;
  /** Equal for equal weights. */
  readonly fingerprint: string;
  /** Seconds since 1970. */
  readonly created: number;
}

/** Weights as they were read. */
export interface LoadedPolicy {
  readonly shape: NetworkShape;
  readonly mode: Mode;
  readonly weights: Weights;
  /** Milliseconds since 1970: when the file was written. */
  readonly writtenAt: number;
}

export interface ServedVersionsOptions {
  /** The name that follows the newest version. */
  readonly name: string;
  readonly first: LoadedPolicy;
  /** Undefined if the file has not changed since the last call. May reject. */
  readonly reload: () => Promise<LoadedPolicy | undefined>;
  readonly pool: { publish(weights: Weights): void; pin(weights: Weights): void; unpin(of: Version): void };
  /** Reports weights that cannot be served. */
  readonly notice: (text: string) => void;
}

/** The weights of a version take about 2 MB in each of two processes. */
const KEPT_VERSIONS = 4;

export class ServedVersions {
  readonly #options: ServedVersionsOptions;
  /** The newest first; never empty. */
  #served: readonly ServedVersion[] = [];
  #reloading: Promise<void> | undefined;
  /** Why the last reading failed. Each request reads the file, so an equal reason is reported once. */
  #problem: string | undefined;

  constructor(options: ServedVersionsOptions) {
    this.#options = options;
    this.#serve(options.first);
  }

  /** The version that a request names; throws an ApiError if it is not served. */
  async find(model: string): Promise<ServedVersion> {
    await this.#refresh();
    const [newest] = this.#served;
    const found = model === this.#options.name ? newest : this.#served.find(({ id }) => id === model);
    if (found !== undefined) return found;
    const names = [this.#options.name, ...this.#served.map(({ id }) => id)];
    throw new ApiError(404, `The model '${model}' is not served. Use one of ${names.join(', ')}.`, {
      ...{ type: 'not_found_error', param: 'model', code: 'model_not_found' },
    });
  }

  async cards(): Promise<readonly ModelCard[]> {
    await this.#refresh();
    const cards = this.#served.map(({ id, created }) => ({ id, created }));
    const [newest] = cards;
    return newest === undefined
      ? []
      : [{ id: this.#options.name, created: newest.created, alias: newest.id }, ...cards];
  }

  /** Requests that arrive meanwhile share one reading of the file. */
  #refresh(): Promise<void> {
    this.#reloading ??= this.#reload().finally(() => {
      this.#reloading = undefined;
    });
    return this.#reloading;
  }

  async #reload(): Promise<void> {
    const { first, reload } = this.#options;
    try {
      const loaded = await reload();
      if (loaded === undefined) {
        this.#report(undefined);
        return;
      }
      const isSame =
        JSON.stringify([loaded.shape, loaded.mode]) === JSON.stringify([first.shape, first.mode]);
      if (isSame) this.#serve(loaded);
      this.#report(
        isSame
          ? undefined
          : 'The new weights have another network or mode and are not served. Start the server again.',
      );
    } catch (error) {
      // The run may be replacing the file.
      this.#report(
        `The new weights cannot be read: ${sentenceOf(error)} The versions that were read stay in service. Restore the file, or start the server again.`,
      );
    }
  }

  #report(problem: string | undefined): void {
    if (problem !== undefined && problem !== this.#problem) this.#options.notice(problem);
    this.#problem = problem;
  }

  #serve({ weights, writtenAt }: LoadedPolicy): void {
    const { name, pool } = this.#options;
    const served: ServedVersion = {
      id: `${name}-v${weights.version}`,
      version: weights.version,
      fingerprint: `fp_${createHash('sha256').update(weights.blob).digest('hex').slice(0, 16)}`,
      created: Math.floor(writtenAt / 1000),
    };
    pool.pin(weights);
    pool.publish(weights);
    const others = this.#served.filter(each => each.version !== served.version);
    this.#served = [served, ...others].slice(0, KEPT_VERSIONS);
    for (const dropped of others.slice(KEPT_VERSIONS - 1)) pool.unpin(dropped.version);
  }
}
