// The proposed file name of a report about runs, for pages and editors.

const MAX_RUN_LENGTH = 80;

export const reportName = (runs: readonly string[]): string =>
  runs.length === 1
    ? `report-${runs[0]?.slice(0, MAX_RUN_LENGTH)}.html`
    : `comparison-${runs[0]?.slice(0, MAX_RUN_LENGTH)}-and-${runs.length - 1}-more.html`;
