// The names of the extension's commands; the manifest (package.json) lists the same ones, with their titles.

export const COMMANDS = {
  start: 'dartboard.start',
  stop: 'dartboard.stop',
  pause: 'dartboard.pause',
  /** Goes on with a paused run, or with one that was stopped or broke off. */
  resume: 'dartboard.resume',
  delete: 'dartboard.delete',
  /** The panels. */
  openTraining: 'dartboard.openTraining',
  openTrajectories: 'dartboard.openTrajectories',
  openUncertain: 'dartboard.openUncertain',
  openDesktops: 'dartboard.openDesktops',
  annotate: 'dartboard.annotate',
  collect: 'dartboard.collect',
  openSample: 'dartboard.openSample',
  deleteSample: 'dartboard.deleteSample',
  /** What runs in a terminal. */
  evaluate: 'dartboard.evaluate',
  run: 'dartboard.run',
  play: 'dartboard.play',
  doctor: 'dartboard.doctor',
  showLog: 'dartboard.showLog',
  refresh: 'dartboard.refresh',
} as const;

/** What `when` clauses of the manifest ask for. */
export const CONTEXT = {
  /** Whether a run is live, in whatever state. */
  isLive: 'dartboard.isLive',
  isRunning: 'dartboard.isRunning',
  isPaused: 'dartboard.isPaused',
  hasRuns: 'dartboard.hasRuns',
  /** Whether it is sure that there are no runs. */
  isEmpty: 'dartboard.isEmpty',
  /** Whether the sample run was unpacked. */
  hasSample: 'dartboard.hasSample',
} as const;
