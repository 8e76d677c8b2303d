import { useEffect, useState } from 'react';

/** A value once it has stood still for so long; compared by its JSON. */
export function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    // Our own text from above: the same content is the same value.
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Value), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return settled;
}
