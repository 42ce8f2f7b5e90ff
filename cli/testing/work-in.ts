import { afterAll, beforeAll } from 'vitest';
import { workplace, type Workplace } from './lockpick.js';

/** A workplace for the tests of a file, that commands run in this process are in as well. */
export function workInWorkplace(): Workplace {
  const place = workplace();
  const before = process.cwd();
  beforeAll(() => {
    process.chdir(place.directory);
  });
  afterAll(() => {
    process.chdir(before);
    place.remove();
  });
  return place;
}
