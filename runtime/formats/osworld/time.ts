// The times of traj.jsonl: '20261120@182149000000'. Pure.

const PARTS = /^(\d{4})(\d\d)(\d\d)@(\d\d)(\d\d)(\d\d)(\d{0,6})$/;

/** Milliseconds since 1970; undefined for other texts. OSWorld writes local time without its zone, which is read as UTC. */
export function timeIn(timestamp: string): number | undefined {
  const [, year, month, day, hour, minute, second, fraction = ''] = PARTS.exec(timestamp) ?? [];
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}Z`);
  return Number.isNaN(time) ? undefined : time;
}
