import { expect, it } from 'vitest';
import { startProgress } from './progress.js';

function terminal(): { stream: NodeJS.WriteStream; text: () => string } {
  let written = '';
  const write = (text: string): boolean => ((written += text), true);
  return {
    stream: { isTTY: true, columns: 80, write } as unknown as NodeJS.WriteStream,
    text: () => written,
  };
}

it('goes on where there is more to do than was thought', () => {
  const { stream, text } = terminal();
  const progress = startProgress(20, { quiet: false, stream });
  progress.at(40, 'runs');
  progress.done();
  expect(text()).toContain(`${'━'.repeat(20)} 40/40 runs`);
});

it('draws nothing where it is to be quiet', () => {
  const { stream, text } = terminal();
  const progress = startProgress(20, { quiet: true, stream });
  progress.at(4, 'runs');
  progress.done();
  expect(text()).toBe('');
});
