// The database in memory: changes are atomic, also across transactions, and a saved file is loaded whole or not at all.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { trajectoryId } from '../../../runtime/core/ids.ts';
import { INDEX, UNFINISHED } from '../../../runtime/data/files/places.ts';
import { Catalogue } from '../../../runtime/data/index/catalogue.ts';
import { SqliteDatabase } from '../../../runtime/data/index/sqlite-database.ts';
import { folder, trajectory } from '../trajectories.ts';
import { rowOf, write } from './filled-index.ts';

/** More than two transactions. */
const CHANGES = 600;

const numbersIn = async (database: SqliteDatabase): Promise<readonly number[]> =>
  (await database.all('SELECT number FROM things ORDER BY number')).map(([number]) => Number(number));

async function changed(path: string): Promise<SqliteDatabase> {
  const database = await SqliteDatabase.open(path);
  await database.script('CREATE TABLE things (number INTEGER PRIMARY KEY)');
  for (let number = 0; number < CHANGES; number++) {
    const change = database.change(async () => {
      await database.run('INSERT INTO things VALUES (?)', [number]);
      if (number % 3 === 0) throw new Error('not this one');
    });
    if (number % 3 === 0) await expect(change).rejects.toThrow('not this one');
    else await change;
  }
  return database;
}

const WHOLE = Array.from({ length: CHANGES }, (_, number) => number).filter(number => number % 3 !== 0);

test('a failed change leaves no trace, and the others stay', async () => {
  expect(await numbersIn(await changed(join(folder(), 'saved')))).toEqual(WHOLE);
});

test('a saved database contains all changes before the save', async () => {
  const path = join(folder(), 'saved');
  const database = await changed(path);
  for (const number of [CHANGES, CHANGES + 1]) {
    await database.save();
    const loaded = await SqliteDatabase.open(path);
    expect(await numbersIn(loaded)).toEqual(await numbersIn(database));
    await loaded.close();
    await database.change(() => database.run('INSERT INTO things VALUES (?)', [number]));
  }
  expect(await numbersIn(database)).toEqual([...WHOLE, CHANGES, CHANGES + 1]);
});

test('a save that fails names the file, leaves no unfinished one, and can be repeated', async () => {
  const path = join(folder(), 'saved');
  const database = await changed(path);
  // A file does not replace a folder.
  mkdirSync(path);
  const message =
    /^The index '.*saved' cannot be saved: .+\. The next start reads what it lacks from the trajectories\.$/;
  await expect(database.save()).rejects.toThrow(message);
  expect(existsSync(`${path}${UNFINISHED}`)).toBe(false);
  rmSync(path, { recursive: true });
  await database.save();
  expect(await numbersIn(await SqliteDatabase.open(path))).toEqual(WHOLE);
});

test('a reset database has no tables, no version, and takes new ones', async () => {
  const database = await changed(join(folder(), 'saved'));
  await database.setVersion(7);
  expect(await database.version()).toBe(7);
  await database.reset();
  expect(await database.version()).toBeUndefined();
  await database.script('CREATE TABLE things (number INTEGER PRIMARY KEY)');
  expect(await numbersIn(database)).toEqual([]);
});

test('a damaged index, or one of another schema, is rebuilt', async () => {
  const root = folder();
  write(root, trajectory('a'));
  await (await Catalogue.open(root)).close();
  const path = join(root, INDEX);
  const bytes = readFileSync(path);
  const older = await SqliteDatabase.open(path);
  await older.setVersion(1);
  await older.save();
  const olderBytes = readFileSync(path);
  for (const damage of [
    () => bytes.with(5000, bytes[5000] === 0 ? 1 : 0),
    () => bytes.subarray(0, 4096),
    () => Buffer.from('no index'),
    () => Buffer.alloc(0),
    () => olderBytes,
  ]) {
    writeFileSync(path, damage());
    const { caughtUp, queries } = await Catalogue.open(root);
    expect(caughtUp).toMatchObject({ read: 1 });
    expect(await queries.row(trajectoryId('a'))).toEqual(rowOf(trajectory('a')));
  }
});

test('a database that somebody damaged, with a checksum that is right, is not loaded', async () => {
  const path = join(folder(), 'saved');
  const database = await changed(path);
  await database.save();
  const whole = readFileSync(path).subarray(0, -32);
  for (const bytes of [
    whole.subarray(0, 5000),
    whole.map((byte, at) => (at > 2000 ? byte ^ 0xff : byte)),
    Buffer.from('no database'),
  ]) {
    writeFileSync(path, Buffer.concat([bytes, createHash('sha256').update(bytes).digest()]));
    const loaded = await SqliteDatabase.open(path);
    expect(await loaded.all('SELECT count(*) FROM sqlite_master')).toEqual([[0]]);
    await loaded.close();
  }
});

test('an index in a file has no other workspaces', async () => {
  const catalogue = await Catalogue.open(folder());
  expect(await catalogue.queries.fleet()).toBeUndefined();
  await catalogue.close();
});
