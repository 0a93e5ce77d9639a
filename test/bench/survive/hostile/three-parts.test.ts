import { expect, test } from 'vitest';
import { missingPart } from '../../../../runtime/bench/survive/hostile/three-parts.ts';

test.each([
  "Docker engine not reachable at 'unix:///var/run/docker.sock'. Start it, or set DOCKER_HOST.",
  'The PNG is interlaced by method 1. Encode it without interlacing.',
  'dartboard.json:1:15: minutes must be a number above 0 and up to 10080, but is 0.',
  "dartboard.json:1:13: Expected ',' or '}', found '{'.",
  'http://127.0.0.1:8000/v1 answered with status 503: no memory. The request is sent again.',
])('%s', message => {
  expect(missingPart(message)).toBeUndefined();
});

test.each([
  'HTTP/1.1 400 Bad Request',
  'The file has 42 bytes that belong to no tensor.',
  "The tensor 'w' is damaged. It does not match its checksum.",
  'Something failed. Try to do it better.',
  "Cannot read properties of undefined (reading 'a'). Check it.",
  'Maximum call stack size exceeded. Reduce 3 levels.',
  `The value '${'x'.repeat(30_000)}' is wrong. Correct it.`,
])('not: %s', message => {
  expect(missingPart(message)).toEqual(expect.any(String));
});
