const NO_NETWORK =
  /ENOTFOUND|EAI_AGAIN|getaddrinfo|ENETUNREACH|network is unreachable|Could not resolve host|Temporary failure in name resolution|no such host|NewConnectionError/i

/** Whether a program said that it found no network. */
export function saysNoNetwork(said: string): boolean {
  return NO_NETWORK.test(said)
}
