const NO_NETWORK =
  /ENOTFOUND|EAI_AGAIN|getaddrinfo|ENETUNREACH|network is unreachable|Could not resolve host|Temporary failure in name resolution|no such host|NewConnectionError/i

/** Returns whether a program's output reports a missing network. */
export function saysNoNetwork(message: string): boolean {
  return NO_NETWORK.test(message)
}
