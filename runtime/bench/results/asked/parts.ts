// What is asked of the parts of the ring, each by itself: engine, desktop, files and index.

import { type AskedBench, figure } from './asked.ts';

export const engine: AskedBench = {
  name: 'engine',
  title: 'Engine',
  about: 'What onnxruntime-node trains and decides through our graphs, against other engines, taking turns.',
  command: 'engine',
  figures: [
    figure('train_step_vs_tfjs_wasm', 'a training step, against TensorFlow.js in WebAssembly', 'times', {
      least: 20,
    }),
    figure('train_step_vs_tfjs_wasm_tuned', 'the same, against one tuned by hand', 'times'),
    figure('train_step_vs_jaxjs', 'the same, against jax-js', 'times', { least: 1 }),
    figure('train_step_vs_onnxruntime_web', 'the same, against our graphs in WebAssembly', 'times'),
    figure('train_samples_per_s_core', 'samples trained a second, on one core', 'number', { least: 1000 }),
    figure('matmul_share', 'of what one large matrix product reaches on one core', 'share', {
      text: 'as it is',
    }),
    figure('decide_ms_batch1', 'one decision', 'milliseconds', { most: 2 }),
    figure('decide_gain_batch16', '16 decisions together, against one by one', 'times', { least: 1.6 }),
    figure('worker_scaling_2', 'two workers, against one', 'times', { least: 1.7 }),
    figure('swap_ms', 'swapping weights', 'milliseconds', { most: 1 }),
  ],
  pictures: [],
};

export const pocket: AskedBench = {
  name: 'pocket',
  title: 'Pocket desktop',
  about: 'How fast the pocket desktop is along scripted solutions, on one core, and how far chance gets.',
  command: 'pocket',
  figures: [
    figure('steps_per_s', 'steps a second, with drawing, elements and encoding', 'number', { least: 5000 }),
    figure('perform_share', 'of that time, acting and drawing', 'share'),
    figure('elements_share', 'of that time, elements', 'share'),
    figure('encode_share', 'of that time, encoding what a policy is shown', 'share'),
  ],
  pictures: [],
};

export const endurance: AskedBench = {
  name: 'endurance',
  title: 'Random episodes',
  about: 'Ten thousand episodes of random agents on the pocket desktop.',
  command: 'endurance',
  figures: [
    figure('exceptions', 'exceptions', 'number', { most: 0 }),
    figure('scores_out_of_bounds', 'scores that are not between 0 and 1', 'number', { most: 0 }),
    figure('rss_growth_mb', 'growth of memory', 'megabytes', { text: 'flat' }),
  ],
  pictures: [],
};

export const data: AskedBench = {
  name: 'data',
  title: 'Data',
  about: 'Trajectories made durable, their index made anew and asked, with 100,000 of them.',
  command: 'data',
  figures: [
    figure('ingest_per_s', 'trajectories of 10 steps made durable a second', 'number', { least: 500 }),
    figure('rebuild_s_100k', 'making the index of 100,000 anew', 'seconds', { most: 60 }),
    figure('query_p99_ms', 'what panels ask, 99 of 100 times at most', 'milliseconds', { most: 50 }),
    figure('start_s_100k', 'starting with an index that is up to date', 'seconds'),
  ],
  pictures: [],
};

export const panels: AskedBench = {
  name: 'panels',
  title: 'Panels',
  about:
    "The panels with 10,000 trajectories, in a browser: the daemon's own server and the page as it travels.",
  command: 'panels',
  figures: [
    figure('open_10k_ms', 'from the beginning of the page to the first rows of the list', 'milliseconds', {
      most: 300,
    }),
    figure(
      'scroll_frame_p99_ms',
      'a frame while all of the list is scrolled through, 99 of 100 at most',
      'milliseconds',
      { most: 50 },
    ),
    figure('step_image_ms', "from a key to a step's screenshot, 95 of 100 times at most", 'milliseconds', {
      most: 100,
    }),
    figure('first_image_ms', 'the same for the first one of a trajectory', 'milliseconds'),
    figure('vsix_mb', 'the packed extension', 'megabytes'),
    figure('activation_ms', 'until the extension is awake in an editor', 'milliseconds'),
  ],
  pictures: [],
};
