/**
 * Returns the URL with a path that can be decoded. Next fails with 500 when a `%` does not begin an escape of UTF-8:
 * each `%` is escaped then, so that the response is a page or an API error that says so.
 */
export function readableAddress(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1)
  if (!path.includes('%')) return url
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}
