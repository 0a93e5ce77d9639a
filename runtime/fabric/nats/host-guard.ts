// The daemon's check of all that joined hosts send. A host is another machine, so nothing that it sends is certain.

export interface HostGuard {
  /** The value for the daemon's modules. Undefined for one that is dropped; the guard has reported it then. */
  accept(channel: string, value: unknown, host: string): { readonly value: unknown } | undefined;
  /** A message of the host contains no value. */
  unreadable(channel: string, host: string, error: Error): void;
}
