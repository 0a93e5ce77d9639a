// What the daemon and a module's process say to each other beside the fabric. Both come from one build: nothing is parsed here.

/** The names of the ports over the one channel between the two. */
export const MODULE_PORT = 'module';
export const FABRIC_PORT = 'fabric';

export type ToModule =
  /** Plain data, as the module's entry wants it. */
  { readonly kind: 'start'; readonly start: unknown } | { readonly kind: 'stop' };

export type FromModule =
  | { readonly kind: 'ready' }
  /** It ends now. Only the first counts. */
  | { readonly kind: 'failed'; readonly message: string };
