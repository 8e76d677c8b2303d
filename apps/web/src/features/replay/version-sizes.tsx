import type { Comparison, VersionSize } from '@misstep/model';
import { formatBytes, formatCount } from '../../ui/format-count.ts';
import parts from './comparison-parts.module.css';
import type { ShownVersion } from './shown-versions.ts';

/** What each version takes in an agent's context: bytes, and an estimate of tokens named as one. */
export function VersionSizes(props: { comparison: Comparison; versions: readonly ShownVersion[] }) {
  const { sizes } = props.comparison;
  if (sizes === undefined) return null;
  const named = props.versions.flatMap((version) => {
    const size = sizes[version.name] ?? null;
    return version.isThere ? [{ version, size }] : [];
  });
  return (
    <p className={parts.sizes} title={sizes.tokenRule}>
      <span>in context, tokens estimated</span>
      {named.map(({ version, size }) => (
        <span key={version.name} title={size === null ? undefined : exactly(size)}>
          <b>{version.title.split(',')[0]?.toLowerCase()}</b>
          {size === null
            ? ' nothing'
            : ` ${formatBytes(size.sizeBytes)}, ~${formatCount(size.estimatedTokens)} tokens`}
        </span>
      ))}
    </p>
  );
}

function exactly(size: VersionSize): string {
  return `${formatCount(size.sizeBytes)} bytes of UTF-8`;
}
