// Changes of a presentation, each with the option of compare_pptx_files that ignores it, if there is one.

import {
  COLOURS,
  isTextShape,
  oneIn,
  pick,
  randomBox,
  randomParagraph,
  randomShape,
  randomSlide,
  randomText,
} from './slides-deck.ts';
import {
  type DeckChange,
  forBox,
  forFont,
  forOne,
  forParagraph,
  forRun,
  forSlide,
  paragraphsOf,
  runsOf,
} from './slides-targets.ts';

/** Changes that leave the presentations equal, at least mostly. */
export const HARMLESS: readonly DeckChange[] = [
  { apply: () => undefined },
  {
    apply: forBox((random, box) => {
      box.left += random.int(400) - 200;
    }),
  },
  {
    apply: forBox((_random, box) => {
      box.width += Math.floor(box.width * 0.004);
    }),
  },
  {
    apply: (_random, deck) => {
      for (const { font: each } of runsOf(deck)) if (each?.bold === false) delete each.bold;
    },
  },
  {
    apply: (_random, deck) => {
      for (const { font: each } of runsOf(deck)) if (each?.italic === false) delete each.italic;
    },
  },
  {
    apply: (_random, deck) => {
      for (const { font: each } of runsOf(deck)) if (each?.underline !== 'sng') delete each?.underline;
    },
  },
  {
    apply: (_random, deck) => {
      for (const { font: each } of runsOf(deck)) if (each?.strike === 'noStrike') delete each.strike;
    },
  },
  {
    apply: forRun((_random, run) => {
      if (run.font?.colour !== undefined) run.font.colour = 'theme';
    }),
  },
  {
    apply: (_random, deck) => {
      for (const paragraph of paragraphsOf(deck)) if (paragraph.alignment === 'l') delete paragraph.alignment;
    },
  },
  {
    apply: (_random, deck) => {
      for (const paragraph of paragraphsOf(deck)) if (paragraph.level === 0) delete paragraph.level;
    },
  },
  {
    apply: forParagraph((_random, paragraph) => {
      if (paragraph.bullet) paragraph.bullet.colour = '00FF00';
    }),
  },
  {
    apply: forParagraph((_random, paragraph) => {
      paragraph.hasProperties = !paragraph.hasProperties;
    }),
  },
  {
    apply: (_random, deck) => {
      for (const slide of deck.slides) {
        if (slide.notes === '') delete slide.notes;
        if (slide.background === 'none') slide.background = 'style';
      }
    },
  },
  {
    apply: (_random, deck) => {
      deck.hasNotesMaster = !deck.hasNotesMaster;
    },
  },
  {
    apply: (_random, deck) => {
      deck.width += 1000;
    },
  },
];

/** Changes that matter unless their option is off. */
export const HARMFUL: readonly DeckChange[] = [
  {
    option: 'shape',
    apply: forBox((random, box) => {
      Object.assign(box, randomBox(random));
    }),
  },
  {
    option: 'shape',
    apply: forBox((_random, box) => {
      box.height = Math.floor(box.height * 1.02);
    }),
  },
  {
    option: 'text',
    apply: forRun((random, run) => {
      run.text = randomText(random);
    }),
  },
  {
    option: 'text',
    apply: forRun((_random, run) => {
      run.text = `${run.text} `;
    }),
  },
  {
    option: 'indent',
    apply: forParagraph((_random, paragraph) => {
      paragraph.level = 5;
    }),
  },
  {
    option: 'alignment',
    apply: forParagraph((random, paragraph) => {
      paragraph.alignment = pick(random, ['ctr', 'r', 'dist']);
    }),
  },
  { option: 'font_name', apply: forFont(() => ({ name: 'DejaVu Sans' })) },
  { option: 'font_size', apply: forFont(random => ({ size: 600 + random.int(9) * 100 })) },
  { option: 'font_bold', apply: forFont(() => ({ bold: true })) },
  { option: 'font_italic', apply: forFont(() => ({ italic: true })) },
  { option: 'color_rgb', apply: forFont(random => ({ colour: pick(random, COLOURS) })) },
  {
    option: 'font_underline',
    apply: forFont(random => ({ underline: pick(random, ['sng', 'words', 'heavy']) })),
  },
  { option: 'strike_through', apply: forFont(() => ({ strike: 'sngStrike' })) },
  {
    option: 'bullets',
    apply: forParagraph((_random, paragraph) => {
      paragraph.bullet = { character: '➢' };
    }),
  },
  {
    option: 'bullets',
    apply: forParagraph((_random, paragraph) => {
      delete paragraph.bullet;
    }),
  },
  {
    option: 'background_color',
    apply: forSlide((random, slide) => {
      slide.background = pick(random, COLOURS);
    }),
  },
  {
    option: 'background_color',
    apply: (random, deck) => {
      deck.masterBackground = pick(random, COLOURS);
    },
  },
  {
    option: 'note',
    apply: forSlide((random, slide) => {
      slide.notes = randomText(random);
    }),
  },
  {
    option: 'number_of_slides',
    apply: (random, deck) => {
      deck.slides.push(randomSlide(random));
    },
  },
  {
    option: 'number_of_slides',
    apply: (_random, deck) => {
      if (deck.slides.length > 1) deck.slides.pop();
    },
  },
  {
    apply: forSlide((random, slide) => {
      slide.shapes.push(randomShape(random));
    }),
  },
  {
    apply: forSlide((_random, { shapes }) => {
      if (shapes.length > 1) shapes.pop();
    }),
  },
  {
    apply: forSlide((_random, { shapes }) => {
      shapes.reverse();
    }),
  },
  {
    apply: forParagraph((random, { parts }) => {
      parts.push(...randomParagraph(random).parts);
    }),
  },
  {
    apply: forRun((_random, run) => {
      run.text = '';
    }),
  },
  {
    apply: forSlide((random, slide) => {
      slide.shapes = slide.shapes.flatMap(each => (each.kind === 'group' ? each.shapes : [each]));
      if (oneIn(random, 2)) slide.shapes.reverse();
    }),
  },
  {
    apply: forSlide((random, { shapes }) => {
      forOne(random, shapes.filter(isTextShape), shape => {
        shape.paragraphs = [...(shape.paragraphs ?? []), randomParagraph(random)];
      });
    }),
  },
];
