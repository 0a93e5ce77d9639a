// Metric of the settings of LibreOffice Writer.

import { leadingText } from '../../formats/document/word-xml.ts';
import { children, type Document, descendants, type Element, parseXml, XmlError } from '../../formats/xml.ts';
import { isFile, type Metrics, pass } from '../metric.ts';
import { textRule } from './rules.ts';

const REGISTRY = 'http://openoffice.org/2001/registry';
const FONT_PATH = '/org.openoffice.Office.Writer/DefaultFont';
const FONT_NAME = 'Standard';

export const DEFAULT_FONT_METRICS = {
  /** The file registrymodifications.xcu sets the default font of the rule. */
  find_default_font: (result, expected) => {
    const name = textRule(expected, 'font_name', 'find_default_font');
    if (!isFile(result)) return 0;
    try {
      return pass(defaultFont(parseXml(result.bytes)) === name);
    } catch (error) {
      if (error instanceof XmlError) return 0;
      throw error;
    }
  },
} satisfies Metrics;

/** The last one of several. */
const defaultFont = (registry: Document): string | undefined =>
  settings(registry, 'item', 'path', FONT_PATH)
    .flatMap(item => settings(item, 'prop', 'name', FONT_NAME))
    .flatMap(property => children(property, 'value'))
    .map(value => leadingText(value) || undefined)
    .at(-1);

const settings = (parent: Document | Element, name: string, attribute: string, value: string) =>
  descendants(parent, name).filter(
    each => each.namespaceURI === null && each.getAttributeNS(REGISTRY, attribute) === value,
  );
