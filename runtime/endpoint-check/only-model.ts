// Finds the model of a server that serves one.

import type { Clock } from '../core/clock.ts';
import type { EndpointClient } from '../endpoints/client.ts';
import { readModelList } from '../endpoints/model-list.ts';
import { repeated } from '../endpoints/repeated-request.ts';

const MAX_NAMES = 10;

/** Rejects with a RangeError that lists the models, and with an EndpointError if the server does not answer. */
export async function onlyModel(
  client: Pick<EndpointClient, 'get'>,
  url: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<string> {
  const models = readModelList(await repeated(() => client.get('/models', signal), clock, signal));
  // Adapters have their base model beside them.
  const bases = models.filter(({ parent }) => parent === undefined);
  const [first] = bases;
  if (first !== undefined && bases.length === 1) return first.id;
  const names = models.slice(0, MAX_NAMES).map(({ id }) => `'${id}'`);
  const more = models.length > MAX_NAMES ? ` and ${models.length - MAX_NAMES} more` : '';
  throw new RangeError(
    models.length === 0
      ? `The server at ${url} lists no models. Name the model with --model.`
      : `The server at ${url} lists ${models.length} models: ${names.join(', ')}${more}. Name one with --model.`,
  );
}
