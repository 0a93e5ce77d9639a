// How this program is stopped from outside: by Ctrl-C, by whoever started it, or because nobody is left to read what it says.

/** What started this program, such as npm, may pass on a Ctrl-C that came here already. */
const ECHO = 500;

/** Windows has no SIGTERM: there it is Ctrl-Break, or a console that is closed. */
const SIGNALS =
  process.platform === 'win32'
    ? (['SIGINT', 'SIGBREAK', 'SIGHUP'] as const)
    : (['SIGINT', 'SIGTERM'] as const);

/** What goes on until it is told to stop. */
let stops: (() => void) | undefined;

/** Aborted by the first Ctrl-C, or once nobody is there; a second Ctrl-C ends a program that does not find its end. */
export function stopped(): AbortSignal {
  const stop = new AbortController();
  let since = 0;
  const end = (): void => {
    if (stop.signal.aborted) return;
    since = performance.now();
    stop.abort();
  };
  const told = (): void => {
    if (stop.signal.aborted && performance.now() - since > ECHO) process.exit(130);
    end();
  };
  stops = end;
  for (const signal of SIGNALS) process.on(signal, told);
  // Where the output is no terminal, as under nohup, somebody wants it to go on; Node forgets that it was told to ignore this.
  process.on('SIGHUP', () => process.stdout.isTTY && hungUp(end));
  return stop.signal;
}

/** Whoever reads the output may have read enough, as `| head` has, or be gone with the terminal: that is no failure. */
export function mayGoUnread(output: NodeJS.WriteStream): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    if (stops === undefined) process.exit();
    stops();
  });
}

/** At its end Node would put in order a terminal that is gone, and break off with a stack: all is done by then, so it ends without. */
function hungUp(end: () => void): void {
  process.once('exit', () => process.kill(process.pid, 'SIGKILL'));
  end();
}
