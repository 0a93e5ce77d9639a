// Reads comma-separated tables as Python's module `csv` does by default: quotes inside of a field are text, and nothing is rejected.

/** The rows of a table. A line without characters is a row without fields. */
export function readCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field: string | undefined;
  let isQuoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (isQuoted) {
      if (character !== '"') field = (field ?? '') + character;
      else if (text.charAt(index + 1) === '"') {
        field = `${field ?? ''}"`;
        index += 1;
      } else isQuoted = false;
    } else if (character === '\n') {
      if (field !== undefined || row.length > 0) row.push(field ?? '');
      rows.push(row);
      [row, field] = [[], undefined];
    } else if (character === ',') {
      row.push(field ?? '');
      field = undefined;
    } else if (character === '"' && field === undefined) {
      [field, isQuoted] = ['', true];
    } else field = (field ?? '') + character;
  }
  if (field !== undefined || row.length > 0) rows.push([...row, field ?? '']);
  return rows;
}

/** The rows below the first one by the names in the first one. A missing field is null; fields without a name are left out. */
export function readRecords(text: string): readonly Readonly<Record<string, string | null>>[] {
  const [names = [], ...rows] = readCsv(text);
  return rows
    .filter(row => row.length > 0)
    .map(row => Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])));
}
