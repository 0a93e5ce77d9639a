// Keeps this process alive during work that waits for nothing but the clock: its timers let a process end.

export async function keepingAlive<T>(work: () => Promise<T>): Promise<T> {
  const keepAlive = setInterval(() => undefined, 1000);
  try {
    return await work();
  } finally {
    clearInterval(keepAlive);
  }
}
