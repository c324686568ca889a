/** Whether a path fits a pattern in which `*` stands for one part: `/orders/*`. */
export function fitsPath(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const parts = path.split('/')
  return (
    wanted.length === parts.length &&
    wanted.every((part, index) => (part === '*' ? parts[index] !== '' : part === parts[index]))
  )
}

/** Whether a request fits `METHOD /path`; its query counts only where the pattern has one. */
export function fitsRequest(pattern: string, method: string, path: string): boolean {
  const gap = pattern.indexOf(' ')
  const wanted = pattern.slice(gap + 1)
  if (gap < 0 || pattern.slice(0, gap) !== method) return false
  return fitsPath(wanted, wanted.includes('?') ? path : (path.split('?')[0] ?? ''))
}
