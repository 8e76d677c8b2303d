// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { VerdictChip } from '../../src/ui/verdict-chip.tsx';

test('of an edited call nobody is blamed for a difference', () => {
  render(
    <>
      <VerdictChip verdict="server differs now" edited />
      <VerdictChip verdict="server differs now" count={3} edited />
      <VerdictChip verdict="altered in transcript" edited />
      <VerdictChip verdict="server differs now" />
    </>,
  );
  expect(screen.getByText('differs now').getAttribute('title')).toContain('edited');
  expect(screen.getByText('3 differs now')).toBeTruthy();
  expect(screen.getByText('altered in transcript').getAttribute('title')).toBeNull();
  expect(screen.getAllByText('server differs now')).toHaveLength(1);
});
