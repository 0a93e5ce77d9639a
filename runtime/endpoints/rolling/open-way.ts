// Chooses the way in which a server gets weights, and opens it.

import { version as asVersion, type Version } from '../../core/ids.ts';
import type { EndpointCapabilities } from '../capabilities.ts';
import { dialectOf } from '../capabilities.ts';
import { adapterWay } from './adapter-way.ts';
import { wayOf } from './decide.ts';
import { pauseWay } from './pause-way.ts';
import { type RestartCommand, type RunCommand, restartWay } from './restart-way.ts';
import type { AdapterName, Way, WayContext } from './way.ts';

export interface OpenWayOptions {
  readonly client: WayContext['client'];
  readonly capabilities: EndpointCapabilities;
  readonly clock: WayContext['clock'];
  readonly nameOf: AdapterName;
  readonly restart?: RestartCommand | undefined;
  readonly run: RunCommand;
}

/** Throws a RangeError for a server that cannot load weights. */
export function openWay({ client, capabilities, clock, nameOf, restart, run }: OpenWayOptions): Way {
  const { model, server } = capabilities;
  const context = { client, model, clock, dialect: dialectOf(capabilities) };
  const way = wayOf(server, restart !== undefined);
  if (way === 'adapter') return adapterWay({ ...context, kind: server.kind }, nameOf);
  if (way === 'pause' && (server.kind === 'vllm' || server.kind === 'sglang'))
    return pauseWay({ ...context, kind: server.kind });
  if (restart !== undefined) return restartWay({ ...context, kind: server.kind }, { restart, run, nameOf });
  throw new RangeError(
    `The server '${client.name}' cannot load weights: it offers neither LoRA at run time nor a pause. Start it with one of them, or add 'restart' to its entry of 'endpoints'.`,
  );
}

/**
 * The optimiser steps of the weights that a server has when a run begins: 0, or undefined if nobody knows them. A server keeps the weights
 * that an earlier run loaded, so any other number that it reports can be of another run. A server with the way `restart` need not report a number.
 */
export function firstVersion(
  { weightVersion, server }: Pick<EndpointCapabilities, 'weightVersion' | 'server'>,
  hasRestart: boolean,
): Version | undefined {
  if (weightVersion !== undefined && /^\d+$/.test(weightVersion))
    return Number(weightVersion) === 0 ? asVersion(0) : undefined;
  return wayOf(server, hasRestart) === 'restart' ? undefined : asVersion(0);
}
