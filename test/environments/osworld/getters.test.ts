// The getters of OSWorld's tasks on a machine in memory.

import { describe, expect, test } from 'vitest';
import { zipOf } from '../../../runtime/bench/osworld/cases/zip.ts';
import { GETTER_NAMES, runGetter } from '../../../runtime/environments/osworld/getters.ts';
import { bytesOf, memoryMachine, taskRun } from './memory-machine.ts';

const PROFILE = '~/.config/google-chrome';

const tree = (address: string) =>
  `<desktop><application name="Files"><entry name="Address and search bar">no</entry></application>
   <application name="Google Chrome"><panel><entry name="Address and search bar">${address}</entry></panel></application></desktop>`;

describe('files', () => {
  const machine = () => memoryMachine({ files: { '/a.xlsx': 'table', '/a.csv': 'rows' } });

  test('a file has the name of its local copy, and a missing one is null', async () => {
    const run = taskRun(machine());
    expect(await runGetter(run, { type: 'vm_file', path: '/a.xlsx', dest: 'result.xlsx' })).toEqual({
      name: 'result.xlsx',
      bytes: bytesOf('table'),
    });
    expect(await runGetter(run, { type: 'vm_file', path: '/none', dest: 'none' })).toBeNull();
  });

  test('the name of a file can contain the day', async () => {
    const run = taskRun(
      memoryMachine({ files: { '/S/Export-2026_11_25.csv': 'rows', '/S/25.11.csv': 'short' } }),
    );
    const parameters = { type: 'vm_file', path: '/S/Export-.csv', dest: 'Export-.csv', time_suffix: true };
    expect(await runGetter(run, parameters)).toEqual({
      name: 'Export-2026_11_25.csv',
      bytes: bytesOf('rows'),
    });
    expect(await runGetter(run, { ...parameters, time_suffix: false })).toBeNull();
    const short = { ...parameters, path: '/S/.csv', dest: '.csv', time_format: '%d.%m' };
    expect(await runGetter(run, short)).toEqual({ name: '25.11.csv', bytes: bytesOf('short') });
    await expect(runGetter(run, { ...parameters, time_format: '%H' })).rejects.toThrow(
      /time_format.*%Y, %m and %d/,
    );
  });

  test('of several files those at `gives` are given, with the others beside them', async () => {
    const run = taskRun(machine());
    const both = { type: 'vm_file', path: ['/a.xlsx', '/a.csv'], dest: ['r.xlsx', 'r-1.csv'], multi: 'true' };
    expect(await runGetter(run, both)).toEqual({
      name: 'r.xlsx',
      bytes: bytesOf('table'),
      siblings: [{ name: 'r-1.csv', bytes: bytesOf('rows') }],
    });
    expect(await runGetter(run, { ...both, gives: [0, 1] })).toHaveLength(2);
  });

  test('a fetched file is in the cache of the task', async () => {
    const run = taskRun(machine());
    await runGetter(run, { type: 'cloud_file', path: 'https://x/gold', dest: 'gold.txt' });
    expect(await runGetter(run, { type: 'cache_file', path: 'gold.txt' })).toEqual({
      name: 'gold.txt',
      bytes: bytesOf('content of https://x/gold'),
    });
    await expect(runGetter(run, { type: 'cache_file', path: 'other' })).rejects.toThrow(
      /The files are: gold\.txt/,
    );
  });
});

describe("the browser's profile", () => {
  const read = (type: string, preferences?: object) =>
    runGetter(
      taskRun(
        memoryMachine(
          preferences && { files: { [`${PROFILE}/Default/Preferences`]: JSON.stringify(preferences) } },
        ),
      ),
      { type },
    );

  test('has the values of the settings, or the defaults of the browser', async () => {
    const engine = { default_search_provider_data: { template_url_data: { short_name: 'Bing' } } };
    expect(await read('default_search_engine', engine)).toBe('Bing');
    expect(await read('default_search_engine')).toBe('Google');
    expect(await read('enable_do_not_track', { enable_do_not_track: true })).toBe('true');
    expect(await read('enable_do_not_track', {})).toBe('false');
    expect(await read('new_startup_page', {})).toBe('true');
    expect(await read('new_startup_page', { session: { restore_on_startup: 1 } })).toBe('false');
    expect(await read('new_startup_page', { session: { restore_on_startup: 5 } })).toBe('true');
    expect(await read('profile_name', { profile: { name: 'Thomas' } })).toBe('Thomas');
  });

  test('lists the extensions', async () => {
    const settings = { a: { path: '/x', manifest: { name: 'X' } }, b: { path: '/y' } };
    expect(await read('find_unpacked_extension_path', { extensions: { settings } })).toEqual(['/x', '/y']);
    expect(await read('find_installed_extension_name', { extensions: { settings } })).toEqual(['X']);
  });

  test('a damaged file counts as the defaults', async () => {
    const files = { [`${PROFILE}/Default/Preferences`]: '{' };
    const run = taskRun(memoryMachine({ files }));
    expect(await runGetter(run, { type: 'profile_name' })).toBeNull();
    expect(await runGetter(run, { type: 'new_startup_page' })).toBe('Google');
  });

  test('a missing file opens no new tab: the agent could delete it', async () => {
    expect(await read('new_startup_page')).toBe('Google');
  });

  test('shortcuts are the .desktop files of the desktop', async () => {
    const files = { '~/Desktop/a.desktop': 'Name=A\n', '~/Desktop/b.txt': '' };
    expect(await runGetter(taskRun(memoryMachine({ files })), { type: 'shortcuts_on_desktop' })).toEqual({
      'a.desktop': 'Name=A\n',
    });
  });
});

describe('the tab in front', () => {
  const run = taskRun(memoryMachine({ tree: tree('shop.org/a-b/item?q=1&amp;q=2&amp;p=x,y') }));

  test('has the address of the address bar, after the prefix', async () => {
    const url = { type: 'active_url_from_accessTree' };
    expect(await runGetter(run, url)).toBe('https://shop.org/a-b/item?q=1&q=2&p=x,y');
    expect(await runGetter(run, { ...url, goto_prefix: 'https://www.' })).toMatch(/^https:\/\/www\.shop/);
    expect(await runGetter(taskRun(memoryMachine()), url)).toBeNull();
  });

  test('is a fault of the guest if the tree cannot be read', async () => {
    const broken = taskRun(memoryMachine({ tree: 'Internal Server Error' }));
    await expect(runGetter(broken, { type: 'active_url_from_accessTree' })).rejects.toMatchObject({
      failure: {
        boundary: 'environment',
        thing: 'accessibility tree',
        message: expect.stringMatching(/^the guest sent no tree: .* Check the server in the guest\.$/s),
      },
    });
  });

  test('has values in its query and parts in its path', async () => {
    const query = { type: 'active_tab_url_parse', parse_keys: ['q', 'p', 'none'], replace: { p: 'pair' } };
    expect(await runGetter(run, query)).toEqual({ q: '1', pair: 'x,y', none: '' });
    expect(await runGetter(run, { ...query, split_list: true })).toMatchObject({ pair: ['x', 'y'] });
    const part = { type: 'url_dashPart', partIndex: -1, needDeleteId: true, returnType: 'json', key: 'what' };
    expect(await runGetter(run, part)).toEqual({ what: 'item' });
    expect(await runGetter(run, { ...part, partIndex: '9' })).toBeNull();
  });

  test('has no values where the address bar holds other text', async () => {
    const query = { type: 'active_tab_url_parse', parse_keys: ['q'] };
    for (const typed of ['how to boil eggs', '[1', 'a:b'])
      expect(await runGetter(taskRun(memoryMachine({ tree: tree(typed) })), query)).toEqual({ q: '' });
  });
});

test('rules with dates are filled in', async () => {
  const rules = {
    relativeTime: { from: 'next Monday split', to: 'next Friday split' },
    expected: {
      puDay: '{DayD}',
      puMonth: '{MonthD}',
      puYear: '{Year}',
      doDay: '{DayD}',
      doMonth: '{MonthD}',
      doYear: '{Year}',
    },
  };
  expect(await runGetter(taskRun(memoryMachine()), { type: 'rule_relativeTime', rules })).toMatchObject({
    expected: { puDay: '30', puMonth: '11', puYear: '2026', doDay: '4', doMonth: '12', doYear: '2026' },
  });
});

test('rules with lists of dates are filled in, and other values are errors of the task', async () => {
  const rules = (time: unknown) => ({ relativeTime: { from: 'tomorrow' }, expected: { time, who: 'Ann' } });
  const read = (time: unknown) =>
    runGetter(taskRun(memoryMachine()), { type: 'rule_relativeTime', rules: rules(time) });
  expect(await read(['{Year}-{Month0D}-{Day0D}', '{DayD}'])).toMatchObject({
    expected: { time: ['2026-11-26', '26'], who: 'Ann' },
  });
  await expect(read([7])).rejects.toThrow(/expected\.time is \[7\]\. Write the format of the date/);
});

test('the background of a slide is a part of the presentation', async () => {
  const slide =
    '<p:sld xmlns:p="p" xmlns:a="a" xmlns:r="r"><p:bg><p:bgPr><a:blip r:embed="r2"/></p:bgPr></p:bg></p:sld>';
  const relationships =
    '<Relationships><Relationship Id="r1" Type="x/image" Target="../media/1.png"/><Relationship Id="r2" Type="x/image" Target="../media/2.png"/></Relationships>';
  const machine = memoryMachine();
  machine.files.set(
    '/s.pptx',
    zipOf({
      'ppt/slides/slide1.xml': slide,
      'ppt/slides/_rels/slide1.xml.rels': relationships,
      'ppt/media/2.png': 'picture',
    }),
  );
  const getter = {
    type: 'background_image_in_slide',
    ppt_file_path: '/s.pptx',
    slide_index: '0',
    dest: 'b.png',
  };
  expect(await runGetter(taskRun(machine), getter)).toEqual({ name: '2.png', bytes: bytesOf('picture') });
  expect(await runGetter(taskRun(machine), { ...getter, slide_index: 1 })).toBeNull();
});

describe('a file that cannot be read is null', () => {
  const slide = { ppt_file_path: '/s.pptx', slide_index: 0, dest: 'm' };
  const lastRow = {
    ...{ type: 'content_from_vm_file', path: '/r.xlsx' },
    ...{ file_type: 'xlsx', file_content: 'last_row' },
  };
  const withFile = (path: string, bytes: Uint8Array) => {
    const machine = memoryMachine();
    machine.files.set(path, bytes);
    return taskRun(machine);
  };
  const linking = (target: string) =>
    zipOf({
      'ppt/slides/_rels/slide1.xml.rels': `<Relationships><Relationship Id="r1" Type="x/audio" TargetMode="External" Target="${target}"/></Relationships>`,
    });

  test.each([
    ['no archive', bytesOf('not a zip')],
    [
      'damaged XML',
      zipOf({ 'ppt/slides/slide1.xml': '<p:sld', 'ppt/slides/_rels/slide1.xml.rels': '<Relationships' }),
    ],
  ])('a presentation: %s', async (_, bytes) => {
    const run = withFile('/s.pptx', bytes);
    expect(await runGetter(run, { type: 'background_image_in_slide', ...slide })).toBeNull();
    expect(await runGetter(run, { type: 'audio_in_slide', ...slide })).toBeNull();
  });

  test('a spreadsheet', async () => {
    expect(await runGetter(withFile('/r.xlsx', bytesOf('not a zip')), lastRow)).toBeNull();
  });

  test('a linked file whose address has a wrong escape', async () => {
    const audio = { type: 'audio_in_slide', ...slide };
    expect(await runGetter(withFile('/s.pptx', linking('file:///a%.mp3')), audio)).toBeNull();
    const run = withFile('/s.pptx', linking('file:///a%20b.mp3'));
    await run.machine.writeFile('/a b.mp3', bytesOf('sound'));
    expect(await runGetter(run, audio)).toEqual({ name: 'm', bytes: bytesOf('sound') });
  });

  test('a machine that fails is no such file', async () => {
    const readFile = () => Promise.reject(new RangeError('The machine is gone.'));
    await expect(runGetter(taskRun({ ...memoryMachine(), readFile }), lastRow)).rejects.toThrow(/gone/);
  });
});

test('an unknown getter and a wrong parameter are errors of the task', async () => {
  const run = taskRun(memoryMachine());
  await expect(runGetter(run, { type: 'mind' })).rejects.toThrow(/unknown getter\. Use one of vm_file/);
  await expect(runGetter(run, { type: 'vm_file', path: 7 })).rejects.toThrow(
    /getter vm_file: path: .*, not 7/,
  );
  expect(GETTER_NAMES).toContain('rule');
});

test('the last row of a spreadsheet is texts as pandas prints them', async () => {
  const cell = (value: string | number) =>
    typeof value === 'number' ? `<c><v>${value}</v></c>` : `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const row = (...values: readonly (string | number)[]) => `<row>${values.map(cell).join('')}</row>`;
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const machine = memoryMachine();
  machine.files.set(
    '/r.xlsx',
    zipOf({
      '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
      '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${row('name', 'cited', 'index')}${row('Ann', 3, 0.5)}${row('Ben', 7, 2)}</sheetData></worksheet>`,
    }),
  );
  const getter = {
    type: 'content_from_vm_file',
    path: '/r.xlsx',
    file_type: 'xlsx',
    file_content: 'last_row',
  };
  expect(await runGetter(taskRun(machine), getter)).toEqual(['Ben', '7', '2.0']);
});
