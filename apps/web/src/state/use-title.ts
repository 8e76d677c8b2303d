import { useEffect } from 'react';

/** The page's title: "Runs - Misstep". */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} - Misstep`;
  }, [title]);
}
