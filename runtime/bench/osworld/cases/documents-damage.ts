// Results that are missing, damaged or of another kind.

import { at } from '../../../core/at.ts';
import type { Random } from '../../../core/rng.ts';
import type { TaskFile } from '../../../tasks/metrics/metric.ts';
import { docxEntries, paragraph, run } from './documents-docx.ts';
import { textFile } from './words.ts';
import { zipOf } from './zip.ts';

export const pick = <T>(random: Random, items: readonly T[]): T => at(items, random.int(items.length));

/** True once in so many times. */
export const once = (random: Random, times: number): boolean => random.int(times) === 0;

/** The file itself, or once in fifteen times something that cannot be read. */
export const perhapsDamaged = (random: Random, file: TaskFile): TaskFile | null =>
  once(random, 15) ? damaged(random, file) : file;

function damaged(random: Random, { name, bytes }: TaskFile): TaskFile | null {
  const entries = docxEntries({ body: paragraph(run('text')) });
  const { 'word/styles.xml': _, ...withoutPart } = entries;
  const { '[Content_Types].xml': __, ...withoutTypes } = entries;
  return pick<() => TaskFile | null>(random, [
    () => null,
    () => ({ name, bytes: new Uint8Array() }),
    () => ({ name, bytes: bytes.subarray(0, Math.floor(bytes.length * random.next())) }),
    // Python checks the CRC-32 of each part. Without that check, a changed byte may leave a readable document.
    () => ({ name, bytes: bytes.map((byte, index) => (index === bytes.length >> 1 ? byte ^ 0x55 : byte)) }),
    () => textFile(name, 'This is not an archive.'),
    () => ({ name, bytes: zipOf({ 'notes.txt': 'This is not a document.' }) }),
    () => ({ name, bytes: zipOf(withoutPart) }),
    () => ({ name, bytes: zipOf(withoutTypes) }),
    () => ({ name, bytes: zipOf({ ...entries, 'word/document.xml': '<w:document><w:body>' }) }),
    () => ({ name, bytes: zipOf(docxEntries({ body: paragraph(run('text')), kind: 'template' })) }),
  ])();
}
