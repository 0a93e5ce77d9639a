// What a host reports about the servers of a model agent. Pure.

import type { ServerReport, ServersReport } from '../../core/event.ts';
import type { SpentTokens } from '../../endpoints/budget.ts';

/** A server in a snapshot of the router. Its weights are known once a learner has published some. */
interface RoutedServer extends Omit<ServerReport, 'latencyMs'> {
  readonly latencyMs: number | undefined;
}

export const serversReport = (
  { servers, spent }: { readonly servers: readonly RoutedServer[]; readonly spent: SpentTokens },
  { since, hasPrices }: { readonly since: number; readonly hasPrices: boolean },
): ServersReport => ({
  since,
  servers: servers.map(({ name, phase, version, model, inFlight, replies, latencyMs }) => ({
    ...{ name, phase, inFlight, replies },
    ...(version !== undefined && { version }),
    ...(model !== undefined && { model }),
    ...(latencyMs !== undefined && { latencyMs }),
  })),
  spent: {
    ...{ promptTokens: spent.promptTokens, completionTokens: spent.completionTokens },
    ...(hasPrices && { money: spent.money }),
  },
});
