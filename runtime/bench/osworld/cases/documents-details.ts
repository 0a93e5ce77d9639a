// Cases of page breaks, page numbers, equations, highlights and the default font.

import type { Random } from '../../../core/rng.ts';
import type { CaseMakers } from '../metric-case.ts';
import { type Block, blocks, blocksDocx, blockXml, replaced, textLines } from './documents-blocks.ts';
import { once, perhapsDamaged, pick } from './documents-damage.ts';
import {
  contentControl,
  docx,
  escaped,
  hyperlink,
  pageField,
  paragraph,
  run,
  sectionProperties,
  textBox,
} from './documents-docx.ts';
import { odt, odtParagraph, odtSpan, odtStyle, odtText } from './documents-odt.ts';
import { textFile, word } from './words.ts';

const PAGE = '<w:br w:type="page"/>';
const BREAKS = [PAGE, PAGE, '<w:br w:type="column"/>', '<w:br/>', '<w:lastRenderedPageBreak/>'];

const OBJECT = '<w:object><v:shape/><o:OLEObject Type="Embed" ProgID="Equation.3"/></w:object>';
const FORMULA = '<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>';

const FOOTERS = [
  paragraph(pageField('1')),
  paragraph(`${run('Page ')}${pageField('12')}`),
  paragraph(run('① of ⅷ')),
  paragraph(run('٣')),
  paragraph(`<w:fldSimple w:instr="PAGE">${run('1')}</w:fldSimple>`),
  paragraph(pageField('I')),
  paragraph('') + paragraph(run('1')),
  contentControl(paragraph(run('1'))),
  paragraph(hyperlink(run('2'))),
];

const HIGHLIGHTS = [
  '<w:highlight w:val="yellow"/>',
  '<w:b/><w:highlight w:val="green"/>',
  '<w:highlight w:val="none"/>',
  '<w:shd w:fill="FFFF00"/>',
  '',
];

const withObject = (block: Block, object: string): Block => ({
  ...block,
  pieces: block.pieces.map((piece, index) => (index === 0 ? { ...piece, more: object } : piece)),
});

const BACKGROUNDS = ['#ffff00', '#FFFF00', '#00ff00', 'transparent', ''];

const background = (random: Random, isYellow: boolean): string => {
  const color = isYellow ? '#ffff00' : pick(random, BACKGROUNDS.slice(1));
  return `fo:font-weight="bold"${color && ` fo:background-color="${color}"`}`;
};

const FONT_ITEM = (path: string, name: string, font: string): string =>
  `<item oor:path="/org.openoffice.Office.Writer/${path}"><prop oor:name="${name}" oor:op="fuse"><value>${escaped(font)}</value></prop></item>\n`;

export const DETAIL_DOCUMENT_CASES = {
  contains_page_break: random => {
    const content = blocks(random).map(block =>
      once(random, 3)
        ? block
        : { ...block, pieces: block.pieces.map(each => ({ ...each, more: pick(random, ['', ...BREAKS]) })) },
    );
    const boxed = once(random, 6) ? paragraph(run('', '', textBox(paragraph(run('', '', PAGE))))) : '';
    const linked = once(random, 6) ? paragraph(hyperlink(run('', '', PAGE))) : '';
    const body = content.map(blockXml).join('') + boxed + linked;
    const count = body.split(PAGE).length - 1;
    const rules = pick<Record<string, unknown> | undefined>(random, [
      { page_break_count: count },
      { page_break_count: count },
      { page_break_count: random.int(4) },
      {},
    ]);
    return {
      result: perhapsDamaged(random, docx('result.docx', { body: body + sectionProperties() })),
      expected: rules,
    };
  },
  has_page_numbers_in_footers: random => {
    const good = () => pick(random, once(random, 4) ? FOOTERS : FOOTERS.slice(0, 4));
    const footers = Array.from({ length: 1 + random.int(2) }, good);
    const section = (index: number) =>
      sectionProperties(once(random, 5) && index > 0 ? {} : { footer: `rIdF${index % footers.length}` });
    const breaks = Array.from({ length: random.int(3) }, (_, index) => paragraph('', section(index)));
    const last = pick(random, [
      section(1),
      section(1),
      section(1),
      section(1),
      sectionProperties(),
      '',
      section(0).replace('rIdF', 'rIdX'),
    ]);
    const body = breaks.map(each => paragraph(run(word(random))) + each).join('') + last;
    return { result: perhapsDamaged(random, docx('result.docx', { body, footers })) };
  },
  compare_insert_equation: random => {
    const content = blocks(random);
    const place = random.int(content.length);
    const gold = replaced(content, place, block => withObject(block, OBJECT));
    const result = pick(random, [
      gold,
      gold,
      gold,
      content,
      replaced(content, place, block => withObject(block, FORMULA)),
      replaced(content, 0, block => withObject(block, OBJECT)),
      gold.slice(1),
    ]);
    return {
      result: perhapsDamaged(random, blocksDocx('result.docx', result)),
      expected: blocksDocx('gold.docx', gold),
    };
  },
  compare_highlighted_text: random => {
    const texts = textLines(random, 4);
    const marks = texts.map(() => pick(random, HIGHLIGHTS));
    const body = (formats: readonly string[]) =>
      texts.map((text, index) => paragraph(run(text, formats[index] ?? '') + run('plain'))).join('');
    const result = pick(random, [
      marks,
      marks.map(mark => mark.replace('yellow', 'cyan')),
      marks.map(() => ''),
      marks.map(() => pick(random, HIGHLIGHTS)),
    ]);
    const boxed = once(random, 6)
      ? paragraph(run('', '', textBox(paragraph(run('boxed', HIGHLIGHTS[0])))))
      : '';
    return {
      result: perhapsDamaged(
        random,
        docx('result.docx', { body: boxed + body(result) + sectionProperties() }),
      ),
      expected: docx('gold.docx', { body: body(marks) + sectionProperties() }),
    };
  },
  check_highlighted_words: random => {
    const texts = textLines(random, 4);
    const isLeft = once(random, 3);
    const usesStyle = !once(random, 4);
    const body = texts.map(text => odtParagraph(odtText(text)));
    const marked = texts.map((text, index) =>
      index === 0 && usesStyle ? odtParagraph(odtSpan(odtText(text), 'T1')) : odtParagraph(odtText(text)),
    );
    const result = odt('result.odt', {
      body: (once(random, 10) ? marked.slice(1) : marked).join(''),
      styles:
        odtStyle('T1', background(random, isLeft)) +
        odtStyle('T2', background(random, true)) +
        '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Standard"><style:paragraph-properties fo:background-color="#ffff00"/></style:style>',
      headerStyles: once(random, 3) ? odtStyle('T1', background(random, once(random, 2))) : '',
      header: once(random, 3) ? odtParagraph(odtSpan('', 'T1')) : '',
    });
    return {
      result: perhapsDamaged(random, result),
      expected: odt('gold.odt', { body: body.join('') }),
    };
  },
  find_default_font: random => {
    const font = pick(random, ['Times New Roman', 'Liberation Serif', 'Noto Sans & Serif', '思源宋体']);
    const set = pick(random, [font, font, font, font.toLowerCase(), '', 'Arial']);
    const items = [
      FONT_ITEM('Layout', 'Standard', 'Arial'),
      ...(once(random, 6) ? [FONT_ITEM('DefaultFont', 'Heading', font)] : []),
      ...(once(random, 8) ? [] : [FONT_ITEM('DefaultFont', 'Standard', set)]),
      ...(once(random, 8) ? [FONT_ITEM('DefaultFont', 'Standard', pick(random, [font, 'Arial']))] : []),
    ];
    const file = textFile(
      'registrymodifications.xcu',
      '<?xml version="1.0" encoding="UTF-8"?>\n<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">' +
        `${items.join('')}${once(random, 20) ? '' : '</oor:items>'}`,
    );
    return {
      result: once(random, 20) ? null : file,
      expected: once(random, 30) ? {} : { font_name: font },
    };
  },
} satisfies CaseMakers;
