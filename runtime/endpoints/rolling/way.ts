// A way to give weights to one server. adapter-way.ts, pause-way.ts and restart-way.ts implement it.

import type { Clock } from '../../core/clock.ts';
import type { Version } from '../../core/ids.ts';
import type { EndpointClient } from '../client.ts';
import type { ServedWeights } from '../served-weights.ts';
import type { ServerKind } from '../server-identity.ts';
import type { WireDialect } from '../wire-request.ts';

/** Weights that servers can load. */
export interface PublishedVersion {
  /** Optimiser steps. */
  readonly version: Version;
  /** As the servers see it: the folder of an adapter, or the weights. */
  readonly path: string;
}

/** The server that gets weights. */
export interface WayContext {
  readonly client: Pick<EndpointClient, 'name' | 'chat' | 'get' | 'getFromRoot' | 'control'>;
  readonly kind: ServerKind;
  /** The name of the model in requests, before any update. */
  readonly model: string;
  readonly dialect: WireDialect;
  readonly clock: Clock;
}

export interface Way {
  /** Whether the server must have no requests while it loads. */
  readonly drains: boolean;
  /** Rejects with an Error that says which step failed, or with the reason of the signal. Then the weights of a drained server are unknown. */
  load(weights: PublishedVersion, signal: AbortSignal): Promise<ServedWeights>;
  /** Ways without adapters replace the weights instead. */
  unload?(model: string, signal: AbortSignal): Promise<void>;
  /** The adapters of the run that the server lists, also those of earlier processes of the run. Rejects if it lists no models. */
  adapters?(signal: AbortSignal): Promise<readonly ServedWeights[]>;
}

/** The name of an adapter. A number never names two different weights of a run, so the name does not either. */
export type AdapterName = (version: Version) => string;
