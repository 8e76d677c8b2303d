// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { NumberField } from '../../src/features/comparisons/number-field.tsx';

afterEach(cleanup);

function Held(props: { told: number[] }) {
  const [value, setValue] = useState(3);
  const change = (next: number) => {
    props.told.push(next);
    setValue(next);
  };
  return <NumberField label="Times" value={value} least={2} most={100} onChange={change} />;
}

function open() {
  const told: number[] = [];
  render(<Held told={told} />);
  return { told, input: screen.getByLabelText<HTMLInputElement>('Times') };
}

it('takes each number that is typed, before the field is left', () => {
  const { told, input } = open();
  fireEvent.change(input, { target: { value: '5' } });
  expect(told).toEqual([5]);
  fireEvent.change(input, { target: { value: '50' } });
  expect(told).toEqual([5, 50]);
  fireEvent.blur(input);
  expect(told).toEqual([5, 50]);
});

it('waits with what is no such number, and puts it right on leaving', () => {
  const { told, input } = open();
  fireEvent.change(input, { target: { value: '' } });
  fireEvent.change(input, { target: { value: '1' } });
  expect(told).toEqual([]);
  expect(input.value).toBe('1');
  fireEvent.blur(input);
  expect(told).toEqual([2]);
  expect(input.value).toBe('2');
  fireEvent.change(input, { target: { value: '1000' } });
  fireEvent.blur(input);
  expect(told).toEqual([2, 100]);
});
