// Names of the extension's commands and context keys. The manifest (package.json) uses the same names.

export const COMMANDS = {
  start: 'dartboard.start',
  stop: 'dartboard.stop',
  pause: 'dartboard.pause',
  /** Continues a paused run, or resumes an ended or failed one from its checkpoint. */
  resume: 'dartboard.resume',
  delete: 'dartboard.delete',
  /** Panels. */
  openTraining: 'dartboard.openTraining',
  openTrajectories: 'dartboard.openTrajectories',
  openUncertain: 'dartboard.openUncertain',
  openDesktops: 'dartboard.openDesktops',
  /** The panel Desktops, in which the user chooses a desktop. */
  takeOver: 'dartboard.takeOver',
  annotate: 'dartboard.annotate',
  record: 'dartboard.record',
  collect: 'dartboard.collect',
  compareRuns: 'dartboard.compareRuns',
  importTrajectories: 'dartboard.importTrajectories',
  exportTrajectories: 'dartboard.exportTrajectories',
  openSample: 'dartboard.openSample',
  deleteSample: 'dartboard.deleteSample',
  /** Agents behind endpoints. */
  configureAgent: 'dartboard.configureAgent',
  checkEndpoint: 'dartboard.checkEndpoint',
  setKey: 'dartboard.setKey',
  forgetKey: 'dartboard.forgetKey',
  restartDaemon: 'dartboard.restartDaemon',
  /** Programs in a terminal. */
  evaluate: 'dartboard.evaluate',
  run: 'dartboard.run',
  doctor: 'dartboard.doctor',
  openDocumentation: 'dartboard.openDocumentation',
  showLog: 'dartboard.showLog',
  openSettings: 'dartboard.openSettings',
  refresh: 'dartboard.refresh',
} as const;

/** Context keys that `when` clauses of the manifest test. */
export const CONTEXT = {
  /** A run is starting, running, paused or stopping. */
  isLive: 'dartboard.isLive',
  isRunning: 'dartboard.isRunning',
  isPaused: 'dartboard.isPaused',
  hasRuns: 'dartboard.hasRuns',
  /** The folder certainly has no runs. */
  isEmpty: 'dartboard.isEmpty',
  /** The sample run is on disk. */
  hasSample: 'dartboard.hasSample',
} as const;
