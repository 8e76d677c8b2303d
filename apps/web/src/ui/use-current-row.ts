import { type RefObject, useEffect, useRef } from 'react';

/** For a row of a table, which scrolls into view when the cursor comes to it. */
export function useCurrentRow(isCurrent: boolean): RefObject<HTMLTableRowElement | null> {
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return row;
}
