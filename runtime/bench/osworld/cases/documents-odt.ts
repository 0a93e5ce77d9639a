// Writes small odt files in the structure of LibreOffice. The builders return OpenDocument XML.

import type { TaskFile } from '../../../tasks/metrics/metric.ts';
import { escaped } from './documents-docx.ts';
import { zipOf } from './zip.ts';

/** Repeated spaces, tabs and ends of lines become elements. */
export const odtText = (text: string): string =>
  escaped(text)
    .replace(/ {2,}/g, spaces => ` <text:s text:c="${spaces.length - 1}"/>`)
    .replaceAll('\t', '<text:tab/>')
    .replaceAll('\n', '<text:line-break/>');

export const odtParagraph = (content: string, style = 'Standard'): string =>
  `<text:p text:style-name="${style}">${content}</text:p>`;

export const odtSpan = (content: string, style: string): string =>
  `<text:span text:style-name="${style}">${content}</text:span>`;

/** A style of characters with properties such as `fo:background-color="#ffff00"`. */
export const odtStyle = (name: string, properties: string): string =>
  `<style:style style:name="${name}" style:family="text"><style:text-properties ${properties}/></style:style>`;

export interface OdtParts {
  readonly body: string;
  readonly styles?: string;
  /** Paragraphs of the header, which are in another part of the file. */
  readonly header?: string;
  readonly headerStyles?: string;
  /** Entries of the manifest that have no file. */
  readonly listed?: readonly string[];
}

const NAMESPACES = Object.entries({
  office: 'urn:oasis:names:tc:opendocument:xmlns:office:1.0',
  style: 'urn:oasis:names:tc:opendocument:xmlns:style:1.0',
  text: 'urn:oasis:names:tc:opendocument:xmlns:text:1.0',
  table: 'urn:oasis:names:tc:opendocument:xmlns:table:1.0',
  draw: 'urn:oasis:names:tc:opendocument:xmlns:drawing:1.0',
  fo: 'urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0',
  svg: 'urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0',
  form: 'urn:oasis:names:tc:opendocument:xmlns:form:1.0',
  config: 'urn:oasis:names:tc:opendocument:xmlns:config:1.0',
  meta: 'urn:oasis:names:tc:opendocument:xmlns:meta:1.0',
  xlink: 'http://www.w3.org/1999/xlink',
  dc: 'http://purl.org/dc/elements/1.1/',
})
  .map(([prefix, address]) => `xmlns:${prefix}="${address}"`)
  .join(' ');

const HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n';
const TYPE = 'application/vnd.oasis.opendocument.text';

export function odt(name: string, parts: OdtParts): TaskFile {
  return { name, bytes: zipOf(odtEntries(parts)) };
}

export function odtEntries({
  body,
  styles = '',
  header = '',
  headerStyles = '',
  listed = [],
}: OdtParts): Record<string, string> {
  const entry = (path: string, type: string) =>
    `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${type}"/>`;
  return {
    mimetype: TYPE,
    'content.xml':
      `${HEADER}<office:document-content ${NAMESPACES} office:version="1.3"><office:scripts/><office:font-face-decls/><office:automatic-styles>${styles}` +
      `</office:automatic-styles><office:body><office:text><text:sequence-decls/>${body}</office:text></office:body></office:document-content>`,
    'styles.xml':
      `${HEADER}<office:document-styles ${NAMESPACES} office:version="1.3"><office:styles><style:style style:name="Standard" style:family="paragraph"/></office:styles>` +
      `<office:automatic-styles>${headerStyles}<style:page-layout style:name="Mpm1"><style:page-layout-properties fo:page-width="21cm"/></style:page-layout></office:automatic-styles>` +
      `<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="Mpm1"><style:header>${header}</style:header></style:master-page></office:master-styles></office:document-styles>`,
    'META-INF/manifest.xml':
      `${HEADER}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3">${entry('/', TYPE)}` +
      `${['content.xml', 'styles.xml'].map(path => entry(path, 'text/xml')).join('')}${listed.map(path => entry(path, '')).join('')}</manifest:manifest>`,
  };
}
