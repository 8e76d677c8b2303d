// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Worded, wordedLine } from '../../src/features/step-panel/worded.tsx';

test('names between backticks stand without them, in the machine’s face', () => {
  const { container } = render(<Worded text="Use `misstep import FILE`, or `-wal`." />);
  expect(container.textContent).toBe('Use misstep import FILE, or -wal.');
  expect([...container.querySelectorAll('span')].map((each) => each.textContent)).toEqual([
    'misstep import FILE',
    '-wal',
  ]);
  expect(wordedLine('Use `misstep help`.')).toBe('Use misstep help.');
});

test('a backtick that has no second one is a character, and what can’t be seen is named', () => {
  const { container } = render(<Worded text={'it`s here\u202e'} />);
  expect(container.textContent).toBe('it`s here[U+202E]');
  expect(container.querySelector('span')).toBeNull();
  expect(wordedLine('`a` and ` there')).toBe('a and ` there');
});
