const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * True if a URL names this machine: traffic to it crosses no network, so plain http is allowed. False for any other
 * text.
 */
export function isLoopback(url: string): boolean {
  return URL.canParse(url) && LOOPBACK.test(new URL(url).hostname)
}
