// What reaches every program of a terminal, or of a service, does not end a child process: it may have something to save, and when it ends
// is its parent's to say. Once the parent is gone it ends by itself.

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function leaveSignalsToParent(): void {
  for (const signal of SIGNALS) process.on(signal, () => undefined);
}
