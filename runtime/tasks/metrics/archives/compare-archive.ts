// Compares the files in one folder of two archives with a metric for their type.

import { type ArchiveFolder, readFolder } from '../../formats/archive/folder.ts';
import { compareTexts } from '../../formats/python/values.ts';
import { ArchiveError } from '../../formats/zip.ts';
import { expectedFile, isFile, type Metric, MetricError } from '../metric.ts';

/** The metric of each type of file. */
const METRIC_OF_TYPE: Readonly<Record<string, string>> = {
  text: 'compare_text_file',
  pdf: 'compare_pdfs',
  docx: 'compare_docx_files',
  ppt: 'compare_pptx_files',
  image: 'compare_images',
  csv: 'compare_csv',
  table: 'compare_table',
  audio: 'compare_audios',
  video: 'compare_videos',
};

/** The metrics of these types score 0 for a folder between the files. The others raise an exception, so that the whole scores 0. */
const FOLDERS_SCORE_0 = new Set(['csv', 'pdf', 'docx']);

/** The mean score of the files of equal names. Archives with other names score 0. The metrics of files are passed in. */
export const compareArchive =
  (metricOf: (name: string) => Metric | undefined): Metric =>
  async (result, expected, { file_path: path = '', file_type: type = 'text', ...options }) => {
    const compareFiles = metricOfType(type, metricOf);
    if (typeof path !== 'string')
      throw new MetricError(
        `The option file_path of compare_archive is ${JSON.stringify(path)}. Write a folder.`,
      );
    const { name, bytes } = expectedFile(expected, 'compare_archive');
    const wanted = expectedFolder(name, bytes, path);
    const found = isFile(result) ? foundFolder(result.name, result.bytes, path) : undefined;
    if (found === undefined || found.size === 0) return 0;
    const names = [...found.keys()].sort(compareTexts);
    if (names.length !== wanted.size || !names.every(each => wanted.has(each))) return 0;
    let score = 0;
    for (const each of names) {
      const [own, gold] = [found.get(each), wanted.get(each)];
      if (!own || !gold) {
        if (FOLDERS_SCORE_0.has(String(type))) continue;
        return 0;
      }
      score += await compareFiles({ name: each, bytes: own }, { name: each, bytes: gold }, options);
    }
    return score / names.length;
  };

function metricOfType(type: unknown, metricOf: (name: string) => Metric | undefined): Metric {
  const name =
    typeof type === 'string' && Object.hasOwn(METRIC_OF_TYPE, type) ? METRIC_OF_TYPE[type] : undefined;
  const metric = name === undefined ? undefined : metricOf(name);
  if (metric !== undefined) return metric;
  const types = Object.keys(METRIC_OF_TYPE).filter(
    each => metricOf(METRIC_OF_TYPE[each] ?? '') !== undefined,
  );
  throw new MetricError(
    `The option file_type of compare_archive is ${JSON.stringify(type)}. Write one of ${types.join(', ')}.`,
  );
}

function expectedFolder(name: string, bytes: Uint8Array, path: string): ArchiveFolder {
  try {
    const folder = readFolder(name, bytes, path);
    if (folder !== undefined) return folder;
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new MetricError(`compare_archive cannot read the expected file: ${error.message}`, {
      cause: error,
    });
  }
  throw new MetricError(
    `The expected archive ${name} of compare_archive has no folder ${path}. Correct the option file_path.`,
  );
}

function foundFolder(name: string, bytes: Uint8Array, path: string): ArchiveFolder | undefined {
  try {
    return readFolder(name, bytes, path);
  } catch (error) {
    if (error instanceof ArchiveError) return undefined;
    throw error;
  }
}
