/** Options of a wait for a condition. The limit only ends a wait that hangs, on a machine of any speed. */
export const PATIENCE = { timeout: 300_000, interval: 50 } as const;
