/**
 * Money of ours at a glance: "$12.40", "$0.61", "$0.0042", "<$0.0001". Never for an amount that a
 * source states, which is shown as written; the exact amount belongs in a title.
 */
export function formatUsd(usd: string): string {
  const amount = Number(usd);
  if (amount === 0) return '$0';
  if (amount < 0.0001) return '<$0.0001';
  if (amount < 0.01) return `$${amount.toFixed(4)}`;
  if (amount < 1000) return `$${amount.toFixed(2)}`;
  return `$${amount.toFixed(0).replace(/\B(?=(\d{3})+(?!\d))/g, ',')}`;
}
