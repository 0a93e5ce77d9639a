// The child's side: leaves signals to the parent, answers calls, and ends with the parent.

import { systemClock } from '../core/system-clock.ts';
import { CALLS_PORT } from './child.ts';
import { childPort } from './child-port.ts';
import type { CallTable } from './messages.ts';
import { OPEN } from './owned-client.ts';
import { type Handlers, serve } from './server.ts';

export interface Service<T extends CallTable, About> {
  /** The reply to OPEN. */
  readonly about: About;
  readonly handlers: Handlers<T>;
  /** Releases what would outlive the process. Called when the parent disconnects or is gone. */
  end?(): Promise<void>;
}

const END_TIMEOUT_MS = 10_000;
/** They reach every process of a terminal or a service. The parent decides when its children end: they may have something to save. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `end` when the parent disconnects or is gone, and then exits. */
export function endWithParent(end: () => Promise<void>): void {
  for (const signal of SIGNALS) process.on(signal, () => undefined);
  const orphaned = () => {
    setTimeout(() => process.exit(1), END_TIMEOUT_MS);
    void end().finally(() => process.exit());
  };
  if (process.connected) process.on('disconnect', orphaned);
  // The parent may have ended before this process began.
  else orphaned();
}

/** Calls run one after another: runs of one ONNX session must not overlap. */
export async function serveChild<T extends CallTable, About>(
  prepare: () => Promise<Service<T, About>>,
): Promise<void> {
  const preparing = prepare();
  endWithParent(async () => (await preparing).end?.());
  // The parent calls the service only after OPEN was answered.
  const handlers = { [OPEN]: async () => (await preparing).about };
  serve(childPort(process, CALLS_PORT), handlers, { isSequential: true, heartbeats: systemClock });
  try {
    Object.assign(handlers, (await preparing).handlers);
  } catch {
    // The reply to OPEN reports it.
  }
}
