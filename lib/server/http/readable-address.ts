/**
 * The address with a path that can be decoded. Where a `%` begins no escape of UTF-8, Next fails with 500, though nothing is
 * there to fail: each `%` stands for itself then, so that the answer is a page or an error of the API that says so.
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
