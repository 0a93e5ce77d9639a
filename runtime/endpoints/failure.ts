// The causes of failed requests. A reply that arrived completely is never a failure, whatever it says.

import { BoundaryError } from '../core/failure.ts';

/**
 * unreachable: no connection, or it was reset before a reply.
 * timeout: no reply within the deadline.
 * rate-limited: status 429.
 * server-error: status 5xx.
 * bad-reply: the body is not the JSON that the protocol requires.
 * unauthorized: status 401, 402 or 403.
 * bad-request: any other status 4xx.
 * no-such-model: status 404, or a model list without the model.
 * budget: the budget of tokens or money is spent.
 * outage: no server of the agent worked for too long.
 */
export const ENDPOINT_CAUSES = [
  'unreachable',
  'timeout',
  'rate-limited',
  'server-error',
  'bad-reply',
  'unauthorized',
  'bad-request',
  'no-such-model',
  'budget',
  'outage',
] as const;
export type EndpointCause = (typeof ENDPOINT_CAUSES)[number];

export class EndpointError extends BoundaryError {
  constructor(
    /** Named `reason`, because `cause` belongs to Error. */
    readonly reason: EndpointCause,
    endpoint: string,
    message: string,
    /** The delay that the server asks for before the next request. */
    readonly delayMs?: number,
    /** The status and the message of the server, without advice. */
    readonly reported?: string,
  ) {
    super({
      ...{ boundary: 'provider', thing: endpoint, message },
      ...(!isTemporary(reason) && { isPermanent: true }),
    });
  }
}

/** Another attempt may succeed; the other causes persist until a person changes something. */
const TEMPORARY: readonly EndpointCause[] = [
  'unreachable',
  'timeout',
  'rate-limited',
  'server-error',
  'bad-reply',
];

/** Every later request to the same server would fail for the same reason, and one to another server need not. */
export const concernsServer = (reason: EndpointCause): boolean =>
  reason === 'unauthorized' || reason === 'no-such-model';

/** Every later request of the agent would fail for the same reason. */
export const concernsAllRequests = (reason: EndpointCause): boolean =>
  concernsServer(reason) || reason === 'budget' || reason === 'outage';

export const isTemporary = (reason: EndpointCause): boolean => TEMPORARY.includes(reason);

/** The server may reject what the request contains. Some servers answer an unsupported field with 500, and some gateways with 404. */
export const isRefusal = (reason: EndpointCause): boolean =>
  reason === 'bad-request' || reason === 'server-error' || reason === 'no-such-model';
