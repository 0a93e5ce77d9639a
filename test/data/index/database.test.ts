// Changes are atomic, also across transactions.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Database } from '../../../runtime/data/index/database.ts';
import { folder } from '../trajectories.ts';

/** More than two transactions. */
const CHANGES = 600;

const numbersIn = (database: Database): readonly number[] =>
  database.all('SELECT number FROM things ORDER BY number').map(([number]) => Number(number));

async function changed(): Promise<Database> {
  const database = await Database.empty();
  database.script('CREATE TABLE things (number INTEGER PRIMARY KEY)');
  for (let number = 0; number < CHANGES; number++) {
    const change = () =>
      database.change(() => {
        database.run('INSERT INTO things VALUES (?)', [number]);
        if (number % 3 === 0) throw new Error('not this one');
      });
    if (number % 3 === 0) expect(change).toThrow('not this one');
    else change();
  }
  return database;
}

const WHOLE = Array.from({ length: CHANGES }, (_, number) => number).filter(number => number % 3 !== 0);

test('a failed change leaves no trace, and the others stay', async () => {
  expect(numbersIn(await changed())).toEqual(WHOLE);
});

test('a saved database contains all changes before the save', async () => {
  const database = await changed();
  const path = join(folder(), 'saved');
  for (const number of [CHANGES, CHANGES + 1]) {
    database.save(path);
    const loaded = await Database.load(path);
    expect(loaded && numbersIn(loaded)).toEqual(numbersIn(database));
    loaded?.close();
    database.change(() => database.run('INSERT INTO things VALUES (?)', [number]));
  }
  expect(numbersIn(database)).toEqual([...WHOLE, CHANGES, CHANGES + 1]);
});
