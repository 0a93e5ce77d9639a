// The words of pocket tasks, in two disjoint sets for training and for tests, so that tests measure generalisation.

export interface Vocabulary {
  readonly first: readonly string[];
  readonly last: readonly string[];
  readonly company: readonly string[];
  readonly thing: readonly string[];
  readonly topic: readonly string[];
  readonly event: readonly string[];
  readonly folder: readonly string[];
  readonly sentence: readonly string[];
  readonly host: readonly string[];
}

const list = (words: string): readonly string[] => words.trim().split(/\s*,\s*/);

const TRAIN: Vocabulary = {
  first: list(
    'Ada, Boris, Clara, Dario, Edith, Felix, Greta, Hugo, Irene, Jonas, Katja, Lionel, Marta, Nils, Olga, Pedro',
  ),
  last: list(
    'Abel, Brandt, Castle, Duran, Evers, Falk, Gomez, Hart, Ibsen, Jansen, Keller, Lange, Moreau, Novak, Olsen, Perry',
  ),
  company: list('Northwind, Bluebird, Oakline, Brightway, Stonebridge, Clearwater, Redwood, Summit'),
  thing: list(
    'lamp, ticket, ladder, garden, bottle, camera, basket, engine, pillow, mirror, hammer, violin, blanket, candle',
  ),
  topic: list(
    'budget, schedule, invoice, travel plan, summer party, new office, product launch, training, survey, contract',
  ),
  event: list(
    'Dentist, Team lunch, Piano lesson, Budget review, Book club, Car service, Yoga class, Design talk',
  ),
  folder: list('Projects, Recipes, Travel, Invoices, School, Garden, Music, Archive'),
  sentence: list(
    'The meeting is moved to room four, Please bring the signed papers, The parcel arrives on Monday, We need two more chairs, The door code has changed, Lunch is at noon in the yard',
  ),
  host: list('mail.org, post.net, inbox.com'),
};

const TEST: Vocabulary = {
  first: list(
    'Quentin, Rosa, Stefan, Tilda, Umberto, Vera, Wim, Xenia, Yannis, Zelda, Arno, Bianca, Carsten, Dalia, Emil, Frida',
  ),
  last: list(
    'Quist, Rossi, Schmidt, Torres, Urban, Vogel, Weber, Xavier, Young, Ziegler, Adler, Bauer, Conrad, Dietz, Engel, Fischer',
  ),
  company: list('Greenfield, Silverlake, Ironworks, Fairview, Highland, Longbridge, Whitestone, Crestline'),
  thing: list(
    'kettle, wagon, carpet, anchor, ribbon, drawer, pencil, saddle, trumpet, walnut, needle, bucket, curtain, feather',
  ),
  topic: list(
    'road map, newsletter, open house, price list, moving day, garden fair, audit, workshop, holiday rota, menu',
  ),
  event: list(
    'Eye doctor, Choir, Tax office, Chess night, Parents evening, Swim class, Site visit, Farewell party',
  ),
  folder: list('Drawings, Letters, Sport, Receipts, Family, Kitchen, Films, Drafts'),
  sentence: list(
    'The key is under the blue pot, Please call before nine, The bus leaves from gate six, We are out of printer paper, The heating works again, Tea is served on the terrace',
  ),
  host: list('letters.org, paper.net, courier.com'),
};

export const VOCABULARIES = { train: TRAIN, test: TEST } as const;
