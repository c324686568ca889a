type ChartMarkProps = {
  cx?: number | undefined
  cy?: number | undefined
  payload?: { claim?: boolean } | undefined
}

/** Filled for a ranked result, hollow otherwise. */
export function ChartMark({ cx, cy, payload }: ChartMarkProps) {
  if (cx === undefined || cy === undefined) return null
  const colour = payload?.claim ? 'var(--accent)' : 'var(--muted)'
  return (
    <circle
      cx={cx}
      cy={cy}
      fill={payload?.claim ? colour : 'var(--bg)'}
      r={4.5}
      stroke={colour}
      strokeWidth={2}
    />
  )
}
