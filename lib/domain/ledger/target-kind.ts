const PATTERNS = {
  run: /^run_[0-9a-z]{1,60}$/,
  row: /^row_[0-9a-f]{24}$/,
  episode: /^ep_[0-9a-f]{32}$/,
} as const

/** What an entry's target names, as its prefix tells; null = a suite, or nothing we know. */
export function targetKind(target: string): keyof typeof PATTERNS | null {
  const kinds = ['run', 'row', 'episode'] as const
  return kinds.find((kind) => PATTERNS[kind].test(target)) ?? null
}
