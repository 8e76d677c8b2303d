import { useEffect } from 'react';

const GUARDS = '[data-base-ui-focus-guard][aria-hidden="true"]';

/**
 * While a menu is open, the spans that pass the focus on from its edges are no longer hidden from
 * assistive technology: what can have the focus must not be hidden from it (WAI-ARIA, aria-hidden).
 * They have no name and no content, and whoever reaches one is taken on at once.
 */
export function useHeardGuards(): void {
  useEffect(() => {
    const uncover = () => {
      for (const guard of document.querySelectorAll(GUARDS)) guard.removeAttribute('aria-hidden');
    };
    uncover();
    // Those around the list come once its place is known, later than this.
    const observer = new MutationObserver(uncover);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
}
