// Checks what VLC plays, in the status that its web interface reports.

import { decodeUtf8 } from '../../formats/python/text.ts';
import { splitUrl } from '../../formats/python/url.ts';
import { attribute, child, children, type Element, rootIfXml } from '../../formats/xml.ts';
import { isFile, type Metric, pass } from '../metric.ts';
import { ruleChoice, ruleText } from '../rules.ts';

/** Where the status may have the name of a file, best first: a category, and a name in it. */
const FILE_PLACES = [
  ['meta', 'filename'],
  ['meta', 'title'],
  ['meta', 'uri'],
  ['meta', 'location'],
  ['meta', 'name'],
] as const;
const URL_PLACES = [
  ['meta', 'url'],
  ['meta', 'URI'],
  ['meta', 'location'],
  ['meta', 'title'],
  ['meta', 'filename'],
  ['Stream 0', 'Codec'],
  ['Stream 0', 'Type'],
  ['Stream 0', 'Language'],
] as const;

/** VLC is playing a file of a name, or an address. */
export const isVlcPlaying: Metric = (result, rules) => {
  const type = ruleChoice(rules, 'type', 'is_vlc_playing', ['file_name', 'url']);
  const expected = ruleText(rules, type, 'is_vlc_playing');
  const status = isFile(result) ? rootIfXml(decodeUtf8(result.bytes)) : undefined;
  if (status === undefined || startText(child(status, 'state')) !== 'playing') return 0;
  const found = firstText(status, type === 'file_name' ? FILE_PLACES : URL_PLACES);
  if (found === undefined) return 0;
  return pass(type === 'file_name' ? found.endsWith(expected) : playsUrl(found, expected));
};

function firstText(status: Element, places: readonly (readonly [string, string])[]): string | undefined {
  for (const [category, name] of places) {
    const text = startText(infoOf(status, category, name));
    if (text !== '') return text;
  }
  return undefined;
}

const infoOf = (status: Element, category: string, name: string): Element | undefined =>
  children(status, 'information')
    .flatMap(each => children(each, 'category'))
    .filter(each => attribute(each, 'name') === category)
    .flatMap(each => children(each, 'info'))
    .find(each => attribute(each, 'name') === name);

/** The text of an element before its first child. */
function startText(element: Element | undefined): string {
  let text = '';
  for (let node = element?.firstChild ?? null; node !== null && node.nodeType !== 1; node = node.nextSibling)
    if (node.nodeType === 3 || node.nodeType === 4) text += node.nodeValue ?? '';
  return text;
}

/** The address itself, its file name alone, or a longer path on the same host. */
function playsUrl(found: string, expected: string): boolean {
  if (found.includes(expected)) return true;
  const wanted = splitUrl(expected);
  if (wanted === undefined) return false;
  if (found === wanted.path.slice(wanted.path.lastIndexOf('/') + 1)) return true;
  const actual = found.includes('://') ? splitUrl(found) : undefined;
  return actual !== undefined && actual.host === wanted.host && actual.path.includes(wanted.path);
}
