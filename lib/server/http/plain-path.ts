/**
 * Whether the path of an address names the page that it seems to: Next and browsers resolve `..`, `%2e%2e` and `\` first,
 * so that `/agents/../admin` is no page of an agent.
 */
export function isPlainPath(url: string): boolean {
  const [path = ''] = url.split('?')
  if (!path.startsWith('/') || path.startsWith('//')) return false
  return new URL(path, 'http://board.example').pathname === path
}
