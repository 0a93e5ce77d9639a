// The section of docs/results.md about the panels.

import { type BenchPage, max, megabytes, milliseconds, min, number, share } from './page-spec.ts';

/** Recording, taking over and demonstrating in one window. `name` makes the name of a figure. */
const personFigures = (where: string, name: (figure: string) => string) => [
  milliseconds(
    name('record_pocket_ms'),
    `${where}: recording on a pocket desktop, from a letter to its picture, 95th percentile`,
    max(80),
  ),
  milliseconds(
    name('record_web_ms'),
    `${where}: recording on a web desktop, from a letter to its picture, 95th percentile`,
    max(80),
  ),
  milliseconds(
    name('record_docker_ms'),
    `${where}: recording on a Docker desktop, from a letter to its picture, 95th percentile`,
    max(150),
  ),
  milliseconds(
    name('take_over_ms_p95'),
    `${where}: from a key to its picture on a pocket desktop that a person takes over from a training with 8 desktops`,
    max(80),
  ),
  milliseconds(
    name('take_over_web_ms_p95'),
    `${where}: from a key to its picture on a web desktop that a person takes over from a training with 2 desktops`,
    max(80),
  ),
  milliseconds(
    name('take_over_docker_ms_p95'),
    `${where}: from a key to its picture on a Docker desktop that a person takes over from a training with 2 desktops`,
    max(150),
  ),
  number(
    name('demonstrations_replayed'),
    `${where}: of ten demonstrations on each kind of desktops, done with mouse and keyboard: replayed; the fewest`,
    min(10),
  ),
];

export const PANELS_PAGE: BenchPage = {
  name: 'panels',
  title: 'Panels',
  about:
    "The panels with 10,000 trajectories in Chromium, served by the daemon's own server. The figures of VS Code are of the packed extension in a real VS Code whose window is in the same Chromium; its extension host relays between the panel and the same daemon.",
  figures: [
    milliseconds('open_10k_ms', 'from the load of the page to the first rows, median', max(300)),
    milliseconds('open_10k_worst_ms', 'the same, slowest'),
    milliseconds('scroll_frame_p99_ms', 'a frame while scrolling the whole list, 99th percentile', max(50)),
    milliseconds('scroll_frame_worst_ms', 'the same, slowest'),
    milliseconds('step_image_ms', 'from a key to the screenshot of a step, 95th percentile', max(100)),
    milliseconds('first_image_ms', 'the same for the first step of a trajectory'),
    ...personFigures('in VS Code', figure => `vscode_${figure}`),
    ...personFigures('in a browser', figure => figure),
    share(
      'live_cost',
      'processor time of all cores that a training spends on sending one desktop in full size',
      max(0.02),
    ),
    share('live_page_cost', 'the same, with a browser on the same cores that shows it'),
    number('live_pictures_per_s', 'pictures of this desktop per second', min(10)),
    megabytes('vsix_mb', 'size of the packed extension'),
  ],
};
