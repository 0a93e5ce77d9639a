// Cases of the metrics of formatting: fonts, spacing, tab stops and alignment.

import type { Random } from '../../../core/rng.ts';
import type { CaseMakers } from '../metric-case.ts';
import { type Block, blocks, blocksDocx, blockXml, formatted, replaced } from './documents-blocks.ts';
import { once, perhapsDamaged, pick } from './documents-damage.ts';
import { docx, hyperlink, paragraph, run, sectionProperties } from './documents-docx.ts';
import { words } from './words.ts';

const extended = (block: Block, text: string): Block => ({ ...block, pieces: [...block.pieces, { text }] });

/** Once in ten times with other text, which fails all metrics that require the text. */
const perhapsEdited = (random: Random, content: readonly Block[]): readonly Block[] =>
  once(random, 10) ? replaced(content, 0, block => extended(block, 'more')) : content;

const single = '<w:spacing w:line="240" w:lineRule="auto"/>';
const double = '<w:spacing w:before="120" w:line="480" w:lineRule="auto"/>';
const oneAndHalf = '<w:spacing w:line="360"/>';

const SPACINGS = [
  '',
  single,
  double,
  oneAndHalf,
  '<w:spacing w:line="276" w:lineRule="auto" w:after="200"/>',
  '<w:spacing w:line="480" w:lineRule="exact"/>',
  '<w:spacing w:line="480" w:lineRule="atLeast"/>',
  '<w:spacing w:line="24pt" w:lineRule="auto"/>',
  '<w:spacing w:line="480.5"/>',
  '<w:spacing w:after="0"/>',
  '<w:ind w:left="720"/><w:jc w:val="both"/>',
];

const INVALID_SPACING = '<w:spacing w:line="wide"/>';

const spaced = (random: Random, content: readonly Block[]): readonly Block[] =>
  content.map(block => ({ ...block, properties: pick(random, SPACINGS) }));

/** Another way to write the same spacing. */
const rewritten = ({ pieces, properties = '' }: Block): Block => ({
  pieces,
  properties: properties.replace(' w:lineRule="auto"', '').replace('w:line="480"', 'w:line="24pt"'),
});

const TAB_STOPS = [
  '<w:tab w:val="left" w:pos="720"/>',
  '<w:tab w:val="center" w:pos="4513" w:leader="dot"/>',
  '<w:tab w:val="right" w:pos="9026"/>',
  '<w:tab w:val="decimal" w:pos="2in"/>',
  '<w:tab w:val="left" w:pos="0"/>',
  '<w:tab w:val="clear" w:pos="720"/>',
];

const tabs = (random: Random): readonly string[] =>
  Array.from({ length: random.int(3) }, () => pick(random, TAB_STOPS));

const TAB_CHANGES: readonly ((random: Random, stops: readonly string[]) => readonly string[])[] = [
  (_, stops) => stops,
  (random, stops) =>
    stops.map(stop => stop.replace(/"(\d\d\d+)"/, (_, at) => `"${Number(at) + random.int(900)}"`)),
  (_, stops) => ['<w:tab w:val="left" w:pos="0"/>', ...stops, '<w:tab w:val="clear" w:pos="99"/>'],
  (_, stops) => stops.map(stop => stop.replace('"center"', '"left"')),
  (_, stops) => stops.slice(1),
];

const FONTS = [
  '<w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman"/>',
  '<w:rFonts w:ascii="Times New Roman" w:hAnsi="Arial" w:cs="Arial"/>',
  '<w:b/><w:rFonts w:ascii="Times New Roman"/><w:sz w:val="24"/>',
];

const OTHER_FONTS = [
  '',
  '<w:rFonts w:ascii="Arial" w:hAnsi="Times New Roman"/>',
  '<w:rFonts w:hAnsi="Times New Roman"/>',
  '<w:rFonts w:asciiTheme="minorHAnsi"/>',
];

const SUBSCRIPT = '<w:vertAlign w:val="subscript"/>';
const POSITIONS = [
  '',
  SUBSCRIPT,
  '<w:vertAlign w:val="superscript"/>',
  '<w:vertAlign w:val="baseline"/>',
  '<w:i/>',
];

const ITALICS = [
  '<w:i/><w:sz w:val="28"/>',
  '<w:i w:val="true"/><w:iCs/><w:sz w:val="28"/><w:szCs w:val="20"/>',
  '<w:i w:val="1"/><w:sz w:val="14pt"/>',
  '<w:i w:val="0"/><w:sz w:val="20"/>',
  '<w:i w:val="false"/>',
  '<w:sz w:val="20"/>',
  '',
];

const OTHER_ITALICS = [
  '<w:i/>',
  '<w:i/><w:sz w:val="27"/>',
  '<w:i w:val="on"/><w:sz w:val="24"/>',
  '<w:i w:val="x"/>',
];

const STRUCK = ['<w:strike/>', '<w:strike w:val="true"/>', '<w:b/><w:strike w:val="1"/>'];
const NOT_STRUCK = ['', '<w:strike w:val="0"/>', '<w:dstrike/>', '<w:strike w:val="off"/>'];

/** Mostly from the first list: the second one makes the metric fail. */
const mostly = (random: Random, good: readonly string[], bad: readonly string[]) => (): string =>
  pick(random, once(random, 12) ? bad : good);

const SENTENCES = [
  'The first words\tare apart from the rest.',
  'The first words are apart. Two words. One more time here',
  'Exactly three words. ',
  'the  first two words have a gap. ',
  'same same same same same same',
  'Short one. ',
  '',
];

export const FORMAT_DOCUMENT_CASES = {
  compare_line_spacing: random => {
    const gold = spaced(random, blocks(random));
    const result = pick(random, [
      gold,
      gold,
      gold.map(rewritten),
      gold.map(rewritten),
      spaced(random, gold),
      [...gold, { pieces: [] }],
      replaced(gold, 0, block => ({ ...block, properties: pick(random, [single, double, INVALID_SPACING]) })),
    ]);
    return {
      result: perhapsDamaged(random, blocksDocx('result.docx', perhapsEdited(random, result))),
      expected: blocksDocx('gold.docx', gold),
    };
  },
  evaluate_spacing: random => {
    const right = [single, double, oneAndHalf];
    const content = blocks(random, once(random, 12) ? 2 : 3 + random.int(3)).map((block, index) => ({
      ...block,
      properties: once(random, 9) ? pick(random, SPACINGS) : (right[index] ?? pick(random, SPACINGS)),
    }));
    return { result: perhapsDamaged(random, blocksDocx('result.docx', content)) };
  },
  check_tabstops: random => {
    const lines = Array.from({ length: 1 + random.int(4) }, () => ({
      stops: tabs(random),
      text: once(random, 8) ? ' ' : `${words(random, 3).join(' ')}\t${words(random, 2).join(' ')}`,
    }));
    const change = pick(random, once(random, 2) ? TAB_CHANGES : TAB_CHANGES.slice(0, 3));
    const text = (isChanged: boolean) =>
      lines.map(({ stops, text: content }) => {
        const list = isChanged ? change(random, stops) : stops;
        return paragraph(run(content), list.length > 0 ? `<w:tabs>${list.join('')}</w:tabs>` : '');
      });
    const section = sectionProperties(
      once(random, 15) ? { margins: 'w:left="1134"' } : { page: 'w:w="12240" w:h="15840"' },
    );
    const extra = once(random, 5) ? paragraph(run(' ')) : '';
    return {
      result: perhapsDamaged(
        random,
        docx('result.docx', { body: text(true).join('') + extra + sectionProperties() }),
      ),
      expected: docx('gold.docx', { body: text(false).join('') + section }),
      options: once(random, 2)
        ? {
            word_number_split_by_tabstop: once(random, 4) ? 2 : 3,
            ...(once(random, 2) && { index: random.int(3) - 1 }),
          }
        : {},
    };
  },
  compare_font_names: random => {
    const content = formatted(blocks(random), mostly(random, FONTS, once(random, 2) ? OTHER_FONTS : FONTS));
    const link = once(random, 4) ? paragraph(hyperlink(run('other font'))) : '';
    return {
      result: perhapsDamaged(
        random,
        docx('result.docx', { body: content.map(blockXml).join('') + link + sectionProperties() }),
      ),
      expected: once(random, 30) ? {} : { font_name: once(random, 8) ? 'Arial' : 'Times New Roman' },
    };
  },
  compare_subscript_contains: random => {
    const content = blocks(random);
    const positions = () => pick(random, once(random, 3) ? POSITIONS : [SUBSCRIPT, '']);
    const gold = formatted(content, positions);
    const result = pick(random, [gold, gold, formatted(content, positions), content, gold.slice(1)]);
    return {
      result: perhapsDamaged(random, blocksDocx('result.docx', result)),
      expected: blocksDocx('gold.docx', gold),
    };
  },
  check_italic_font_size_14: random => {
    const content = blocks(random);
    const result = formatted(content, mostly(random, ITALICS, OTHER_ITALICS));
    return {
      result: perhapsDamaged(random, blocksDocx('result.docx', perhapsEdited(random, result))),
      expected: blocksDocx('gold.docx', content),
    };
  },
  evaluate_strike_through_last_paragraph: random => {
    const content = blocks(random);
    const last = formatted(content.slice(-1), mostly(random, STRUCK, NOT_STRUCK));
    const empty = once(random, 15) ? [{ pieces: [] }] : [];
    const result = [...content.slice(0, -1), ...last, ...empty];
    return {
      result: perhapsDamaged(random, blocksDocx('result.docx', perhapsEdited(random, result))),
      expected: blocksDocx('gold.docx', content),
    };
  },
  is_first_line_centered: random => {
    const jc = pick(random, ['center', 'center', 'center', 'left', 'both', 'start', 'end', '']);
    const properties = jc && `<w:jc w:val="${jc}"/>`;
    const content = once(random, 15)
      ? []
      : replaced(blocks(random), 0, block => ({ ...block, properties: `<w:keepNext/>${properties}` }));
    return { result: perhapsDamaged(random, blocksDocx('result.docx', content)) };
  },
  evaluate_alignment: random => {
    const content = Array.from({ length: 1 + random.int(3) }, () => ({
      pieces: [
        {
          text: once(random, 4)
            ? pick(random, SENTENCES)
            : `${words(random, 3).join(' ')}\t${words(random, 4).join(' ')}`,
        },
      ],
    }));
    return { result: perhapsDamaged(random, blocksDocx('result.docx', content)) };
  },
} satisfies CaseMakers;
