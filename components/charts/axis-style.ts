/** Quiet axes: small text, no line but the grid. */
export const axisStyle = {
  axisLine: false,
  tickLine: false,
  tick: { fill: 'var(--muted)', fontSize: 12 },
} as const
