// The messages between the daemon's server for hosts and a host that joins. Both sides check them.

import * as z from 'zod';
import { MAX_BLOB_BYTES } from '../blobs/blobs.ts';

export const JOIN_PATH = '/v1/join';
export const RENEW_PATH = '/v1/renew';
export const LEAVE_PATH = '/v1/leave';
/** The hash follows. */
export const BLOBS_PATH = '/v1/blobs/';
/** The hash follows. Of runs with a store of blobs. */
export const LINKS_PATH = '/v1/links/';
/** A question to the model of the run. */
export const ASK_PATH = '/v1/ask';
/** Requests of people for desktops of the host, and its replies. */
export const LOANS_PATH = '/v1/loans';
export const LOANED_PATH = '/v1/loaned';

/** Of a JSON message. */
export const MAX_MESSAGE_BYTES = 1024 * 1024;

/** The status of a reply to a host that the daemon does not know, or not any more. */
export const UNKNOWN = 401;
/** The status of a reply to a host that sent wrong values: it may not join again by itself. */
export const REFUSED = 403;

/** The status of a reply while the daemon does not reach the broker. */
export const UNAVAILABLE = 503;

/** The status of a reply to a post that has no answer yet. The host posts it again. */
export const NO_ANSWER_YET = 202;
/** A question refers to blobs that were collected. The host puts them again. */
export const BLOBS_GONE = 409;

/** The token of a host ends so long after its last request. */
export const HOST_TTL_MS = 60_000;

const text = z.string().min(1).max(10_000);

/**
 * The largest machines have a few hundred cores, and a core plays a few desktops. The daemon handles a host's posts and questions by this number,
 * and keeps a picture per desktop and size while a page shows them.
 */
export const MAX_HOST_DESKTOPS = 1000;
/** A worker uses a core, and serves many desktops. */
export const MAX_HOST_WORKERS = 64;

const offers = z.strictObject({
  desktops: z.int().min(1).max(MAX_HOST_DESKTOPS),
  /** Policy workers. */
  policy: z.int().min(1).max(MAX_HOST_WORKERS),
});

export const joinRequest = z.strictObject({
  /** It becomes a part of the ids of desktops, and of subjects. */
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$/),
  /** The version of Dartboard. */
  program: z.string().min(1).max(100),
  offers,
});

export type JoinRequest = z.infer<typeof joinRequest>;
export type HostOffers = z.infer<typeof offers>;

/** BrokerAccess of the fabric, as plain data. */
const brokerLogin = z.strictObject({
  servers: z.array(text).min(1).max(100),
  user: text.exactOptional(),
  password: text.exactOptional(),
  creds: text.exactOptional(),
  ca: z.string().max(100_000).exactOptional(),
});

export type BrokerLogin = z.infer<typeof brokerLogin>;

export const joinReply = z.strictObject({
  run: text,
  epoch: text,
  /** The name of this host in the run. */
  host: text,
  /** The description of the run that the host needs to play. */
  start: z.unknown(),
  broker: brokerLogin,
  /** Their blobs are in a store of their own, and the daemon has links to it. */
  hasStore: z.boolean(),
  /** For blobs and renewals. */
  token: text,
});

export type JoinReply = z.infer<typeof joinReply>;

/** A host wants to transfer a blob itself. */
export const linkRequest = z.discriminatedUnion('use', [
  z.strictObject({ use: z.literal('get') }),
  z.strictObject({ use: z.literal('put'), bytes: z.int().min(0).max(MAX_BLOB_BYTES) }),
]);

export type LinkRequest = z.infer<typeof linkRequest>;

/** Without a link to put, the blob is there already. */
export const linkReply = z.strictObject({ link: text.exactOptional() });

export type LinkReply = z.infer<typeof linkReply>;

export const renewReply = z.strictObject({ broker: brokerLogin });

export type RenewReply = z.infer<typeof renewReply>;

export const errorReply = z.object({ error: z.string().max(10_000) });
