// The tags of a sound file, under the names that the library Mutagen gives them.

import { GENRES } from '../../formats/id3/genres.ts';
import { Id3Error, type Id3Frames, readId3 } from '../../formats/id3/id3.ts';
import { matchValueToRule } from '../match-value-to-rule.ts';
import { isFile, isRecord, MetricError, type Metrics, pass } from '../metric.ts';

const FRAMES: Readonly<Record<string, string>> = {
  ...{ album: 'TALB', bpm: 'TBPM', compilation: 'TCMP', composer: 'TCOM', copyright: 'TCOP' },
  ...{ encodedby: 'TENC', lyricist: 'TEXT', length: 'TLEN', media: 'TMED', mood: 'TMOO', grouping: 'TIT1' },
  ...{ title: 'TIT2', version: 'TIT3', artist: 'TPE1', albumartist: 'TPE2', conductor: 'TPE3' },
  ...{ arranger: 'TPE4', discnumber: 'TPOS', organization: 'TPUB', tracknumber: 'TRCK', author: 'TOLY' },
  ...{ albumartistsort: 'TSO2', albumsort: 'TSOA', composersort: 'TSOC', artistsort: 'TSOP' },
  ...{ titlesort: 'TSOT', isrc: 'TSRC', discsubtitle: 'TSST', language: 'TLAN' },
};

export const TAG_METRICS = {
  /** Each named tag matches its rule. A missing tag is an empty text; the values of a tag are joined by commas. */
  check_mp3_meta: (result, expected) => {
    if (!isFile(result)) return 0;
    if (!isRecord(expected))
      throw new MetricError(
        `check_mp3_meta needs rules by tag, but got ${JSON.stringify(expected) ?? 'nothing'}. Write {"title": {"method": "eq", "ref": "..."}}.`,
      );
    const frames = framesOf(result.bytes);
    if (frames === undefined) return 0;
    return pass(
      Object.entries(expected).every(([tag, rule]) => {
        if (!isRecord(rule))
          throw new MetricError(
            `The rule of ${tag} is ${JSON.stringify(rule)}. Write {"method": "eq", "ref": "..."}.`,
          );
        return matchValueToRule(valuesOf(frames, tag.toLowerCase()).join(','), rule) === true;
      }),
    );
  },
} satisfies Metrics;

function framesOf(bytes: Uint8Array): Id3Frames | undefined {
  try {
    return readId3(bytes);
  } catch (error) {
    if (error instanceof Id3Error) return undefined;
    throw error;
  }
}

function valuesOf(frames: Id3Frames, tag: string): readonly string[] {
  if (tag === 'genre') return (frames.get('TCON') ?? []).flatMap(genresOf);
  if (tag === 'date') return (frames.get('TDRC') ?? []).map(writtenDate);
  if (tag === 'originaldate') return (frames.get('TDOR') ?? []).map(writtenDate);
  return frames.get(FRAMES[tag] ?? '') ?? [];
}

const genreName = (number: string): string =>
  ({ CR: 'Cover', RX: 'Remix' })[number] ?? GENRES[Number(number)] ?? 'Unknown';

/** `17`, `(17)` and `(17)Metal` name a genre by its number, and perhaps another by its name. */
function genresOf(text: string): readonly string[] {
  if ((/^\d+$/.test(text) && Number(text) < 256) || text === 'CR' || text === 'RX') return [genreName(text)];
  const [, numbers = '', rest = ''] = /^((?:\((?:\d+|RX|CR)\))*)(.+)?/.exec(text) ?? [];
  const names = numbers === '' ? [] : numbers.slice(1, -1).split(')(').map(genreName);
  const name = rest.replace(/^\(\(/, '(');
  return name === '' || names.includes(name) ? names : [...names, name];
}

const SEPARATORS = ['-', '-', ' ', ':', ':', ''];

/** Year, month, day, hour, minute and second, as far as they are numbers. */
function writtenDate(text: string): string {
  const parts = text.split(/[-T:/.]|\s+/).slice(0, 6);
  const count = parts.findIndex(part => !/^\s*[+-]?\d+\s*$/.test(part));
  const numbers = parts.slice(0, count < 0 ? parts.length : count).map(Number);
  return numbers
    .map(
      (number, index) =>
        `${index === 0 ? '' : SEPARATORS[index - 1]}${`${number}`.padStart(index === 0 ? 4 : 2, '0')}`,
    )
    .join('');
}
