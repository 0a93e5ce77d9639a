// How this program is stopped from outside: by Ctrl-C, or by whoever started it.

/** What started this program, such as npm, may pass on a Ctrl-C that came here already. */
const ECHO = 500;

/** Windows has no SIGTERM: there it is Ctrl-Break, or a console that is closed. */
const SIGNALS =
  process.platform === 'win32'
    ? (['SIGINT', 'SIGBREAK', 'SIGHUP'] as const)
    : (['SIGINT', 'SIGTERM'] as const);

/** Aborted by the first Ctrl-C; a second one ends a program that does not find its end. */
export function stopped(): AbortSignal {
  const stop = new AbortController();
  let since = 0;
  const told = (): void => {
    if (!stop.signal.aborted) {
      since = performance.now();
      stop.abort();
    } else if (performance.now() - since > ECHO) process.exit(130);
  };
  for (const signal of SIGNALS) process.on(signal, told);
  return stop.signal;
}
